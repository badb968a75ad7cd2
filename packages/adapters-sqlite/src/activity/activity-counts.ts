import { DAY, type Instant } from '@vitrine/core';

/** The kinds of records that are counted by day. */
export const COUNTED_KINDS = ['commit', 'release'] as const;
export type CountedKind = (typeof COUNTED_KINDS)[number];

/** How many days one row holds: a year is in few rows, and a change rewrites few bytes. */
const DAYS_PER_ROW = 64;

/** For each day of a row that has records: the number of the day since 1970, and the number of records, each in four bytes. */
const ENTRY_BYTES = 8;

/** The UTC day of a time, as its number since 1970. */
export function dayNumberOf(time: Instant): number {
  return Math.floor(time / DAY);
}

/** The row that a day is in. */
export function rowNumberOf(dayNumber: number): number {
  return Math.floor(dayNumber / DAYS_PER_ROW);
}

/** Calls `add` for each day in the bytes of one or more rows. */
export function eachCount(bytes: Uint8Array, add: (dayNumber: number, count: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < view.byteLength; at += ENTRY_BYTES) add(view.getInt32(at), view.getUint32(at + 4));
}

/** The bytes of a row, in the order of the days. Days without records take no space. */
export function packCounts(counts: ReadonlyMap<number, number>): Uint8Array {
  const days = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const view = new DataView(new ArrayBuffer(days.length * ENTRY_BYTES));
  for (const [index, [dayNumber, count]] of days.entries()) {
    view.setInt32(index * ENTRY_BYTES, dayNumber);
    view.setUint32(index * ENTRY_BYTES + 4, count);
  }
  return new Uint8Array(view.buffer);
}
