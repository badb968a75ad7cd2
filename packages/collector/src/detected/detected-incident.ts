import { formatInstant, MINUTE, type Incident, type IncidentUpdate, type Instant, type Outage } from '@vitrine/core';

/** What a record says beyond the outage. */
export interface DetectedOrigin {
  readonly key: string;
  /** The name of the service. */
  readonly name: string;
  /** The public address of the service in Vitrine. */
  readonly address: string;
}

/** The id of an outage that is stored for the first time: the key of the service, and the time of the first check that found it. */
export function detectedId(key: string, startAt: Instant): string {
  return `detected:${key}:${formatInstant(startAt).replaceAll(/[-:]|\.000/g, '')}`;
}

/** The record of an outage. The same outage gives the same record at any time. */
export function detectedIncident(id: string, outage: Outage, { key, name, address }: DetectedOrigin): Incident {
  const { startAt, endAt, confirmingChecks, endUncertain } = outage;
  const updatedAt = endAt ?? startAt;
  return {
    kind: 'incident',
    id,
    title: `Outage of ${name}`,
    incidentKind: 'detected',
    state: endAt === null ? 'investigating' : 'resolved',
    impact: 'major',
    services: [{ key, displayName: name, impacts: [{ state: 'outage', startAt, endAt }] }],
    startedAt: startAt,
    updatedAt,
    resolvedAt: endAt,
    scheduledFor: null,
    scheduledUntil: null,
    announcedAt: null,
    updates: updatesOf(id, outage),
    sourceUrl: null,
    provenance: {
      source: 'vitrine',
      sourceKind: 'service-interpretation',
      sourceUrl: address,
      observedAt: updatedAt,
      confidence: endUncertain ? 'medium' : 'high',
      isOfficialSource: true,
    },
    confirmingChecks,
    endUncertain,
  };
}

/** Newest first. */
function updatesOf(id: string, { startAt, endAt, confirmingChecks, endUncertain }: Outage): readonly IncidentUpdate[] {
  const begun = { id: `${id}~1`, state: 'investigating', body: 'Checks found that the service is down.', createdAt: startAt } as const;
  if (endAt === null) return [begun];
  const [length, found] = [durationOf(endAt - startAt), checksOf(confirmingChecks)];
  const body = endUncertain
    ? `No valid check is left, so the end of the outage is not known. It is shown for ${length}. ${found} confirmed it.`
    : `The outage ended after ${length}. ${found} confirmed it.`;
  return [{ id: `${id}~2`, state: 'resolved', body, createdAt: endAt }, begun];
}

function checksOf(count: number): string {
  return count === 1 ? 'One check' : `${String(count)} checks`;
}

/** In hours and minutes, rounded up, so that no outage has no duration. */
function durationOf(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / MINUTE);
  const [hours, rest] = [Math.floor(minutes / MINUTES_PER_HOUR), minutes % MINUTES_PER_HOUR];
  const parts = [...(hours > 0 ? [counted(hours, 'hour')] : []), ...(rest > 0 ? [counted(rest, 'minute')] : [])];
  return parts.join(' and ');
}

const MINUTES_PER_HOUR = 60;

function counted(count: number, unit: string): string {
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}
