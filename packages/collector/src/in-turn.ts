import { Slots } from './slots.js';
import type { Source } from './source.js';

/** Lets only so many of its sources run at once, so that a hundred repositories do not start a hundred processes. */
export class InTurn {
  readonly #slots: Slots;

  constructor(most: number) {
    this.#slots = new Slots(most);
  }

  /** The same source, waiting for its turn at each run. */
  wrap(source: Source): Source {
    const { id, intervalMs, isRemote, registration } = source;
    const run: Source['run'] = (context) =>
      this.#slots.run(() => {
        context.signal.throwIfAborted();
        return source.run(context);
      });
    return { id, intervalMs, isRemote, registration, nextRunAt: source.nextRunAt?.bind(source), run };
  }
}
