import { Allowlist } from '@vitrine/core';
import { InTurn } from './slots.js';
import type { RunReport, Source, SourceContext } from './source.js';
import { FakeStore } from '../testing/fake-store.js';
import { whileApproved } from './vouching.js';

const DONE: RunReport = { stored: 0, unchanged: 0, removed: 0, warnings: [] };

function contextOf(signal: AbortSignal): SourceContext {
  const store = new FakeStore();
  return { writer: store, collection: store, clock: { now: () => 0 }, signal, progress: () => undefined };
}

describe('InTurn', () => {
  it('runs as many at once as it may, and all of them in the end', async () => {
    const turns = new InTurn(2);
    let running = 0;
    let most = 0;
    let runs = 0;
    const sources = Array.from({ length: 7 }, (_, i) =>
      turns.wrap({
        id: String(i),
        intervalMs: 1,
        run: async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running--;
          if (++runs % 3 === 0) throw new Error('broken');
          return DONE;
        },
      }),
    );
    await Promise.allSettled(sources.map((source) => source.run(contextOf(new AbortController().signal))));
    expect(runs).toBe(7);
    expect(most).toBe(2);
  });

  it('does not begin what was told to stop while it waited', async () => {
    const turns = new InTurn(1);
    const stop = new AbortController();
    let runs = 0;
    const source = turns.wrap({
      id: 'a',
      intervalMs: 1,
      run: () => {
        runs++;
        stop.abort();
        return Promise.resolve(DONE);
      },
    });
    const results = await Promise.allSettled([source.run(contextOf(stop.signal)), source.run(contextOf(stop.signal))]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(runs).toBe(1);
  });

  it('keeps everything of a source but its run, also when its next run is due', () => {
    const source: Source & { readonly pause: number } = {
      id: 'a',
      intervalMs: 1,
      isRemote: true,
      registration: { id: 'feed:a', sourceType: 'feed', label: 'a', repositoryRef: '-', feeds: ['news'] },
      pause: 7,
      nextRunAt(now) {
        return now + this.pause;
      },
      run: () => Promise.resolve(DONE),
    };
    for (const wrapped of [new InTurn(1).wrap(source), whileApproved(source, 'acme/widget', () => Allowlist.of('acme/widget').approved())]) {
      const { id, intervalMs, isRemote, registration, nextRunAt } = wrapped;
      expect({ id, intervalMs, isRemote, registration }).toEqual({ id: 'a', intervalMs: 1, isRemote: true, registration: source.registration });
      expect(nextRunAt?.(1_000)).toBe(1_007);
    }
  });
});
