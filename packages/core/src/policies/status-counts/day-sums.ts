import { DAY, type Instant } from '../../domain/shared/instant.js';
import type { Tally, Window } from '../../domain/status/day-tally.js';
import { mergeTallies } from '../tally.js';
import { coverageAlone } from './part-tallies.js';

/** The sum of a service's stored days in one segment. */
export interface DaySum {
  /** The index of the segment. */
  readonly segment: number;
  readonly tally: Tally;
  /** For each day in the sum, the end of its coverage. */
  readonly coveredUntil: ReadonlyMap<Instant, Instant>;
}

/**
 * Splits time at all ends of the given ranges of whole days, so that each range is made of whole segments: add up the stored days of each segment. The first
 * segment is the day before the first range, whose coverage may reach into it.
 */
export function segmentsOf(ranges: readonly Window[]): readonly Window[] {
  const ends = [...new Set(ranges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const starts = [...ends.slice(0, 1).map((first) => first - DAY), ...ends.slice(0, -1)];
  return starts.map((from, index) => ({ from, to: ends[index] ?? from }));
}

/** The sums of one service. */
export class DaySums {
  readonly #segments: readonly Window[];
  readonly #tallies = new Map<Instant, Tally>();
  readonly #coveredUntil = new Map<Instant, Instant>();

  /** @param segments from `segmentsOf` */
  constructor(segments: readonly Window[]) {
    this.#segments = segments;
  }

  add({ segment, tally, coveredUntil }: DaySum): void {
    const { from } = this.#segments[segment] ?? { from: NaN };
    this.#tallies.set(from, tally);
    for (const [day, until] of coveredUntil) this.#coveredUntil.set(day, until);
  }

  /** The tally of a range of whole days. A day without checks may still be covered by the day before. */
  tallyOf(days: Window): Tally {
    const inside = this.#segments.filter(({ from, to }) => from >= days.from && to <= days.to);
    const tallies = inside.flatMap(({ from }) => this.#tallies.get(from) ?? []);
    for (let day = days.from; day < days.to; day += DAY) {
      const until = this.#coveredUntil.get(day - DAY);
      if (until !== undefined && !this.#coveredUntil.has(day)) tallies.push(coverageAlone({ from: day, to: day + DAY }, until));
    }
    return mergeTallies(tallies);
  }
}
