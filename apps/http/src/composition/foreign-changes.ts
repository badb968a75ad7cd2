import type { Clock, Instant } from '@vitrine/core';

/** An answer may miss what another process has written in the last 50 ms. Asking for each request would cost more than a kept answer does. */
const ASKED_EVERY_MS = 50;

/** Finds out whether other processes have written to a store. */
export class ForeignChanges {
  readonly #changedElsewhere: () => boolean;
  readonly #clock: Clock;
  #nextAt: Instant = -Infinity;

  /**
   * @param changedElsewhere whether another process has written since the last call
   * @param clock a clock that does not jump
   */
  constructor(changedElsewhere: () => boolean, clock: Clock) {
    this.#changedElsewhere = changedElsewhere;
    this.#clock = clock;
  }

  /** Whether something new was found. Asks the store at most every 50 ms. */
  hasNew(): boolean {
    const now = this.#clock.now();
    if (now < this.#nextAt) return false;
    this.#nextAt = now + ASKED_EVERY_MS;
    try {
      return this.#changedElsewhere();
    } catch {
      // A store that cannot be read may have changed. The readers report the error.
      return true;
    }
  }
}
