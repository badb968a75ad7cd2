import { formatInstant, type Incident, type IncidentService, type IncidentUpdate } from '@vitrine/core';
import { presentInstant, presentProvenance } from './provenance.js';

export function presentIncident(incident: Incident) {
  return {
    id: incident.id,
    title: incident.title,
    kind: incident.incidentKind,
    state: incident.state,
    impact: incident.impact,
    services: incident.services.map(presentIncidentService),
    startedAt: formatInstant(incident.startedAt),
    updatedAt: formatInstant(incident.updatedAt),
    resolvedAt: presentInstant(incident.resolvedAt),
    scheduledFor: presentInstant(incident.scheduledFor),
    scheduledUntil: presentInstant(incident.scheduledUntil),
    announcedAt: presentInstant(incident.announcedAt),
    updates: incident.updates.map(presentUpdate),
    sourceUrl: incident.sourceUrl,
    provenance: presentProvenance(incident.provenance),
  };
}

function presentIncidentService({ key, displayName, impacts }: IncidentService) {
  return {
    key,
    displayName,
    impacts: impacts.map(({ state, startAt, endAt }) => ({ state, startAt: formatInstant(startAt), endAt: presentInstant(endAt) })),
  };
}

function presentUpdate({ id, state, body, createdAt }: IncidentUpdate) {
  return { id, state, body, createdAt: formatInstant(createdAt) };
}
