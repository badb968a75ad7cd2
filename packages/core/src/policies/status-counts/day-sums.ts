import { DAY, type Instant } from '../../domain/shared/instant.js';
import type { Tally, TallyWindow } from '../../domain/status/day-tally.js';
import { mergeTallies } from '../tally.js';
import { DAY_TALLY_AT, isPackedLength, type DayTotals } from './packed-day.js';
import { coveredFor, TallySum, viewOf } from './packed-tally.js';
import { coverageAlone } from './part-tallies.js';

/** Adds up the days between two times. */
class SegmentSum extends TallySum {
  #tally: Tally | null = null;

  constructor(
    readonly from: Instant,
    readonly to: Instant,
    ranges: readonly TallyWindow[],
  ) {
    super({ withoutLatency: ranges.every((range) => range.withoutLatency === true || range.from >= to || range.to <= from) });
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
  /** The number of the day before the ranges. The next two lists start with it. */
  readonly #first: number;
  /** Whether a day was added. */
  readonly #isAdded: Uint8Array;
  /** For each day whose coverage reaches into the next one, the end of the coverage; 0 for other days. */
  readonly #spills: Float64Array;
  /** Days come in order, so the next day is nearly always in the same segment. */
  #segment: SegmentSum | null = null;

  /** @param ranges of whole days */
  constructor(ranges: readonly TallyWindow[]) {
    const ends = endsOf(ranges);
    this.#segments = ends.flatMap((to, index) => (index === 0 ? [] : [new SegmentSum(ends[index - 1] ?? to, to, ranges)]));
    this.#first = numberOf(ends[0] ?? 0) - 1;
    const days = numberOf(ends.at(-1) ?? 0) - this.#first;
    this.#isAdded = new Uint8Array(days + 1);
    this.#spills = new Float64Array(days);
  }

  add({ day, coveredUntil, ...tally }: DayTotals): void {
    this.#cover(day, coveredUntil)?.add(tally);
  }

  /** Adds a day that `packDay` has packed. Returns `false` if the bytes are invalid: then nothing is added. */
  addPacked(bytes: Uint8Array): boolean {
    return this.#addPacked(viewOf(bytes), 0, bytes.byteLength);
  }

  /**
   * Adds packed days that follow each other without a gap. Invalid ones are left out.
   *
   * @param lengths the number of bytes of each day
   */
  addAllPacked(bytes: Uint8Array, lengths: Iterable<number>): void {
    const view = viewOf(bytes);
    let from = 0;
    for (const length of lengths) {
      this.#addPacked(view, from, from + length);
      from += length;
    }
  }

  /** The tally of one of the ranges. A day without checks may still be covered by the day before. */
  tallyOf(range: TallyWindow): Tally {
    const tallies = this.#segments.filter(({ from, to }) => from >= range.from && to <= range.to).map((segment) => segment.total());
    for (let index = numberOf(range.from) - 1 - this.#first; index < numberOf(range.to) - 1 - this.#first; index++) {
      const until = this.#spills[index] ?? 0;
      if (until === 0 || this.#isAdded[index + 1] === 1) continue;
      const from = (this.#first + index + 1) * DAY;
      tallies.push(coverageAlone({ from, to: from + DAY }, until));
    }
    return mergeTallies(tallies, range);
  }

  #addPacked(view: DataView, from: number, to: number): boolean {
    if (to > view.byteLength || !isPackedLength(to - from)) return false;
    const day = view.getInt32(from, true) * DAY;
    const tallyAt = from + DAY_TALLY_AT;
    this.#cover(day, day + coveredFor(view, tallyAt))?.addPacked(view, tallyAt, to);
    return true;
  }

  /** The segment of a day; `null` if the day is outside the ranges: then only its coverage counts. */
  #cover(day: Instant, coveredUntil: Instant): SegmentSum | null {
    const index = numberOf(day) - this.#first;
    this.#isAdded[index] = 1;
    if (coveredUntil > day + DAY) this.#spills[index] = coveredUntil;
    if (this.#segment === null || day < this.#segment.from || day >= this.#segment.to)
      this.#segment = this.#segments.find(({ from, to }) => day >= from && day < to) ?? null;
    return this.#segment;
  }
}

function numberOf(day: Instant): number {
  return Math.floor(day / DAY);
}

function endsOf(ranges: readonly TallyWindow[]): number[] {
  return [...new Set(ranges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
}
