import type { Clock, ClockReading, Instant } from '@vitrine/core';

/** The clock of the store's owner as of the running call. It is in another thread, where the writer cannot ask it. */
export class SentClock implements Clock {
  #reading: ClockReading = { wall: 0, elapsed: 0 };

  set(reading: ClockReading): void {
    this.#reading = reading;
  }

  now(): Instant {
    return this.#reading.wall;
  }

  elapsed(): number {
    return this.#reading.elapsed;
  }
}
