import { DAY, startOfHour, type Instant } from '../domain/shared/instant.js';
import type { Window } from '../domain/status/status-day.js';
import type { UptimeFigure } from '../domain/status/service-status.js';
import type { ServiceState, StateCounts } from '../domain/status/service-state.js';

/** The last `days` × 24 hours, from the start of an hour on. So the stored hours and days make up all of it but the present hour. */
export function uptimeWindow(days: number, now: Instant): Window {
  return { from: startOfHour(now) - days * DAY, to: now };
}

/** The number of checks that count for uptime. */
export function ratedChecks(counts: StateCounts): number {
  return counts.operational + counts.degraded + counts.outage;
}

/** The percentage of rated checks that were up, and the number of rated checks. Exact up to 10^11 checks. */
export function uptimeOf(counts: StateCounts): UptimeFigure {
  const rated = ratedChecks(counts);
  return { uptimePercent: uptimePercent(counts.operational + counts.degraded, rated), checksTracked: rated };
}

/** Two decimals, half rounded away from zero. Never 100 if a check failed, never 0 if one was up; `null` if there are no rated checks. */
function uptimePercent(up: number, rated: number): number | null {
  if (rated === 0) return null;
  const hundredths = roundedHundredths(up, rated);
  if (up < rated && hundredths === 10_000) return 99.99;
  return up > 0 && hundredths === 0 ? 0.01 : hundredths / 100;
}

/**
 * The percentage of a period during which a check was valid, with two decimals. Below 100 unless complete; `null` if the length is zero.
 *
 * @param coveredMs milliseconds covered, at most `lengthMs`
 */
export function coveragePercent(coveredMs: number, lengthMs: number): number | null {
  if (lengthMs <= 0) return null;
  const hundredths = roundedHundredths(coveredMs, lengthMs);
  return coveredMs < lengthMs && hundredths === 10_000 ? 99.99 : hundredths / 100;
}

/** 10,000 x part / whole, rounded half up, with exact integers. */
function roundedHundredths(part: number, whole: number): number {
  return Math.floor((20_000 * part + whole) / (2 * whole));
}

/** The state of a day: the worst rated state. If there is none: maintenance if there was any, otherwise unknown. */
export function stateOfDay({ outage, degraded, operational, maintenance }: StateCounts): ServiceState {
  // A page asks for thousands of days, so this makes no closure.
  if (outage > 0) return 'outage';
  if (degraded > 0) return 'degraded';
  if (operational > 0) return 'operational';
  return maintenance > 0 ? 'maintenance' : 'unknown';
}
