import { DAY, type Instant } from '../../domain/shared/instant.js';
import type { Tally, TallyWindow } from '../../domain/status/day-tally.js';
import { mergeTallies } from '../tally.js';
import { NEVER_COVERED } from './counted-day.js';
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

/** Sums of the stored days of one service. Add the last stored day before the first range, and then every stored day to the end of the last range. */
export class DaySums {
  /** Time, split at all ends of the ranges, so that each range is made of whole segments. */
  readonly #segments: readonly SegmentSum[];
  /** The number of the day before the ranges. The next two lists start with it. */
  readonly #first: number;
  /** Whether a day was added. */
  readonly #isAdded: Uint8Array;
  /** For each day, the end of its coverage and of that of all days before, if it reaches beyond the day; 0 otherwise. */
  readonly #spills: Float64Array;
  #isSpread = false;
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

  /** Adds only the coverage of a day: of the last stored one before the first range. */
  addCoverage(day: Instant, coveredUntil: Instant): void {
    this.#cover(day, coveredUntil);
  }

  /** Whether the day before the first range was added. */
  get hasDayBefore(): boolean {
    return this.#isAdded[0] === 1;
  }

  /** The start of the first range. */
  get from(): Instant {
    return (this.#first + 1) * DAY;
  }

  /** Whether a day is not before the first range, and not after the end of the last one. */
  reaches(day: Instant): boolean {
    const index = numberOf(day) - 1 - this.#first;
    return index >= 0 && index < this.#spills.length;
  }

  /**
   * The end of the coverage of all days before a day that the sums reach, if it is in that day or later; otherwise a time before all others. Call this when all days
   * were added.
   */
  coveredBefore(day: Instant): Instant {
    this.#spread();
    const until = this.#spills[numberOf(day) - 1 - this.#first] ?? 0;
    return until === 0 ? NEVER_COVERED : until;
  }

  /** The tally of one of the ranges. A day without checks may still be covered by the days before. Call this when all days were added. */
  tallyOf(range: TallyWindow): Tally {
    this.#spread();
    const tallies = this.#segments.filter(({ from, to }) => from >= range.from && to <= range.to).map((segment) => segment.total());
    for (let index = numberOf(range.from) - 1 - this.#first; index < numberOf(range.to) - 1 - this.#first; index++) {
      const until = this.#spills[index] ?? 0;
      if (until === 0 || this.#isAdded[index + 1] === 1) continue;
      const from = (this.#first + index + 1) * DAY;
      tallies.push(coverageAlone({ from, to: from + DAY }, until));
    }
    return mergeTallies(tallies, range);
  }

  /** The coverage of a day without checks is that of the day before. */
  #spread(): void {
    if (this.#isSpread) return;
    this.#isSpread = true;
    for (let index = 1; index < this.#spills.length; index++) {
      const until = this.#spills[index - 1] ?? 0;
      if (this.#isAdded[index] === 0 && until > (this.#first + index + 1) * DAY) this.#spills[index] = until;
    }
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
    // Of an earlier day, only the coverage of the ranges counts.
    const spilling = Math.max(index, 0);
    this.#spills[spilling] = coveredUntil > (this.#first + spilling + 1) * DAY ? coveredUntil : 0;
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
