import { DAY, HOUR, MINUTE } from '@vitrine/core';

/** A source that fails is tried at least this often, so that it recovers without a restart. */
const LONGEST_MS = HOUR;
/** No server may ask for a longer pause. */
const LONGEST_ASKED_MS = DAY;
/** The share by which a pause is shortened at random, so that sources that failed together are not tried together. */
const JITTER = 0.2;
/** A pause that a server asks for is longer by up to this much, for the same reason. */
const ASKED_JITTER_MS = MINUTE;
/** The first failure changes nothing, because most failures are over at the next run. */
const DOUBLINGS_FROM = 2;
const MOST_DOUBLINGS = 20;

/**
 * How long to wait from the start of a run to the next one, in milliseconds. From the second failure in a row, the interval is doubled with each failure, up to an hour. A server that asks to
 * wait longer (`retryAfterMs` of the error) is obeyed, up to a day.
 *
 * @param failures in a row; 0 for a source that is not remote, because people who repair a file do not want to wait
 * @param chance from 0 to 1
 */
export function pauseAfter(intervalMs: number, failures: number, error: unknown, chance: number): number {
  const doublings = Math.min(MOST_DOUBLINGS, Math.max(0, failures - DOUBLINGS_FROM + 1));
  const longest = Math.max(intervalMs, LONGEST_MS);
  const pause = Math.min(longest, intervalMs * 2 ** doublings);
  const shortened = doublings === 0 ? pause : Math.max(intervalMs, pause * (1 - JITTER * chance));
  const asked = askedBy(error);
  return Math.max(shortened, asked === 0 ? 0 : Math.min(LONGEST_ASKED_MS, asked + ASKED_JITTER_MS * chance));
}

function askedBy(error: unknown): number {
  const asked: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'retryAfterMs') : null;
  return typeof asked === 'number' && asked > 0 ? asked : 0;
}
