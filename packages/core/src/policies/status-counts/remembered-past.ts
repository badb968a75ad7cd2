import { MINUTE, startOfDay, type Instant } from '../../domain/shared/instant.js';
import type { Tally, Window } from '../../domain/status/day-tally.js';
import type { RawHour } from './part-tallies.js';
import type { CountedPart } from './window-parts.js';

const MAX_AGE_MS = MINUTE;
/** Windows that end now share nearly all parts. More parts than this come from other requests. */
const MAX_PARTS = 256;

/** Parts of one service's history that were read. */
export class KnownParts {
  readonly #tallies = new Map<string, Tally>();
  readonly #rawHours = new Map<Instant, RawHour>();

  tally({ key }: CountedPart): Tally | null {
    return this.#tallies.get(key) ?? null;
  }

  rawHour(hour: Instant): RawHour | null {
    return this.#rawHours.get(hour) ?? null;
  }

  get isFull(): boolean {
    return this.#tallies.size + this.#rawHours.size > MAX_PARTS;
  }

  setTally({ key }: CountedPart, tally: Tally): void {
    this.#tallies.set(key, tally);
  }

  setRawHour(hour: Instant, raw: RawHour): void {
    this.#rawHours.set(hour, raw);
  }
}

/**
 * Remembers for a minute what was read of days that have ended. They change only if a check arrives late or is removed, so an answer may lack such a change
 * for at most a minute. Checks of today are never remembered. Keep one for each reader.
 */
export class RememberedPast {
  readonly #services = new Map<string, KnownParts>();
  #since: Instant = 0;

  /** The remembered parts of a service. */
  of(serviceKey: string, now: Instant): KnownParts {
    if (now < this.#since || now - this.#since > MAX_AGE_MS) {
      this.#services.clear();
      this.#since = now;
    }
    const known = this.#services.get(serviceKey);
    if (known !== undefined && !known.isFull) return known;
    const parts = new KnownParts();
    this.#services.set(serviceKey, parts);
    return parts;
  }
}

/** Whether a part lies in days that have ended. */
export function isPast({ to }: Pick<Window, 'to'>, now: Instant): boolean {
  return to <= startOfDay(now);
}
