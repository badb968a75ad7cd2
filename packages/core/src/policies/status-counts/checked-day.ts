import type { Instant } from '../../domain/shared/instant.js';
import type { Tally } from '../../domain/status/status-day.js';

/** A UTC day of a service whose raw checks are stored, in short. */
export interface CheckedDay {
  /** Start of the UTC day. */
  readonly day: Instant;
  /** The number of checks with the state `outage`. */
  readonly outages: number;
  /** Changes whenever a check of the day is added, removed, or replaced by one with another state. It may change without that. */
  readonly version: string;
}

/** `null` if the day has no check. */
export function checkedDayOf({
  day,
  counts,
  coveredMs,
  outageMs,
  degradedMs,
  changedAt,
}: Omit<Tally, 'latency'> & { readonly day: Instant }): CheckedDay | null {
  const { operational, degraded, outage, maintenance, unknown } = counts;
  if (operational + degraded + outage + maintenance + unknown === 0) return null;
  const numbers = [operational, degraded, outage, maintenance, unknown, coveredMs, outageMs, degradedMs, changedAt === null ? null : changedAt - day];
  return { day, outages: outage, version: numbers.map((number) => number?.toString(36) ?? '').join('.') };
}
