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
