import {
  formatDate,
  UPTIME_WINDOW_DAYS,
  type Check,
  type Instant,
  type LatencySummary,
  type PeriodStatus,
  type ServiceStatus,
  type StateCounts,
  type StatusOverview,
  type UptimeFigure,
} from '@vitrine/core';
import { presentIncident } from './incident.js';
import type { Links } from './links.js';
import { presentProvenance } from './provenance.js';
import { presentInstant, presentOptionalInstant } from './instant.js';

export function presentService(service: ServiceStatus, links: Links) {
  const { windows } = service;
  return {
    key: service.key,
    displayName: service.displayName,
    currentState: service.currentState,
    healthUrl: service.healthUrl,
    lastCheckedAt: presentOptionalInstant(service.lastCheckedAt),
    trackedFrom: presentOptionalInstant(service.trackedFrom),
    checksTracked: service.checksTracked,
    uptimePercent: service.uptimePercent,
    uptimeWindowDays: UPTIME_WINDOW_DAYS,
    provenance: presentProvenance(service.provenance),
    lastKnownState: service.lastKnownState,
    checks: presentCounts(service.checks),
    coveragePercent: service.coveragePercent,
    windows: {
      '24h': presentFigure(windows['24h']),
      '7d': presentFigure(windows['7d']),
      '30d': presentFigure(windows['30d']),
      '90d': presentFigure(windows['90d']),
      '365d': presentFigure(windows['365d']),
    },
    sinceStart: presentFigure(service.sinceStart),
    responseTimeMs: presentLatency(service.responseTimeMs),
    stateSince: presentOptionalInstant(service.stateSince),
    stateReason: service.stateReason,
    ...(service.dependency && { dependency: true }),
    ...(service.group !== null && { group: service.group }),
    ...(service.order !== null && { order: service.order }),
    href: links.record('status-service', service.key),
  };
}

/** The computed parts of a status overview. */
export interface StatusContext {
  readonly links: Links;
  /** Public address of the status overview, the origin of computed states. */
  readonly statusUrl: string;
  readonly generatedAt: Instant;
}

export function presentStatus(overview: StatusOverview, { links, statusUrl, generatedAt }: StatusContext) {
  return {
    overallState: overview.overallState,
    services: overview.services.map((service) => presentService(service, links)),
    incidents: {
      current: overview.incidents.current.map((incident) => presentIncident(incident, links)),
      historicalAvailable: overview.incidents.historicalAvailable,
    },
    provenance: {
      source: 'vitrine',
      sourceKind: 'service-interpretation',
      sourceUrl: statusUrl,
      observedAt: presentInstant(overview.observedAt ?? generatedAt),
      confidence: 'high',
      isOfficialSource: false,
    },
  };
}

export function presentCheck(check: Check) {
  return {
    serviceKey: check.serviceKey,
    state: check.state,
    rawState: check.rawState,
    checkedAt: presentInstant(check.checkedAt),
    responseTimeMs: check.responseTimeMs,
    provenance: presentProvenance(check.provenance),
  };
}

export function presentDay(day: PeriodStatus) {
  return {
    date: formatDate(day.start),
    state: day.state,
    uptimePercent: day.uptimePercent,
    checks: presentCounts(day.checks),
    coveragePercent: day.coveragePercent,
    responseTimeMs: presentLatency(day.responseTimeMs),
    complete: day.complete,
    outageMs: day.outageMs,
    degradedMs: day.degradedMs,
    incidents: [...day.incidents],
  };
}

export function presentHour(hour: PeriodStatus) {
  return { ...presentDay(hour), startAt: presentInstant(hour.start) };
}

function presentCounts({ operational, degraded, outage, maintenance, unknown }: StateCounts) {
  return { operational, degraded, outage, maintenance, unknown };
}

function presentFigure({ uptimePercent, checksTracked }: UptimeFigure) {
  return { uptimePercent, checksTracked };
}

function presentLatency(latency: LatencySummary | null) {
  return latency === null ? null : { p50: latency.p50, p95: latency.p95, max: latency.max };
}
