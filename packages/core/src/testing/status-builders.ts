import { type Check, MIN_VALIDITY_MS } from '../kinds/check.js';
import type { Incident } from '../kinds/incident.js';
import { HOUR, MINUTE } from '../kinds/instant.js';
import type { Service } from '../kinds/service.js';
import type { StatusDay } from '../kinds/status-day.js';
import { NOW, aProvenance } from './builders.js';

export function aService(over: Partial<Service> = {}): Service {
  const healthUrl = over.healthUrl ?? 'https://widget.acme.example/health';
  return {
    kind: 'service',
    key: 'acme:widget-api',
    displayName: 'Widget API',
    healthUrl,
    firstSeenAt: NOW - 100 * MINUTE,
    provenance: aProvenance({ source: 'Acme probe', sourceKind: 'confirmed-from-source', sourceUrl: healthUrl }),
    ...over,
  };
}

export function aCheck(over: Partial<Check> = {}): Check {
  const checkedAt = over.checkedAt ?? NOW - MINUTE;
  return {
    kind: 'check',
    serviceKey: 'acme:widget-api',
    state: 'operational',
    rawState: '200',
    checkedAt,
    responseTimeMs: 212,
    validForMs: MIN_VALIDITY_MS,
    provenance: aProvenance({
      source: 'Acme probe',
      sourceKind: 'confirmed-from-source',
      sourceUrl: 'https://widget.acme.example/health',
      observedAt: checkedAt,
    }),
    ...over,
  };
}

/** The counts of a day whose raw checks are not kept. */
export function aStatusDay(over: Partial<StatusDay> & Pick<StatusDay, 'day'>): StatusDay {
  const { day } = over;
  return {
    kind: 'status-day',
    serviceKey: 'acme:widget-api',
    counts: { operational: 3, degraded: 0, outage: 1, maintenance: 0, unknown: 0 },
    coveredMs: HOUR,
    outageMs: 0,
    degradedMs: 0,
    changedAt: day,
    latency: { buckets: [[3, 2]], max: 3 },
    firstCheckedAt: day,
    lastCheckedAt: day + MINUTE,
    coveredUntil: day + HOUR,
    claims: [],
    hours: [],
    ...over,
  };
}

export function anIncident(over: Partial<Incident> = {}): Incident {
  const startedAt = over.startedAt ?? NOW - 5 * MINUTE;
  return {
    kind: 'incident',
    id: 'inc_1',
    title: 'Errors on the widget API',
    incidentKind: 'declared',
    state: 'resolved',
    impact: 'major',
    services: [{ key: 'acme:widget-api', displayName: 'Widget API', impacts: [{ state: 'outage', startAt: startedAt, endAt: startedAt + MINUTE }] }],
    startedAt,
    updatedAt: startedAt + 3 * MINUTE,
    resolvedAt: startedAt + 2 * MINUTE,
    scheduledFor: null,
    scheduledUntil: null,
    announcedAt: null,
    updates: [{ id: 'inc_1~1', state: 'investigating', body: 'Requests fail.', createdAt: startedAt }],
    sourceUrl: null,
    provenance: aProvenance({ source: 'Acme operations', sourceUrl: 'https://status.acme.example/' }),
    ...over,
  };
}
