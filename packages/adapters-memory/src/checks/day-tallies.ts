import { DAY, TallyBuilder, type DayTally, type Instant, type Tally } from '@vitrine/core';
import type { DayChecks } from './day-checks.js';
import type { SortedDays } from './sorted-days.js';

/** As many ends, and as many sums with one end, are remembered. */
const MAX_REMEMBERED = 32;

interface DerivedTally {
  readonly tally: DayTally;
  /** What the days before covered when it was derived. */
  readonly coveredBefore: Instant;
}

/** The counts of a service's days: derived from the raw checks when next read, stored for frozen days. */
export class DayTallies {
  readonly #serviceKey: string;
  readonly #days: SortedDays;
  readonly #checksOf: (day: Instant) => DayChecks | null;
  readonly #frozen = new Map<Instant, DayTally>();
  readonly #derived = new Map<Instant, DerivedTally>();
  readonly #stale = new Set<Instant>();
  /** The earliest change that is not derived from yet. */
  #staleSince: Instant = Infinity;
  /** Sums of stretches, by their end and then by their start. */
  readonly #sums = new Map<Instant, Map<Instant, Tally>>();

  constructor(serviceKey: string, days: SortedDays, checksOf: (day: Instant) => DayChecks | null) {
    this.#serviceKey = serviceKey;
    this.#days = days;
    this.#checksOf = checksOf;
  }

  /** The checks of a day are others, or gone. @param since the time of the first of them */
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

  /** The counts of a whole day; `null` when nothing is stored for it. */
  of(day: Instant): DayTally | null {
    this.settle();
    return this.#settled(day);
  }

  /** The end of the longest validity of all checks before the day; the earliest thinkable when there are none. */
  coveredBefore(day: Instant): Instant {
    this.settle();
    return this.#coveredBefore(this.#days.countBefore(day));
  }

  /** The sum of a stretch, made anew only when a check in it, or before it, has changed. */
  remembered(from: Instant, to: Instant, sum: () => Tally): Tally {
    this.settle();
    const sums = this.#sums.get(to) ?? new Map<Instant, Tally>();
    const known = sums.get(from);
    if (known !== undefined) return known;
    // Requests of one hour end with it; those of other hours are few and soon forgotten.
    if (this.#sums.size >= MAX_REMEMBERED || sums.size >= MAX_REMEMBERED) this.#sums.clear();
    const tally = sum();
    this.#sums.set(to, sums.set(from, tally));
    return tally;
  }

  /** Derives again what changed, and onward as long as a day before covers otherwise than it did. */
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
