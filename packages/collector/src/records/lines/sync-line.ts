import { list, object } from '@vitrine/config/internal';
import { CONFIGURATION, DAY, SECOND, SOURCE_TYPES, SYNCED_KINDS, syncOf } from '@vitrine/core';
import { z } from 'zod';
import { inScope, lineReader, mayBeScoped, optionalScopeOfLine } from '../line-reader.js';
import { instant, oneOf, opaque, title, whole, word } from '../record-fields.js';

export const syncLine = lineReader(
  object('what a source left behind', {
    kind: z.literal('sync'),
    ...mayBeScoped,
    id: title,
    feeds: list('a list of kinds', oneOf(SYNCED_KINDS), SYNCED_KINDS.length).default([]),
    sourceType: oneOf([...SOURCE_TYPES, CONFIGURATION]).exactOptional(),
    label: title.exactOptional(),
    intervalMs: whole(SECOND, DAY),
    firstAttemptAt: instant.nullable().exactOptional(),
    lastAttemptAt: instant.nullable().exactOptional(),
    lastSuccessAt: instant.nullable(),
    lastFailureAt: instant.nullable().exactOptional(),
    lastFailureCode: word.nullable().exactOptional(),
    state: opaque.nullable().default(null),
  }),
  ({ repository: name, repositoryRef: ref, ...fields }, context) =>
    inScope(optionalScopeOfLine(name, ref, context), (scope) => syncOf({ ...fields, repositoryRef: scope })),
);
