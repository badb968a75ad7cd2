import { DAY, HOUR, RetentionClock, type Clock, type ClockDoubt, type Instant, type Present, type ReadContext } from '@vitrine/core';
import type { StatusStore } from './status-store.js';

export interface RetentionOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Called when the clock jumps, or does not match the stored times. */
  readonly onClockDoubt?: ((doubt: ClockDoubt) => void) | undefined;
}

/** Decides which days are frozen. While the clock is in doubt, a day may be frozen by the clock, but not certainly. */
export class Retention {
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #retentionClock: RetentionClock;
  #present: Present = { now: 0, certain: 0 };

  constructor(
    private readonly store: StatusStore,
    { clock, retentionMs, onClockDoubt }: RetentionOptions,
  ) {
    this.#clock = clock;
    this.#retentionMs = retentionMs;
    this.#retentionClock = new RetentionClock(() => ({ wall: clock.now(), elapsed: clock.elapsed?.() ?? performance.now() }), onClockDoubt);
  }

  /** Reads the clock. Days are judged by this time until the next call. */
  async look(context: ReadContext): Promise<void> {
    if (!this.#retentionClock.isStarted) {
      const now = this.#clock.now();
      const [newest, dayOld] = await Promise.all([this.store.newestUntil(now + HOUR, context), this.store.newestUntil(now - DAY, context)]);
      this.#retentionClock.start({ newest, dayOld });
    }
    this.#present = this.#retentionClock.present();
  }

  /** Raw checks of days that start earlier are not kept, according to the clock. */
  get keptFrom(): Instant {
    return this.#present.now - this.#retentionMs;
  }

  /** Whether the raw checks of a day are no longer kept, according to the clock. */
  isFrozen(day: Instant): boolean {
    return day < this.keptFrom;
  }

  /** Whether a day is certainly frozen: the clock says so and is not in doubt. */
  isSurelyFrozen(day: Instant): boolean {
    return day < this.#present.certain - this.#retentionMs;
  }
}
