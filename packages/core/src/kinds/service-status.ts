import type { Check, ServiceState, StateCounts } from './check.js';
import type { Incident } from './incident.js';
import type { Instant } from './instant.js';
import type { LatencySummary } from './latency.js';
import type { Provenance } from './provenance.js';
import type { Tally } from './status-day.js';

/** The published windows and their lengths in days. */
export const UPTIME_WINDOWS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
export type UptimeWindowName = keyof typeof UPTIME_WINDOWS;
/** The window of `uptimePercent`, in days. */
export const UPTIME_WINDOW_DAYS = 90;

export interface UptimeFigure {
  /** 0 to 100 with at most two decimals; `null` if no rated check is stored. */
  readonly uptimePercent: number | null;
  /** Rated checks: operational, degraded, outage. */
  readonly checksTracked: number;
}

/** What one UTC day of a service was like. `PeriodStatus` tells more of it. */
export interface DayFigures {
  /** The worst of its rated checks and of what lasted into it, else maintenance, else `unknown`. */
  readonly state: ServiceState;
  /** Milliseconds in outage; `null` if that is not known, or nothing is stored. */
  readonly outageMs: number | null;
  /** The same for degraded. */
  readonly degradedMs: number | null;
  /** The rated checks of the day. */
  readonly checks: number;
  /** Those that found an outage. */
  readonly failed: number;
}

/** Days of services that have ended, by service key and start, without those of which nothing is stored. */
export type PastDays = ReadonlyMap<string, ReadonlyMap<Instant, DayFigures>>;

/** The last days of services. */
export interface LastDays {
  /** The present day until now, by service key. A service that was never checked is absent. */
  readonly today: ReadonlyMap<string, DayFigures>;
  readonly past: PastDays;
}

export interface ServiceStatus extends UptimeFigure {
  readonly key: string;
  readonly displayName: string;
  readonly currentState: ServiceState;
  /** Since when the service has its present state; `null` if it was never checked. */
  readonly stateSince: Instant | null;
  /** The `rawState` of the check that decides the present state; `null` if no check is valid. */
  readonly stateReason: string | null;
  readonly healthUrl: string;
  readonly lastCheckedAt: Instant | null;
  readonly trackedFrom: Instant | null;
  readonly provenance: Provenance;
  readonly lastKnownState: ServiceState | null;
  readonly checks: StateCounts;
  /** 0 to 100 with at most two decimals; `null` while the service has no checks. */
  readonly coveragePercent: number | null;
  readonly windows: Readonly<Record<UptimeWindowName, UptimeFigure>>;
  /** The uptime of all stored checks and daily counts. */
  readonly sinceStart: UptimeFigure;
  readonly responseTimeMs: LatencySummary | null;
  /** See `ServiceEvidence`; empty if it was never checked. */
  readonly recentMs: readonly (number | null)[];
  /** Whether somebody else runs the service. Then it does not count in the overall state. */
  readonly dependency: boolean;
  /** `null`: the service is in no group. */
  readonly group: string | null;
  /** Its place among the services, see `Service`; `null`: it has none. */
  readonly order: number | null;
  /** One check of each source, see `decidingChecks`. Those that are still valid decide `currentState`. */
  readonly evidence: readonly Check[];
}

export interface ServiceMonth extends UptimeFigure {
  /** Start of the month. */
  readonly month: Instant;
  /** Milliseconds in outage; `null` if that is not known. */
  readonly outageMs: number | null;
}

export interface ServiceDetail extends ServiceStatus {
  /** The present month and the eleven before it, newest first, without those before the first check. */
  readonly months: readonly ServiceMonth[];
}

export interface StatusOverview {
  readonly overallState: ServiceState;
  readonly services: readonly ServiceStatus[];
  readonly incidents: { readonly current: readonly Incident[]; readonly historicalAvailable: boolean };
  /** The time of the newest counted check of all services; `null` if there is none. */
  readonly observedAt: Instant | null;
}

/** One UTC day, or one hour, of a service's history. */
export interface PeriodStatus {
  /** Start of the day or hour. */
  readonly start: Instant;
  /** The worst rated state. If there is none: maintenance if there was any, otherwise unknown. */
  readonly state: ServiceState;
  readonly uptimePercent: number | null;
  readonly checks: StateCounts;
  readonly coveragePercent: number | null;
  readonly responseTimeMs: LatencySummary | null;
  /** Whether the figures cover the whole day or hour. */
  readonly complete: boolean;
  /** Milliseconds in outage; `null` if nothing is stored of the period, or not known. */
  readonly outageMs: number | null;
  /** The same for degraded. */
  readonly degradedMs: number | null;
  /** The ids of incidents of the service that fall into the period, newest first. */
  readonly incidents: readonly string[];
}

/** What the stored checks show about one service. A check up to 60 s in the future counts as if it happened now; a later one does not count. */
export interface ServiceEvidence {
  /** The time of the earliest stored check, even if only the daily counts of its day are left. */
  readonly trackedFrom: Instant;
  /** The newest counted check, at most now. */
  readonly lastCheckedAt: Instant;
  /** Since when the service has its present state. */
  readonly stateSince: Instant;
  /** The newest counted check of each source. */
  readonly newest: readonly Check[];
  /** The newest counted check of each source whose state was not `unknown`. */
  readonly newestKnown: readonly Check[];
  /** One for each requested window, in the same order. */
  readonly tallies: readonly Tally[];
  /** From the first check to now, without response times. */
  readonly ever: Tally;
  /** From midnight to now. */
  readonly today: Tally;
  /** From the start of the present hour to now. */
  readonly thisHour: Tally;
  /** Median response times in milliseconds of the last 24 hours, oldest first, the present one last; `null` for an hour without an answer. */
  readonly recentMs: readonly (number | null)[];
}
