import { DAY, HOUR, RetentionClock, type Clock, type ClockDoubt, type Instant, type Present, type ReadContext } from '@vitrine/core';
import type { StatusStore } from './status-store.js';

export interface RetentionOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Hears when the clock jumps, or does not fit to what is stored. */
  readonly onClockDoubt?: ((doubt: ClockDoubt) => void) | undefined;
}

/** Which days a writer takes for frozen. While its clock is in doubt, some are so by the clock, but not for certain. */
export class Retention {
  readonly #store: StatusStore;
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #retentionClock: RetentionClock;
  #present: Present = { now: 0, certain: 0 };

  constructor(store: StatusStore, { clock, retentionMs, onClockDoubt }: RetentionOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#retentionMs = retentionMs;
    this.#retentionClock = new RetentionClock(() => ({ wall: clock.now(), elapsed: clock.elapsed?.() ?? performance.now() }), onClockDoubt);
  }

  /** Looks at the clock. Days are judged by what it says then, until the next call. */
  async look(context: ReadContext): Promise<void> {
    if (!this.#retentionClock.isStarted) {
      const now = this.#clock.now();
      const [newest, dayOld] = await Promise.all([this.#store.newestUntil(now + HOUR, context), this.#store.newestUntil(now - DAY, context)]);
      this.#retentionClock.start({ newest, dayOld });
    }
    this.#present = this.#retentionClock.present();
  }

  /** Whether the raw checks of a day are no longer kept, by the clock. */
  isFrozen(day: Instant): boolean {
    return day < this.#present.now - this.#retentionMs;
  }

  /** Whether that is certain: never while it is not so by the clock. */
  isSurelyFrozen(day: Instant): boolean {
    return day < this.#present.certain - this.#retentionMs;
  }
}
