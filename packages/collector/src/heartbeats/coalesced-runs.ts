import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '@vitrine/core';

const AT_MOST_EVERY_MS = SECOND;

/** Runs at most once in a second. Whoever asks meanwhile shares the next run. */
export class CoalescedRuns {
  readonly #run: () => Promise<boolean>;
  readonly #signal: AbortSignal;
  #startedAt = -Infinity;
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<boolean> | null = null;

  /** @param signal when it aborts, runs that have not begun are `false` */
  constructor(run: () => Promise<boolean>, signal: AbortSignal) {
    [this.#run, this.#signal] = [run, signal];
  }

  /** Resolves with the result of a run that begins after this call. */
  request(): Promise<boolean> {
    this.#next ??= this.#begin().catch(() => false);
    return this.#next;
  }

  async #begin(): Promise<boolean> {
    await this.#last;
    const pause = this.#startedAt + AT_MOST_EVERY_MS - performance.now();
    if (pause > 0) await sleep(pause, undefined, { signal: this.#signal });
    this.#startedAt = performance.now();
    this.#next = null;
    const running = this.#run();
    this.#last = running.catch(() => undefined);
    return running;
  }
}
