import { BUILD_STATES, MISSION_STATUSES, timeOf, type Build, type Mission } from '@vitrine/core';
import { object } from './codec.js';
import { documentSpec } from './document-spec.js';
import { provenance, publicId, repositoryRef, scopeRef, sha } from './shared-fields.js';
import { instant, list, nullable, number, oneOf, optional, text, whole } from './values.js';

export const buildDocument = documentSpec<Build>(
  'build',
  object({
    repositoryRef,
    id: publicId,
    name: text,
    number: nullable(whole(0)),
    state: oneOf(BUILD_STATES),
    trigger: nullable(text),
    branch: nullable(text),
    commitSha: optional(sha),
    platform: nullable(text),
    version: nullable(text),
    startedAt: nullable(instant),
    finishedAt: nullable(instant),
    durationSeconds: nullable(number(0, Number.MAX_SAFE_INTEGER)),
    url: text,
    provenance,
  }),
  { listedAt: { schema: instant.schema, of: (build) => instant.encode(timeOf(build)) } },
);

export const missionDocument = documentSpec<Mission>(
  'mission',
  object({
    repositoryRef: scopeRef,
    id: publicId,
    title: text,
    summary: text,
    status: oneOf(MISSION_STATUSES),
    progress: object({ completed: whole(0), total: whole(0), percent: number(0, 100) }),
    labels: list(text),
    createdAt: instant,
    startedAt: nullable(instant),
    targetAt: nullable(instant),
    completedAt: nullable(instant),
    url: text,
    provenance,
  }),
);
