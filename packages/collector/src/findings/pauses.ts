import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a computation may block the process. */
const MOST_MS = 10;

/** Lets the rest of the process go on during a long computation. */
export class Pauses {
  #since = performance.now();

  /** Call this between the steps. Most calls resolve at once. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < MOST_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
