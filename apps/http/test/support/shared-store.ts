import { openMemoryStore } from '@vitrine/adapters-memory';
import { StandingClock } from '@vitrine/core/testing';
import { Api, type ApiOptions } from './api.js';
import { NOW } from './small-world.js';

/** Two servers over one store: the first sends kept answers again, the second computes every answer. */
export class Pair {
  private constructor(
    readonly keeping: Api,
    readonly computing: Api,
    readonly clock: StandingClock,
  ) {}

  static async open(options: ApiOptions = {}): Promise<Pair> {
    const clock = new StandingClock(NOW);
    const store = await openMemoryStore({ clock });
    const shared = { ...options, openStore: () => Promise.resolve({ ...store, writer: store.writer, close: () => Promise.resolve() }) };
    const keeping = await Api.open(shared);
    return new Pair(keeping, await Api.open({ ...shared, records: [], cacheAnswers: false }), clock);
  }

  get store() {
    return this.keeping.store;
  }

  advance(milliseconds: number): void {
    for (const clock of [this.clock, this.keeping.clock, this.computing.clock]) clock.set(clock.now() + milliseconds);
  }
}
