import { type Check, type ServiceState, type StateCounts, UNCONFIRMED, worstOf } from '../kinds/check.js';
import { type Instant, earliestOf, firstChange } from '../kinds/instant.js';
import { latencySummary } from '../kinds/latency.js';
import type { Provenance } from '../kinds/provenance.js';
import { UPTIME_WINDOWS, UPTIME_WINDOW_DAYS } from '../kinds/service-status.js';
import type {
  DayFigures,
  PeriodStatus,
  ServiceEvidence,
  ServiceStatus,
  StatusOverview,
  UptimeFigure,
  UptimeWindowName,
} from '../kinds/service-status.js';
import type { Service } from '../kinds/service.js';
import type { Tally, TallyWindow, Window } from '../kinds/status-day.js';
import { NO_TALLY, coveragePercent, ratedChecks, stateOfDay, uptimeOf, uptimeWindow } from './uptime.js';

/** The check of each source that decides the state: the newest one, or the newest known one while a failure is unconfirmed. */
export function decidingChecks({ newest, newestKnown }: Pick<ServiceEvidence, 'newest' | 'newestKnown'>): readonly Check[] {
  return newest.map((check) => {
    if (check.rawState !== UNCONFIRMED) return check;
    return newestKnown.find(({ provenance }) => provenance.source === check.provenance.source) ?? check;
  });
}

/** The worst state among the {@link decidingChecks} that are still evidence; `unknown` if none is. Never operational without a check. */
export function currentState(deciding: readonly Check[], now: Instant): ServiceState {
  return worstOf(deciding.filter((check) => now < validUntil(check)).map((check) => check.state));
}

/** The check that decides the {@link currentState}: the newest of those with the worst state; `null` if none is valid. */
function decidingCheck(deciding: readonly Check[], now: Instant): Check | null {
  const state = currentState(deciding, now);
  const worst = deciding.filter((check) => now < validUntil(check) && check.state === state);
  return worst.reduce<Check | null>((newest, check) => (newest !== null && newest.checkedAt >= check.checkedAt ? newest : check), null);
}

/** The last moment up to now at which {@link currentState} changed because a check was no longer valid; `null` if there is none. */
function lastExpiryUntil(deciding: readonly Check[], now: Instant): Instant | null {
  const ended = deciding.map(validUntil).filter((moment) => moment <= now && currentState(deciding, moment) !== currentState(deciding, moment - 1));
  return ended.length === 0 ? null : Math.max(...ended);
}

/** The first moment after now at which {@link currentState} of the same checks gives another state; `null` if there is none. */
export function currentStateChangesAt(deciding: readonly Check[], now: Instant): Instant | null {
  return firstChange(deciding.map(validUntil), now, (moment) => currentState(deciding, moment));
}

/** The first moment at which a check is no evidence any more. */
function validUntil({ checkedAt, validForMs }: Check): Instant {
  return checkedAt + validForMs;
}

/** The worst state among the newest known check of each source, of any age; `null` if there is none. */
export function lastKnownState(newestKnown: readonly Check[]): ServiceState | null {
  return newestKnown.length === 0 ? null : worstOf(newestKnown.map((check) => check.state));
}

const WINDOW_NAMES = Object.keys(UPTIME_WINDOWS) as readonly UptimeWindowName[];
const PUBLISHED = WINDOW_NAMES.findIndex((name) => UPTIME_WINDOWS[name] === UPTIME_WINDOW_DAYS);

/** The published windows, which end now. Response times are published of one of them. {@link serviceStatusOf} expects the tallies in the same order. */
export function uptimeWindows(now: Instant): readonly TallyWindow[] {
  return WINDOW_NAMES.map((name, index) => ({ ...uptimeWindow(UPTIME_WINDOWS[name], now), withoutLatency: index !== PUBLISHED }));
}

const NEVER = { trackedFrom: null, lastCheckedAt: null, stateSince: null } as const;
const NO_EVIDENCE = { ...NEVER, newest: [], newestKnown: [], tallies: [], ever: NO_TALLY, recentMs: [] } as const;

/** The status of a service, from stored checks only. @param evidence `null` if the service was never checked */
export function serviceStatusOf(service: Service, evidence: ServiceEvidence | null, now: Instant): ServiceStatus {
  const { key, displayName, healthUrl, provenance, dependency = false, group = null, order = null } = service;
  const { trackedFrom, lastCheckedAt, stateSince, newest, newestKnown, tallies, ever, recentMs } = evidence ?? NO_EVIDENCE;
  const deciding = decidingChecks({ newest, newestKnown });
  const published = tallies[PUBLISHED] ?? NO_TALLY;
  const { uptimePercent, checksTracked } = uptimeOf(published.counts);
  // An object literal that starts with a spread takes several times as long.
  return {
    uptimePercent,
    checksTracked,
    key,
    displayName,
    currentState: currentState(deciding, now),
    stateSince,
    stateReason: decidingCheck(deciding, now)?.rawState ?? null,
    healthUrl,
    lastCheckedAt,
    trackedFrom,
    provenance: provenanceAt(provenance, lastCheckedAt),
    lastKnownState: lastKnownState(newestKnown),
    checks: published.counts,
    coveragePercent: coverageOf(published, uptimeWindow(UPTIME_WINDOW_DAYS, now), trackedFrom),
    windows: windowFigures(tallies),
    sinceStart: uptimeOf(ever.counts),
    responseTimeMs: latencySummary(published.latency),
    recentMs,
    dependency,
    group,
    order,
    evidence: deciding,
  };
}

export const UNCHECKED_DAY: DayFigures = { state: 'unknown', outageMs: null, degradedMs: null, checks: 0, failed: 0 };

export function dayFiguresOf({ counts, outageMs, degradedMs }: Pick<Tally, 'counts' | 'outageMs' | 'degradedMs'>): DayFigures {
  return { state: worstOfDay(counts, outageMs, degradedMs), outageMs, degradedMs, checks: ratedChecks(counts), failed: counts.outage };
}

/** A bad state can last into a day whose own checks are good, or that has none. */
function worstOfDay(counts: StateCounts, outageMs: number | null, degradedMs: number | null): ServiceState {
  const state = stateOfDay(counts);
  if (state === 'outage' || (outageMs ?? 0) > 0) return 'outage';
  return (degradedMs ?? 0) > 0 ? 'degraded' : state;
}

function provenanceAt(provenance: Provenance, lastCheckedAt: Instant | null): Provenance {
  return lastCheckedAt === null ? provenance : { ...provenance, observedAt: lastCheckedAt };
}

/** The status at a later time, when the validity of checks may have ended. The figures are not recomputed. */
export function serviceJudgedAgain<Status extends ServiceStatus>(service: Status, now: Instant): Status {
  const { evidence, stateSince } = service;
  const expired = lastExpiryUntil(evidence, now);
  return {
    ...service,
    currentState: currentState(evidence, now),
    stateSince: stateSince === null || expired === null ? stateSince : Math.max(stateSince, expired),
    stateReason: decidingCheck(evidence, now)?.rawState ?? null,
  };
}

/** The first moment after now at which {@link serviceJudgedAgain} gives another state or reason; `null` if there is none. */
export function serviceChangesAt({ evidence }: Pick<ServiceStatus, 'evidence'>, now: Instant): Instant | null {
  const reasonAt = (moment: Instant): string | null => decidingCheck(evidence, moment)?.rawState ?? null;
  return earliestOf([currentStateChangesAt(evidence, now), firstChange(evidence.map(validUntil), now, reasonAt)]);
}

/** The same for {@link statusJudgedAgain}: the first moment of all services. */
export function statusChangesAt({ services }: Pick<StatusOverview, 'services'>, now: Instant): Instant | null {
  return earliestOf(services.map((service) => serviceChangesAt(service, now)));
}

/** The first moment after now at which {@link statusJudgedAgain} gives another overall state; `null` if there is none. */
export function overallStateChangesAt(overview: StatusOverview, now: Instant): Instant | null {
  // A service may change more than once before the overall state does.
  const moments = overview.services.flatMap(({ evidence }) => evidence.map(validUntil));
  return firstChange(moments, now, (moment) => statusJudgedAgain(overview, moment).overallState, overview.overallState);
}

/** Applies {@link serviceJudgedAgain} to all services, and updates the overall state. */
export function statusJudgedAgain(overview: StatusOverview, now: Instant): StatusOverview {
  const services = overview.services.map((service) => serviceJudgedAgain(service, now));
  return { ...overview, services, overallState: overallStateOf(services) };
}

/** The worst state of the services that are not dependencies; `unknown` if there are none. */
export function overallStateOf(services: readonly ServiceStatus[]): ServiceState {
  return worstOf(services.flatMap((service) => (service.dependency ? [] : service.currentState)));
}

/** A day or an hour of a service's history. */
export interface StatusPeriod {
  readonly start: Instant;
  /** `DAY` or `HOUR`. */
  readonly lengthMs: number;
  /** The part of it that is inside the window; `null` if nothing is stored of it. */
  readonly tally: Tally | null;
  readonly incidents: readonly string[];
}

/** The part of a day or hour of a service's history that is inside the window. @param trackedFrom `null` if the service was never checked */
export function periodStatusOf({ start, lengthMs, tally, incidents }: StatusPeriod, window: Window, trackedFrom: Instant | null): PeriodStatus {
  const { counts, latency, outageMs, degradedMs } = tally ?? NO_TALLY;
  const end = start + lengthMs;
  const slice = { from: Math.max(start, window.from), to: Math.min(end, window.to) };
  return {
    start,
    state: stateOfDay(counts),
    uptimePercent: uptimeOf(counts).uptimePercent,
    checks: counts,
    coveragePercent: coverageOf(tally ?? NO_TALLY, slice, trackedFrom),
    responseTimeMs: latencySummary(latency),
    complete: slice.from === start && slice.to === end,
    outageMs: tally === null ? null : outageMs,
    degradedMs: tally === null ? null : degradedMs,
    incidents,
  };
}

function windowFigures([day, week, month, quarter, year]: readonly Tally[]): Readonly<Record<UptimeWindowName, UptimeFigure>> {
  const figure = ({ counts } = NO_TALLY): UptimeFigure => uptimeOf(counts);
  return { '24h': figure(day), '7d': figure(week), '30d': figure(month), '90d': figure(quarter), '365d': figure(year) };
}

function coverageOf(tally: Tally, window: Window, trackedFrom: Instant | null): number | null {
  return trackedFrom === null ? null : coveragePercent(tally.coveredMs, window.to - Math.max(window.from, trackedFrom));
}
