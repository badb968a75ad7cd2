import { DAY, TallyBuilder, type DayTally, type Instant, type Tally } from '@vitrine/core';
import type { DayChecks } from './day-checks.js';
import type { SortedDays } from './sorted-days.js';

/** The cache has at most this many ends, and this many sums for each end. */
const MAX_REMEMBERED = 32;

interface DerivedTally {
  readonly tally: DayTally;
  /** The coverage of earlier days when this tally was computed. */
  readonly coveredBefore: Instant;
}

/** The counts of a service's days. They are computed from raw checks when they are next read; for frozen days they are stored. */
export class DayTallies {
  readonly #serviceKey: string;
  readonly #days: SortedDays;
  readonly #checksOf: (day: Instant) => DayChecks | null;
  readonly #frozen = new Map<Instant, DayTally>();
  readonly #derived = new Map<Instant, DerivedTally>();
  readonly #stale = new Set<Instant>();
  /** The earliest change that is not included yet. */
  #staleSince: Instant = Infinity;
  /** Cached sums of time ranges, by their end and then by their start. */
  readonly #sums = new Map<Instant, Map<Instant, Tally>>();

  constructor(serviceKey: string, days: SortedDays, checksOf: (day: Instant) => DayChecks | null) {
    this.#serviceKey = serviceKey;
    this.#days = days;
    this.#checksOf = checksOf;
  }

  /** Checks of a day were changed or removed. @param since the time of the first of them */
  changed(day: Instant, since: Instant): void {
    this.#derived.delete(day);
    this.#setStale(day, since);
  }

  freeze(tally: DayTally): void {
    this.#derived.delete(tally.day);
    this.#frozen.set(tally.day, tally);
    this.#setStale(tally.day, tally.day);
  }

  thaw(day: Instant): void {
    this.#frozen.delete(day);
    this.#setStale(day, day);
  }

  frozen(day: Instant): DayTally | null {
    return this.#frozen.get(day) ?? null;
  }

  /** The counts of a whole day; `null` if nothing is stored for it. */
  of(day: Instant): DayTally | null {
    this.settle();
    return this.#settled(day);
  }

  /** The end of the longest validity of all checks before a day; the smallest possible time if there are none. */
  coveredBefore(day: Instant): Instant {
    this.settle();
    return this.#coveredBefore(this.#days.countBefore(day));
  }

  /** Returns a sum from the cache. Computes it only if a check in the range or before it has changed. */
  remembered(from: Instant, to: Instant, sum: () => Tally): Tally {
    this.settle();
    const sums = this.#sums.get(to) ?? new Map<Instant, Tally>();
    const known = sums.get(from);
    if (known !== undefined) return known;
    // The requests of one hour all have ranges with the same end. Other ranges are few, and are dropped soon.
    if (this.#sums.size >= MAX_REMEMBERED || sums.size >= MAX_REMEMBERED) this.#sums.clear();
    const tally = sum();
    this.#sums.set(to, sums.set(from, tally));
    return tally;
  }

  /** Recomputes the changed days, and the days after them as long as the coverage from earlier days differs. */
  settle(): void {
    if (this.#stale.size === 0) return;
    const [first, last] = [Math.min(...this.#stale), Math.max(...this.#stale)];
    for (const to of this.#sums.keys()) if (to > this.#staleSince) this.#sums.delete(to);
    for (let i = this.#days.countBefore(first); i < this.#days.length; i++) {
      const wasDerived = this.#derive(this.#days.at(i), this.#coveredBefore(i));
      if (!wasDerived && this.#days.at(i) > last) break;
    }
    this.#stale.clear();
    this.#staleSince = Infinity;
  }

  #setStale(day: Instant, since: Instant): void {
    this.#stale.add(day);
    this.#staleSince = Math.min(this.#staleSince, since);
  }

  #coveredBefore(index: number): Instant {
    return index === 0 ? Number.NEGATIVE_INFINITY : (this.#settled(this.#days.at(index - 1))?.coveredUntil ?? Number.NEGATIVE_INFINITY);
  }

  #settled(day: Instant): DayTally | null {
    return this.#frozen.get(day) ?? this.#derived.get(day)?.tally ?? null;
  }

  #derive(day: Instant, coveredBefore: Instant): boolean {
    const checks = this.#checksOf(day);
    if (checks === null || checks.length === 0) return false;
    const known = this.#derived.get(day);
    if (known?.coveredBefore === coveredBefore && !this.#stale.has(day)) return false;
    this.#derived.set(day, { tally: dayTallyOf(this.#serviceKey, checks, coveredBefore), coveredBefore });
    return true;
  }
}

/** @param coveredBefore the end of the longest validity of all checks before the day */
function dayTallyOf(serviceKey: string, checks: DayChecks, coveredBefore: Instant): DayTally {
  const { day } = checks;
  const builder = new TallyBuilder({ from: day, to: day + DAY }, Math.max(day, coveredBefore));
  let coveredUntil = coveredBefore;
  for (let i = 0; i < checks.length; i++) {
    const { state, validForMs } = checks.profileAt(i);
    builder.add(checks.timeAt(i), state, validForMs, checks.responseTimeAt(i));
    coveredUntil = Math.max(coveredUntil, checks.timeAt(i) + validForMs);
  }
  const [firstCheckedAt, lastCheckedAt] = [checks.timeAt(0), checks.timeAt(checks.length - 1)];
  return { kind: 'status-day', serviceKey, day, ...builder.tally(), firstCheckedAt, lastCheckedAt, coveredUntil };
}
