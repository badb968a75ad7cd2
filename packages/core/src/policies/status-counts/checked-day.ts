import { DAY, type Instant } from '../../domain/shared/instant.js';
import { DAY_TALLY_AT, isPackedLength, type DayTotals } from './packed-day.js';
import { packedNumbers, viewOf } from './packed-tally.js';

/** A UTC day of a service whose raw checks are stored, in short. */
export interface CheckedDay {
  /** Start of the UTC day. */
  readonly day: Instant;
  /** The number of checks with the state `outage`. */
  readonly outages: number;
  /** Changes whenever a check of the day is added, removed, or replaced by one with another state. It may change without that. */
  readonly version: string;
}

export function checkedDayOf({ day, counts, coveredMs, coveredUntil }: DayTotals): CheckedDay {
  const { operational, degraded, outage, maintenance, unknown } = counts;
  return shortDay(day, [operational, degraded, outage, maintenance, unknown, coveredMs, coveredUntil - day]);
}

/** The same of a day that `packDay` has packed; `null` if the bytes are invalid. */
export function checkedDayOfPacked(bytes: Uint8Array): CheckedDay | null {
  if (!isPackedLength(bytes.byteLength)) return null;
  const view = viewOf(bytes);
  return shortDay(view.getInt32(0, true) * DAY, packedNumbers(view, DAY_TALLY_AT));
}

/** @param numbers the counts in the order of packed tallies, and how much is covered and for how long */
function shortDay(day: Instant, numbers: readonly number[]): CheckedDay {
  return { day, outages: numbers[OUTAGES] ?? 0, version: numbers.map((number) => number.toString(RADIX)).join('.') };
}

const OUTAGES = 2;
const RADIX = 36;
