import { DAY, HOUR, startOfDay, startOfHour, type Instant } from '../../domain/shared/instant.js';
import type { Check } from '../../domain/status/check.js';
import { NO_LATENCY } from '../../domain/status/latency.js';
import type { Tally, TallyWindow, Window } from '../../domain/status/day-tally.js';
import { countedAt, mergeTallies, NO_CHECKS, TallyBuilder } from '../tally.js';
import { NEVER_COVERED, storedBefore, type CountedDay } from './counted-day.js';
import type { LatestState } from './latest-state.js';
import { PackedHours } from './packed-hours.js';

/** The fields of a stored day that are needed for its hours; or its packed hours, which are decoded only as far as they are needed. */
export type DayHours = Pick<CountedDay, 'hours' | 'coveredUntil'> | PackedHours;
/** The stored days of one service, by their start. */
export type HoursByDay = ReadonlyMap<Instant, DayHours>;
/** The fields of a stored check that are counted. */
export type RawCheck = Pick<Check, 'checkedAt' | 'state' | 'validForMs' | 'responseTimeMs'>;

/** The checks of one hour in time order, and the end of the longest validity of all checks before it. */
export interface RawHour {
  readonly coveredBefore: Instant;
  readonly checks: readonly RawCheck[];
}

/** The coverage of a time range without checks. */
export function coverageAlone({ from, to }: Window, coveredUntil: Instant): Tally {
  return { counts: NO_CHECKS, coveredMs: Math.max(0, Math.min(coveredUntil, to) - from), latency: NO_LATENCY };
}

/** The tally of whole hours of one day. */
export function tallyOfHours(days: HoursByDay, window: TallyWindow): Tally {
  const day = startOfDay(window.from);
  const stored = days.get(day);
  if (stored === undefined) return coverageAlone(window, coveredBeforeDay(days, day));
  if (stored instanceof PackedHours) return stored.tallyOf(window);
  const hours = stored.hours.filter(({ hour }) => day + hour * HOUR >= window.from && day + hour * HOUR < window.to);
  return mergeTallies(hours, window);
}

/** The end of the longest validity of all checks before an hour. */
export function coveredBefore(days: HoursByDay, hour: Instant): Instant {
  const day = startOfDay(hour);
  return coveredInDay(days.get(day), day, hour) ?? coveredBeforeDay(days, day);
}

function coveredBeforeDay(days: HoursByDay, day: Instant): Instant {
  return storedBefore(day, (other) => days.get(other))?.coveredUntil ?? NEVER_COVERED;
}

function coveredInDay(stored: DayHours | undefined, day: Instant, hour: Instant): Instant | null {
  if (stored instanceof PackedHours) return stored.coveredBefore(hour);
  return stored?.hours.findLast((other) => day + other.hour * HOUR < hour)?.coveredUntil ?? null;
}

/** The tally of a time range from raw checks. The raw checks start at the beginning of an hour. */
export function tallyOfRaw(raw: RawHour, window: Window, now: Instant): Tally {
  const builder = new TallyBuilder(window, Math.max(window.from, raw.coveredBefore));
  for (const { checkedAt, state, validForMs, responseTimeMs } of raw.checks) {
    const at = countedAt(checkedAt, now);
    if (at === null) break;
    builder.add(at, state, validForMs, responseTimeMs);
  }
  return builder.tally();
}

/**
 * From this time on, the latest state describes a service's history, or raw checks if some checks are in the future. It is always the start of an
 * hour.
 */
export function boundaryOf({ lastCheckedAt, hour }: LatestState, now: Instant): Instant {
  if (lastCheckedAt > now) return startOfHour(now);
  return hour === null ? startOfDay(lastCheckedAt) + DAY : startOfHour(lastCheckedAt);
}

/** The tally of the part of a window that is after the boundary; `null` if raw checks are needed. */
export function tallyOfLatest(latest: LatestState, boundary: Instant, window: Window, now: Instant): Tally | null {
  const { hour, lastCheckedAt, coveredUntil } = latest;
  if (lastCheckedAt > now) return null;
  const open = { from: Math.max(window.from, boundary), to: window.to };
  if (hour === null || window.from > lastCheckedAt) return coverageAlone(open, coveredUntil);
  if (window.from > boundary || window.to < lastCheckedAt) return null;
  // After the last check there is at most one covered range.
  const coveredAfter = (until: Instant): number => Math.min(coveredUntil, until) - lastCheckedAt;
  return { counts: hour.counts, latency: hour.latency, coveredMs: hour.coveredMs - coveredAfter(boundary + HOUR) + coveredAfter(window.to) };
}
