import { SECOND, type Clock, type Instant } from '@vitrine/core';
import { MongoServerError } from 'mongodb';

const FIRST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = 10 * SECOND;
const MAX_REMEMBERED = 1_000;
const MAX_TIME_EXPIRED = 50;

interface Pause {
  readonly until: Instant;
  readonly lengthMs: number;
}

/**
 * Ways to a page that took too long, because hidden records lie too thick around the approved ones. Once says nothing: the server may have been busy
 * for a moment. From the second time in a row on nobody tries them for a second, and each time that they are still too slow for twice as long, up to ten
 * seconds: then a server that was busy for longer is found out soon.
 */
export class SlowWalks {
  readonly #clock: Clock;
  readonly #pauses = new Map<string, Pause>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What a walk gives, which sets the server a time; `null` when that is over, and during its pause at once. */
  async tried<Found>(name: string, walk: () => Promise<Found>): Promise<Found | null> {
    const pause = this.#pauses.get(name);
    if (pause !== undefined && this.#clock.now() < pause.until) return null;
    try {
      const found = await walk();
      this.#pauses.delete(name);
      return found;
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED)) throw error;
      this.#pause(name, pause);
      return null;
    }
  }

  #pause(name: string, before: Pause | undefined): void {
    const lengthMs = before === undefined ? 0 : Math.min(Math.max(FIRST_PAUSE_MS, 2 * before.lengthMs), LONGEST_PAUSE_MS);
    if (this.#pauses.size >= MAX_REMEMBERED) this.#pauses.clear();
    this.#pauses.set(name, { until: this.#clock.now() + lengthMs, lengthMs });
  }
}
