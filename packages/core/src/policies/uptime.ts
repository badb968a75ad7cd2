import type { UptimeFigure } from '../domain/status/service-status.js';
import type { ServiceState, StateCounts } from '../domain/status/service-state.js';

/** Checks that say whether a service was up. */
export function ratedChecks(counts: StateCounts): number {
  return counts.operational + counts.degraded + counts.outage;
}

/** Percentage of rated checks that were up, and how many there were. Exact in integers up to 10^11 checks. */
export function uptimeOf(counts: StateCounts): UptimeFigure {
  const rated = ratedChecks(counts);
  return { uptimePercent: uptimePercent(counts.operational + counts.degraded, rated), checksTracked: rated };
}

/** Two decimals, half away from zero; never 100 while a check failed, never 0 while one was up, `null` when nothing is rated. */
function uptimePercent(up: number, rated: number): number | null {
  if (rated === 0) return null;
  const hundredths = roundedHundredths(up, rated);
  if (up < rated && hundredths === 10_000) return 99.99;
  return up > 0 && hundredths === 0 ? 0.01 : hundredths / 100;
}

/**
 * Share of a stretch that lies inside the validity of some check, two decimals; under 100 unless complete, `null` at zero length.
 *
 * @param coveredMs milliseconds covered, at most `lengthMs`
 */
export function coveragePercent(coveredMs: number, lengthMs: number): number | null {
  if (lengthMs <= 0) return null;
  const hundredths = roundedHundredths(coveredMs, lengthMs);
  return coveredMs < lengthMs && hundredths === 10_000 ? 99.99 : hundredths / 100;
}

/** 10,000 x part / whole, rounded half up, in exact integer steps. */
function roundedHundredths(part: number, whole: number): number {
  return Math.floor((20_000 * part + whole) / (2 * whole));
}

/** A day's state: the worst rated one, else maintenance, else unknown. */
export function stateOfDay(counts: StateCounts): ServiceState {
  const states = ['outage', 'degraded', 'operational', 'maintenance'] as const;
  return states.find((state) => counts[state] > 0) ?? 'unknown';
}
