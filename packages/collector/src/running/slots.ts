import type { Source } from './source.js';
import { withRun } from './vouching.js';

/** Lets only so many calls run at once. Others wait, and start in their order. */
export class Slots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    while (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      return await call();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}

/** Lets only so many of its sources run at once, so that a hundred repositories do not start a hundred processes. */
export class InTurn {
  readonly #slots: Slots;

  constructor(most: number) {
    this.#slots = new Slots(most);
  }

  wrap(source: Source): Source {
    return withRun(source, (context) =>
      this.#slots.run(() => {
        context.signal.throwIfAborted();
        return source.run(context);
      }),
    );
  }
}
