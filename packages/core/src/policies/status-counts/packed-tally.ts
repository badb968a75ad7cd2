import type { Instant } from '../../domain/shared/instant.js';
import type { Tally, TallyWindow } from '../../domain/status/day-tally.js';
import { BYTES_PER_BUCKET, LatencySum, NO_LATENCY, packBuckets } from '../../domain/status/latency.js';
import { addCounts, NO_CHECKS } from '../tally.js';

/** A tally of a time that starts at `from`, and the end of its coverage. */
export interface PackableTally extends Tally {
  readonly from: Instant;
  readonly coveredUntil: Instant;
}

/** Eight numbers of four bytes come first: five counts, coveredMs, coveredUntil minus `from`, longest response time. The buckets of response times follow. */
const NUMBERS = 8;
const MAX_NUMBER = 2 ** 32 - 1;
const [OPERATIONAL, DEGRADED, OUTAGE, MAINTENANCE, UNKNOWN, COVERED_MS, COVERED_FOR, LATENCY_MAX] = [0, 4, 8, 12, 16, 20, 24, 28];

/** Where the buckets of a packed tally start. */
export const TALLY_HEADER = NUMBERS * 4;

/**
 * Packs a tally, little-endian. `null` if a number does not fit: a count of more than four billion, or a coverage that ends before the time or weeks
 * after it.
 */
export function packTally({ from, counts, coveredMs, coveredUntil, latency: { buckets, max } }: PackableTally): Uint8Array | null {
  const { operational, degraded, outage, maintenance, unknown } = counts;
  const numbers = [operational, degraded, outage, maintenance, unknown, coveredMs, coveredUntil - from, max];
  const fits = (number: number): boolean => number >= 0 && number <= MAX_NUMBER;
  if (!numbers.every(fits) || !buckets.every(([, count]) => fits(count))) return null;
  const bytes = new Uint8Array(TALLY_HEADER + buckets.length * BYTES_PER_BUCKET);
  const view = new DataView(bytes.buffer);
  for (const [index, number] of numbers.entries()) view.setUint32(index * 4, number, true);
  bytes.set(packBuckets(buckets), TALLY_HEADER);
  return bytes;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The first numbers of the packed tally that begins at an index: five counts, coveredMs, and coveredUntil minus `from`. */
export function packedNumbers(view: DataView, at: number): readonly number[] {
  return [OPERATIONAL, DEGRADED, OUTAGE, MAINTENANCE, UNKNOWN, COVERED_MS, COVERED_FOR].map((offset) => view.getUint32(at + offset, true));
}

/** `coveredUntil` minus the start of the packed tally that begins at an index. */
export function coveredFor(view: DataView, at: number): number {
  return view.getUint32(at + COVERED_FOR, true);
}

/** Adds up tallies. */
export class TallySum {
  /** `null`: response times are left out. */
  readonly #latency: LatencySum | null;
  readonly #counts = { ...NO_CHECKS };
  #coveredMs = 0;

  constructor({ withoutLatency = false }: Pick<TallyWindow, 'withoutLatency'> = {}) {
    this.#latency = withoutLatency ? null : new LatencySum();
  }

  add({ counts, coveredMs, latency }: Tally): void {
    addCounts(this.#counts, counts);
    this.#coveredMs += coveredMs;
    this.#latency?.add(latency);
  }

  /** Adds what `packTally` has packed: the bytes from an index to before another. A year of days is added for each service, so this creates no objects. */
  addPacked(view: DataView, from: number, to: number): void {
    const counts = this.#counts;
    counts.operational += view.getUint32(from + OPERATIONAL, true);
    counts.degraded += view.getUint32(from + DEGRADED, true);
    counts.outage += view.getUint32(from + OUTAGE, true);
    counts.maintenance += view.getUint32(from + MAINTENANCE, true);
    counts.unknown += view.getUint32(from + UNKNOWN, true);
    this.#coveredMs += view.getUint32(from + COVERED_MS, true);
    this.#latency?.addMax(view.getUint32(from + LATENCY_MAX, true));
    this.#latency?.addPacked(view, from + TALLY_HEADER, to);
  }

  tally(): Tally {
    return { counts: { ...this.#counts }, coveredMs: this.#coveredMs, latency: this.#latency?.histogram() ?? NO_LATENCY };
  }
}
