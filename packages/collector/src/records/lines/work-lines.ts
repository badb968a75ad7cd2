import { object } from '@vitrine/config/internal';
import { BUILD_STATES, MISSION_STATUSES } from '@vitrine/core';
import { z } from 'zod';
import { inScope, lineReader, mayBeScoped, optionalScopeOfLine, provenanceOf, scoped, scopeOfLine } from '../line-reader.js';
import { body, count, instant, line, oneOf, percent, provenance, publicIdText, sha, shortText, texts, title, url, word } from '../record-fields.js';

export const buildLine = lineReader(
  object('a build', {
    kind: z.literal('build'),
    ...scoped,
    id: publicIdText,
    name: title,
    number: count.nullable().default(null),
    state: oneOf(BUILD_STATES),
    trigger: shortText.nullable().default(null),
    branch: shortText.nullable().default(null),
    commitSha: sha.exactOptional(),
    platform: word.nullable().default(null),
    version: shortText.nullable().default(null),
    startedAt: instant.nullable().default(null),
    finishedAt: instant.nullable().default(null),
    durationSeconds: count.nullable().default(null),
    url,
    provenance,
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) =>
    inScope(scopeOfLine(name, ref, context), (scope) => ({
      ...fields,
      repositoryRef: scope,
      provenance: provenanceOf(fields.provenance, context.now),
    })),
);

export const missionLine = lineReader(
  object('a mission', {
    kind: z.literal('mission'),
    ...mayBeScoped,
    id: publicIdText,
    title,
    summary: body.default(''),
    status: oneOf(MISSION_STATUSES),
    progress: object('an object with completed, total and percent', { completed: count, total: count, percent }),
    labels: texts('labels', line),
    createdAt: instant.nullable().default(null),
    startedAt: instant.nullable().default(null),
    targetAt: instant.nullable().default(null),
    completedAt: instant.nullable().default(null),
    url,
    provenance,
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) =>
    inScope(optionalScopeOfLine(name, ref, context), (scope) => ({
      ...fields,
      repositoryRef: scope,
      createdAt: fields.createdAt ?? context.now,
      provenance: provenanceOf(fields.provenance, context.now),
    })),
);
