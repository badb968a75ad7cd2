import type { Instant } from '../domain/shared/instant.js';
import { isUnresolved, type Incident } from '../domain/status/incident.js';
import type { Window } from '../domain/status/status-day.js';

/** The ids of the incidents of a service that fall into a period, in their order. Planned maintenance falls into the time for which it is planned. */
export function incidentsIn(incidents: readonly Incident[], serviceKey: string, period: Window, now: Instant): readonly string[] {
  const isOf = (incident: Incident): boolean => incident.services.some(({ key }) => key === serviceKey);
  return incidents.filter((incident) => isOf(incident) && overlaps(timeOf(incident, now), period)).map(({ id }) => id);
}

/** The start and the end of an incident; now if it has not ended. */
function timeOf(incident: Incident, now: Instant): Window {
  const from = incident.scheduledFor ?? incident.startedAt;
  const end = incident.resolvedAt ?? incident.scheduledUntil ?? (isUnresolved(incident) ? now : incident.updatedAt);
  return { from, to: Math.max(from, end) };
}

function overlaps(time: Window, { from, to }: Window): boolean {
  return time.from < to && time.to >= from;
}
