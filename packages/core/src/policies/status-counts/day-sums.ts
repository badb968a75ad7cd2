import { DAY, type Instant } from '../../domain/shared/instant.js';
import type { Tally, Window } from '../../domain/status/day-tally.js';
import { mergeTallies } from '../tally.js';
import { DAY_TALLY_AT, isPackedLength, type DayTotals } from './packed-day.js';
import { coveredFor, TallySum, uint32At } from './packed-tally.js';
import { coverageAlone } from './part-tallies.js';

/** Adds up the days between two times. */
class SegmentSum extends TallySum {
  #tally: Tally | null = null;

  constructor(
    readonly from: Instant,
    readonly to: Instant,
  ) {
    super();
  }

  /** Call this when all days were added. */
  total(): Tally {
    this.#tally ??= this.tally();
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

  add({ day, coveredUntil, ...tally }: DayTotals): void {
    this.#cover(day, coveredUntil)?.add(tally);
  }

  /**
   * Adds a day that `packDay` has packed. Returns `false` if the bytes are invalid: then nothing is added.
   *
   * @param from the index of its first byte, if the bytes hold several days
   * @param to the index after its last byte
   */
  addPacked(bytes: Uint8Array, from = 0, to = bytes.byteLength): boolean {
    if (to > bytes.byteLength || !isPackedLength(to - from)) return false;
    const day = (uint32At(bytes, from) | 0) * DAY;
    const tallyAt = from + DAY_TALLY_AT;
    this.#cover(day, day + coveredFor(bytes, tallyAt))?.addPacked(bytes, tallyAt, to);
    return true;
  }

  /** The tally of one of the ranges. A day without checks may still be covered by the day before. */
  tallyOf(range: Window): Tally {
    const tallies = this.#segments.filter(({ from, to }) => from >= range.from && to <= range.to).map((segment) => segment.total());
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
    for (const segment of this.#segments) if (day >= segment.from && day < segment.to) return segment;
    return null;
  }
}

function endsOf(ranges: readonly Window[]): number[] {
  return [...new Set(ranges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
}
