import { compareDuplicates, compareText, DAY, HOUR, type Check, type Instant } from '@vitrine/core';
import { profileOf, provenanceOf, type CheckProfile, type CheckProfiles } from './check-profile.js';

const NO_RESPONSE_TIME = -1;

/**
 * The raw checks of one service and UTC day in columns, 20 bytes each. They are sorted by time ascending and then by source descending: read backwards, that
 * is the order of lists. Of several checks with the same time and source, only the preferred one is kept.
 */
export class DayChecks {
  readonly serviceKey: string;
  /** Start of the UTC day. */
  readonly day: Instant;
  readonly #profiles: CheckProfiles;
  #length = 0;
  #times: Uint32Array;
  #profileNumbers: Uint32Array;
  #responseTimes: Int32Array;
  #observedAt: Float64Array;
  /** Computed when it is first needed; for most days it never is. */
  #coveredBefore: Float64Array | null = null;

  /** @param capacity the expected number of checks */
  constructor(serviceKey: string, day: Instant, profiles: CheckProfiles, capacity = 8) {
    this.serviceKey = serviceKey;
    this.day = day;
    this.#profiles = profiles;
    this.#times = new Uint32Array(capacity);
    this.#profileNumbers = new Uint32Array(capacity);
    this.#responseTimes = new Int32Array(capacity);
    this.#observedAt = new Float64Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  timeAt(index: number): Instant {
    return this.day + (this.#times[index] ?? 0);
  }

  profileAt(index: number): CheckProfile {
    return this.#profiles.at(this.#profileNumbers[index] ?? 0);
  }

  responseTimeAt(index: number): number | null {
    const stored = this.#responseTimes[index] ?? NO_RESPONSE_TIME;
    return stored === NO_RESPONSE_TIME ? null : stored;
  }

  observedAt(index: number): Instant {
    return this.#observedAt[index] ?? 0;
  }

  checkAt(index: number): Check {
    const profile = this.profileAt(index);
    const checkedAt = this.timeAt(index);
    return {
      kind: 'check',
      serviceKey: this.serviceKey,
      state: profile.state,
      rawState: profile.rawState,
      checkedAt,
      responseTimeMs: this.responseTimeAt(index),
      validForMs: profile.validForMs,
      provenance: provenanceOf(profile, checkedAt, this.observedAt(index)),
    };
  }

  /** The number of checks before a time. */
  countBefore(instant: Instant): number {
    const time = instant - this.day;
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The end of the longest validity of the day's checks before an hour. */
  coveredBefore(hour: Instant): Instant {
    this.#coveredBefore ??= this.#coverageByHour();
    return this.#coveredBefore[Math.round((hour - this.day) / HOUR)] ?? Number.NEGATIVE_INFINITY;
  }

  /** The index of the check with this time and source; -1 if there is none. */
  find(checkedAt: Instant, source: string): number {
    const index = this.#placeFor(checkedAt, source);
    return this.#isAt(index, checkedAt, source) ? index : -1;
  }

  /** Returns whether anything changed: the check is new, or replaces the stored one with the same time and source. */
  put(check: Check): boolean {
    const source = check.provenance.source;
    const index = this.#placeFor(check.checkedAt, source);
    if (!this.#isAt(index, check.checkedAt, source)) this.#moveFrom(index, 1);
    else if (!standsAgainst(check, this.checkAt(index))) return false;
    this.#set(index, check.checkedAt - this.day, this.#profiles.numberOf(profileOf(check)), check.responseTimeMs, check.provenance.observedAt);
    return true;
  }

  /** Adds a check after all others. A pack on disk has this order. */
  append(timeInDay: number, profileNumber: number, responseTime: number | null, observedAt: Instant): void {
    if (this.#length === this.#times.length) this.#grow();
    const index = this.#length++;
    this.#set(index, timeInDay, profileNumber, responseTime, observedAt);
  }

  removeAt(index: number): void {
    this.#moveFrom(index + 1, -1);
  }

  copy(): DayChecks {
    const copy = new DayChecks(this.serviceKey, this.day, this.#profiles);
    copy.#length = this.#length;
    copy.#times = this.#times.slice();
    copy.#profileNumbers = this.#profileNumbers.slice();
    copy.#responseTimes = this.#responseTimes.slice();
    copy.#observedAt = this.#observedAt.slice();
    return copy;
  }

  #coverageByHour(): Float64Array {
    const covered = new Float64Array(DAY / HOUR).fill(Number.NEGATIVE_INFINITY);
    for (let i = 0; i < this.#length; i++) {
      const next = Math.floor((this.#times[i] ?? 0) / HOUR) + 1;
      covered[next] = Math.max(covered[next] ?? 0, this.timeAt(i) + this.profileAt(i).validForMs);
    }
    for (let hour = 1; hour < covered.length; hour++) covered[hour] = Math.max(covered[hour] ?? 0, covered[hour - 1] ?? 0);
    return covered;
  }

  #placeFor(checkedAt: Instant, source: string): number {
    let index = this.countBefore(checkedAt);
    while (index < this.#length && this.timeAt(index) === checkedAt && compareText(this.profileAt(index).source, source) > 0) index++;
    return index;
  }

  #isAt(index: number, checkedAt: Instant, source: string): boolean {
    return index < this.#length && this.timeAt(index) === checkedAt && this.profileAt(index).source === source;
  }

  #set(index: number, timeInDay: number, profileNumber: number, responseTime: number | null, observedAt: Instant): void {
    this.#times[index] = timeInDay;
    this.#profileNumbers[index] = profileNumber;
    this.#responseTimes[index] = responseTime ?? NO_RESPONSE_TIME;
    this.#observedAt[index] = observedAt;
    this.#coveredBefore = null;
  }

  /** Moves all checks from an index on by one, to make or close a gap. */
  #moveFrom(index: number, by: 1 | -1): void {
    if (this.#length + by > this.#times.length) this.#grow();
    this.#times.copyWithin(index + by, index, this.#length);
    this.#profileNumbers.copyWithin(index + by, index, this.#length);
    this.#responseTimes.copyWithin(index + by, index, this.#length);
    this.#observedAt.copyWithin(index + by, index, this.#length);
    this.#length += by;
    this.#coveredBefore = null;
  }

  #grow(): void {
    const capacity = Math.ceil(this.#times.length * 1.5) + 1;
    const [times, numbers, responseTimes, observedAt] = [this.#times, this.#profileNumbers, this.#responseTimes, this.#observedAt];
    this.#times = new Uint32Array(capacity);
    this.#profileNumbers = new Uint32Array(capacity);
    this.#responseTimes = new Int32Array(capacity);
    this.#observedAt = new Float64Array(capacity);
    this.#times.set(times);
    this.#profileNumbers.set(numbers);
    this.#responseTimes.set(responseTimes);
    this.#observedAt.set(observedAt);
  }
}

/** Uses the core's rule. If the rule does not prefer one of two checks, a fixed order decides, so that the order of storing does not matter. */
function standsAgainst(check: Check, stored: Check): boolean {
  return (compareDuplicates(check, stored) || compareText(provenanceText(check), provenanceText(stored))) > 0;
}

function provenanceText(check: Check): string {
  return JSON.stringify([check.provenance.observedAt, profileOf(check)]);
}
