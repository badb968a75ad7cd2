import { DAY, SECOND, SYNCED_KINDS } from '@vitrine/core';
import { z } from 'zod';
import { list, object } from '../../validation/structure.js';
import { inScope, lineReader, mayBeScoped, optionalScopeOfLine } from '../line-reader.js';
import { instant, oneOf, opaque, title, whole } from '../record-fields.js';

export const syncLine = lineReader(
  object('what a source left behind', {
    kind: z.literal('sync'),
    ...mayBeScoped,
    id: title,
    feeds: list('a list of kinds', oneOf(SYNCED_KINDS), SYNCED_KINDS.length).default([]),
    lastSuccessAt: instant,
    intervalMs: whole(SECOND, DAY),
    state: opaque.nullable().default(null),
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) =>
    inScope(optionalScopeOfLine(name, ref, context), (scope) => ({ ...fields, repositoryRef: scope })),
);
