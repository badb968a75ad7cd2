import { DAY } from '../../domain/shared/instant.js';
import type { DayTally } from '../../domain/status/day-tally.js';
import { BYTES_PER_BUCKET } from '../../domain/status/latency.js';
import { packTally, TALLY_HEADER } from './packed-tally.js';

/** The fields of a stored day that are added up. */
export type DayTotals = Pick<DayTally, 'day' | 'counts' | 'coveredMs' | 'latency' | 'coveredUntil'>;

/** The number of the day in four bytes comes first. The packed tally begins after it. */
export const DAY_TALLY_AT = 4;

/** The first bytes of a packed day are a packed day without response times. */
export const PACKED_BYTES_WITHOUT_LATENCY = DAY_TALLY_AT + TALLY_HEADER;

/**
 * Packs the totals of a day into a few hundred bytes, little-endian, so that a store can read the days of a year as one column. `null` if a number does
 * not fit: a count of more than four billion, or a coverage that ends before the day or weeks after it. Then add up the fields themselves.
 */
export function packDay({ day, ...totals }: DayTotals): Uint8Array | null {
  const tally = packTally({ from: day, ...totals });
  if (tally === null) return null;
  const bytes = new Uint8Array(DAY_TALLY_AT + tally.byteLength);
  new DataView(bytes.buffer).setInt32(0, day / DAY, true);
  bytes.set(tally, DAY_TALLY_AT);
  return bytes;
}

/** Whether a number of bytes can be that of a packed day. */
export function isPackedLength(length: number): boolean {
  const rest = length - DAY_TALLY_AT - TALLY_HEADER;
  return rest >= 0 && rest % BYTES_PER_BUCKET === 0;
}
