import type { RunReport, Source, SourceContext } from './source.js';

/** Lets only so many of its sources run at once, so that a hundred repositories do not start a hundred processes. */
export class InTurn {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The same source, waiting for its turn at each run. */
  wrap(source: Source): Source {
    const { id, intervalMs, isRemote, registration } = source;
    return { id, intervalMs, isRemote, registration, run: (context) => this.#run(source, context) };
  }

  async #run(source: Source, context: SourceContext): Promise<RunReport> {
    while (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running++;
    try {
      context.signal.throwIfAborted();
      return await source.run(context);
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}
