import { DAY, type Instant } from '../../domain/shared/instant.js';
import type { DayTally } from '../../domain/status/day-tally.js';
import { BYTES_PER_BUCKET, packBuckets } from '../../domain/status/latency.js';
import type { StateCounts } from '../../domain/status/service-state.js';

/** The fields of a stored day that are added up. */
export type DayTotals = Pick<DayTally, 'day' | 'counts' | 'coveredMs' | 'latency' | 'coveredUntil'>;

/** The totals of a packed day. Its buckets of response times begin at `BUCKETS_AT`. */
export interface PackedTotals {
  readonly day: Instant;
  readonly counts: StateCounts;
  readonly coveredMs: number;
  readonly coveredUntil: Instant;
  /** The longest response time in milliseconds. */
  readonly latencyMax: number;
}

/** Nine numbers of four bytes come first: day, five counts, coveredMs, coveredUntil minus day, longest response time. */
export const BUCKETS_AT = 9 * 4;
const MAX_NUMBER = 2 ** 32 - 1;

/**
 * Packs the totals of a day into a few hundred bytes, little-endian, so that a store can read the days of a year as one column. `null` if a number does
 * not fit: a count of more than four billion, or a coverage that ends before the day or weeks after it. Then add up the fields themselves.
 */
export function packDay({ day, counts, coveredMs, coveredUntil, latency: { buckets, max } }: DayTotals): Uint8Array | null {
  const { operational, degraded, outage, maintenance, unknown } = counts;
  const numbers = [operational, degraded, outage, maintenance, unknown, coveredMs, coveredUntil - day, max];
  const fits = (number: number): boolean => number >= 0 && number <= MAX_NUMBER;
  if (!numbers.every(fits) || !buckets.every(([, count]) => fits(count))) return null;
  const bytes = new Uint8Array(BUCKETS_AT + buckets.length * BYTES_PER_BUCKET);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, day / DAY, true);
  for (const [index, number] of numbers.entries()) view.setUint32(4 + index * 4, number, true);
  bytes.set(packBuckets(buckets), BUCKETS_AT);
  return bytes;
}

/** `null` if the bytes cannot be the result of `packDay`. */
export function unpackTotals(bytes: Uint8Array): PackedTotals | null {
  if (bytes.byteLength < BUCKETS_AT || (bytes.byteLength - BUCKETS_AT) % BYTES_PER_BUCKET !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (index: number): number => view.getUint32(index * 4, true);
  const day = view.getInt32(0, true) * DAY;
  const counts = { operational: number(1), degraded: number(2), outage: number(3), maintenance: number(4), unknown: number(5) };
  return { day, counts, coveredMs: number(6), coveredUntil: day + number(7), latencyMax: number(8) };
}
