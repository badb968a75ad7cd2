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
 * Remembers index scans that were too slow, because there are too many hidden records between the approved ones. One slow scan means nothing: the server may have
 * been busy. After the second in a row, the scan is skipped for a second. Each time that it is slow again, the pause doubles, up to ten
 * seconds. So if only a busy server was the cause, this is noticed soon.
 */
export class SlowWalks {
  readonly #clock: Clock;
  readonly #pauses = new Map<string, Pause>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The result of a scan with a time limit; `null` if the limit was exceeded, or if the scan is skipped at the moment. */
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
