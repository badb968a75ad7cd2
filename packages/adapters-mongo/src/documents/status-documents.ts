import {
  INCIDENT_IMPACTS,
  INCIDENT_KINDS,
  INCIDENT_STATES,
  SERVICE_STATES,
  SYNCED_KINDS,
  type Incident,
  type Service,
  type Sync,
} from '@vitrine/core';
import { object } from './codec.js';
import { documentSpec } from './document-spec.js';
import { provenance, publicId, scopeRef, serviceKey } from './shared-fields.js';
import { instant, list, nullable, oneOf, text, whole } from './values.js';

export const serviceDocument = documentSpec<Service>(
  'service',
  object({ key: serviceKey, displayName: text, healthUrl: text, firstSeenAt: instant, provenance }),
);

export const incidentDocument = documentSpec<Incident>(
  'incident',
  object({
    id: publicId,
    title: text,
    incidentKind: oneOf(INCIDENT_KINDS),
    state: oneOf(INCIDENT_STATES),
    impact: oneOf(INCIDENT_IMPACTS),
    services: list(
      object({
        key: text,
        displayName: text,
        impacts: list(object({ state: oneOf(SERVICE_STATES), startAt: instant, endAt: nullable(instant) })),
      }),
    ),
    startedAt: instant,
    updatedAt: instant,
    resolvedAt: nullable(instant),
    scheduledFor: nullable(instant),
    scheduledUntil: nullable(instant),
    announcedAt: nullable(instant),
    updates: list(object({ id: text, state: oneOf(INCIDENT_STATES), body: text, createdAt: instant })),
    sourceUrl: nullable(text),
    provenance,
  }),
);

export const syncDocument = documentSpec<Sync>(
  'sync',
  object({
    id: text,
    repositoryRef: scopeRef,
    feeds: list(oneOf(SYNCED_KINDS)),
    lastSuccessAt: instant,
    intervalMs: whole(0),
    state: nullable(text),
  }),
);
