import type { Incident, IncidentService, IncidentUpdate } from '@vitrine/core';
import type { Links } from './links.js';
import { presentProvenance } from './provenance.js';
import { presentInstant, presentOptionalInstant } from './instant.js';

export function presentIncident(incident: Incident, links: Links) {
  return {
    id: incident.id,
    title: incident.title,
    kind: incident.incidentKind,
    state: incident.state,
    impact: incident.impact,
    services: incident.services.map(presentIncidentService),
    startedAt: presentInstant(incident.startedAt),
    updatedAt: presentInstant(incident.updatedAt),
    resolvedAt: presentOptionalInstant(incident.resolvedAt),
    scheduledFor: presentOptionalInstant(incident.scheduledFor),
    scheduledUntil: presentOptionalInstant(incident.scheduledUntil),
    announcedAt: presentOptionalInstant(incident.announcedAt),
    updates: incident.updates.map(presentUpdate),
    sourceUrl: incident.sourceUrl,
    provenance: presentProvenance(incident.provenance),
    covers: incident.covers ?? [],
    confirmingChecks: incident.confirmingChecks ?? null,
    endUncertain: incident.endUncertain ?? null,
    href: links.record('incident', incident.id),
  };
}

function presentIncidentService({ key, displayName, impacts }: IncidentService) {
  return {
    key,
    displayName,
    impacts: impacts.map(({ state, startAt, endAt }) => ({ state, startAt: presentInstant(startAt), endAt: presentOptionalInstant(endAt) })),
  };
}

function presentUpdate({ id, state, body, createdAt }: IncidentUpdate) {
  return { id, state, body, createdAt: presentInstant(createdAt) };
}
