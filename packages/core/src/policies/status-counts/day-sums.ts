import { DAY, type Instant } from '../../domain/shared/instant.js';
import type { Tally, Window } from '../../domain/status/day-tally.js';
import { LatencySum } from '../../domain/status/latency.js';
import { SERVICE_STATES } from '../../domain/status/service-state.js';
import { mergeTallies, NO_CHECKS } from '../tally.js';
import { BUCKETS_AT, unpackTotals, type DayTotals } from './packed-day.js';
import { coverageAlone } from './part-tallies.js';

/** Adds up the days between two times. */
class SegmentSum {
  readonly latency = new LatencySum();
  readonly #counts = { ...NO_CHECKS };
  #coveredMs = 0;
  #tally: Tally | null = null;

  constructor(
    readonly from: Instant,
    readonly to: Instant,
  ) {}

  add({ counts, coveredMs }: Pick<DayTotals, 'counts' | 'coveredMs'>): void {
    for (const state of SERVICE_STATES) this.#counts[state] += counts[state];
    this.#coveredMs += coveredMs;
  }

  /** Call this when all days were added. */
  tally(): Tally {
    this.#tally ??= { counts: this.#counts, coveredMs: this.#coveredMs, latency: this.latency.histogram() };
    return this.#tally;
  }
}

/** Sums of the stored days of one service. Add every stored day from the day before the first range to the end of the last one. */
export class DaySums {
  /** Time, split at all ends of the ranges, so that each range is made of whole segments. */
  readonly #segments: readonly SegmentSum[];
  /** The numbers of the days that were added. */
  readonly #days = new Set<number>();
  /** For each day whose coverage reaches into the next one: the number of that next day, and the end of the coverage. */
  readonly #spills: (readonly [number: number, until: Instant])[] = [];

  /** @param ranges of whole days */
  constructor(ranges: readonly Window[]) {
    this.#segments = endsOf(ranges).flatMap((to, index, ends) => (index === 0 ? [] : [new SegmentSum(ends[index - 1] ?? to, to)]));
  }

  add({ day, coveredUntil, latency, ...totals }: DayTotals): void {
    const segment = this.#cover(day, coveredUntil);
    segment?.add(totals);
    for (const [bucket, count] of latency.buckets) segment?.latency.addBucket(bucket, count);
    segment?.latency.addMax(latency.max);
  }

  /** Adds a day that `packDay` has packed. Returns `false` if the bytes are invalid: then nothing is added. */
  addPacked(bytes: Uint8Array): boolean {
    const totals = unpackTotals(bytes);
    if (totals === null) return false;
    const segment = this.#cover(totals.day, totals.coveredUntil);
    segment?.add(totals);
    segment?.latency.addPacked(bytes, BUCKETS_AT);
    segment?.latency.addMax(totals.latencyMax);
    return true;
  }

  /** The tally of one of the ranges. A day without checks may still be covered by the day before. */
  tallyOf(range: Window): Tally {
    const tallies = this.#segments.filter(({ from, to }) => from >= range.from && to <= range.to).map((segment) => segment.tally());
    for (const [number, until] of this.#spills) {
      if (this.#days.has(number)) continue;
      const day = { from: number * DAY, to: (number + 1) * DAY };
      if (day.from >= range.from && day.to <= range.to) tallies.push(coverageAlone(day, until));
    }
    return mergeTallies(tallies);
  }

  /** The segment of a day; `null` if the day is before the ranges: then only its coverage counts. */
  #cover(day: Instant, coveredUntil: Instant): SegmentSum | null {
    const number = Math.floor(day / DAY);
    this.#days.add(number);
    if (coveredUntil > day + DAY) this.#spills.push([number + 1, coveredUntil]);
    return this.#segments.find(({ from, to }) => day >= from && day < to) ?? null;
  }
}

function endsOf(ranges: readonly Window[]): number[] {
  return [...new Set(ranges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
}
