import {
  CONFIGURATION,
  INCIDENT_IMPACTS,
  INCIDENT_KINDS,
  INCIDENT_STATES,
  SERVICE_STATES,
  SOURCE_TYPES,
  SYNCED_KINDS,
  syncOf,
  type Incident,
  type Service,
  type Sync,
} from '@vitrine/core';
import { BadValue, object, type Codec } from './codec.js';
import { documentSpec } from './document-spec.js';
import { provenance, publicId, scopeRef, serviceKey } from './shared-fields.js';
import { boolean, instant, list, nullable, oneOf, optional, text, whole } from './values.js';

export const serviceDocument = documentSpec<Service>(
  'service',
  object({
    key: serviceKey,
    displayName: text,
    healthUrl: text,
    dependency: optional(boolean),
    group: optional(text),
    order: optional(whole(0)),
    firstSeenAt: instant,
    provenance,
  }),
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
    covers: optional(list(text)),
    confirmingChecks: optional(nullable(whole(0))),
    endUncertain: optional(nullable(boolean)),
  }),
);

const syncFields = object({
  id: text,
  sourceType: optional(oneOf<Sync['sourceType']>([...SOURCE_TYPES, CONFIGURATION])),
  label: optional(text),
  repositoryRef: scopeRef,
  feeds: list(oneOf(SYNCED_KINDS)),
  intervalMs: whole(0),
  firstAttemptAt: optional(nullable(instant)),
  lastAttemptAt: optional(nullable(instant)),
  lastSuccessAt: nullable(instant),
  lastFailureAt: optional(nullable(instant)),
  lastFailureCode: optional(nullable(text)),
  state: nullable(text),
});

/** Another collector may write sync records of an older version, which have fewer fields. */
const anySync: Codec<Omit<Sync, 'kind'>> = {
  schema: syncFields.schema,
  encode: (sync) => syncFields.encode(sync),
  decode: (stored, path) => {
    const fields = syncFields.decode(stored, path);
    if (fields instanceof BadValue) return fields;
    const { kind: _kind, ...sync } = syncOf(fields);
    return sync;
  },
};

export const syncDocument = documentSpec<Sync>('sync', anySync);
