/** Lets only so many calls run at once. Others wait, and start in their order. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /** Waits for a place. Resolves with the function that gives it back. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    const release = await this.take();
    try {
      return await call();
    } finally {
      release();
    }
  }
}
