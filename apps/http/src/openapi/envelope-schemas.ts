import { flag, instant, integer, list, named, nullable, open, optional, ref, text } from '../views/shared/schema.js';

const warningSchema = named('Warning', 'Something that could not be read, or that is not current.', {
  code: open(
    'What is wrong: the stored records could not be read, a source has never completed a run, it has not completed one for too long, search cannot find all records yet, or a filter has a value that is not documented.',
    ['SOURCE_UNAVAILABLE', 'SOURCE_INCOMPLETE', 'SOURCE_LATE', 'SEARCH_INCOMPLETE', 'UNKNOWN_VALUE'],
    'SOURCE_UNAVAILABLE',
  ),
  source: text('The kind of records that is concerned; `store` for all of them.', 'status'),
  detail: text('The same for people.', 'Stored status records could not be read.'),
});

const metaFields = {
  apiVersion: text('Version of the API.', 'v1', { const: 'v1' }),
  dataStatus: open('How current and whole the data is.', ['fresh', 'stale', 'partial', 'unavailable', 'unknown'], 'fresh'),
  nextCursor: nullable(text('Opaque cursor of the next page; `null` when there is none.', 'AWk0zlwVXWYUjRPfxEJ41Z-eh4pHmHgAYWNtZS93aWRnZXQ'), null),
  hasMore: flag('Whether a further page exists.', false),
} as const;

const warnings = optional(list('Left out unless something could not be read or is not current.', ref(warningSchema)));

export const metaSchema = named('Meta', 'Facts about the answer.', { ...metaFields, warnings });

export const composedMetaSchema = named('ComposedMeta', 'About an answer that is composed of several sources.', {
  ...metaFields,
  generatedAt: instant('When the answer was made.', '2026-11-20T13:59:20.000Z'),
  warnings,
});

const violationSchema = named('Violation', 'One broken rule of the request, with the figures that it speaks of.', {
  parameter: text('Name of the parameter.', 'limit'),
  in: text('Where the parameter stands.', 'query', { enum: ['query', 'path'] }),
  code: text('Stable code of the rule.', 'INVALID_PARAMETER'),
  detail: text('What holds for the parameter, to be read after its name.', 'must be an integer from 1 to 100'),
  minimum: optional(integer('Least value.', 1, {})),
  maximum: optional(integer('Greatest value.', 100, {})),
  minLength: optional(integer('Least length, in code points.', 2)),
  maxLength: optional(integer('Greatest length, in code points.', 100)),
  pattern: optional(text('Regular expression that the value matches.', '^[A-Za-z0-9_.:-]{1,64}$')),
  allowed: optional(list('The values, or the names, that are taken.', text('One of them.', 'limit'))),
});

export function problemSchema(codes: readonly string[]) {
  return named('Problem', 'A problem document (RFC 9457), with the members of the envelope.', {
    type: text('Path of a text about the code.', '/problems/invalid-parameter', { format: 'uri-reference' }),
    title: text('What the code means.', 'A request parameter is not valid'),
    status: integer('The HTTP status, repeated.', 400, { minimum: 400, maximum: 599 }),
    detail: text('What is wrong with this request, all violations together.', 'limit must be an integer from 1 to 100.'),
    instance: text('The request id, as `urn:uuid:…`; the header `X-Request-Id` has it too.', 'urn:uuid:3b6f0c1e-6c6f-4f1d-9d55-2f9a6f0f7d11', {
      format: 'uri',
    }),
    code: text('Stable code: the contract. If there are several violations, it is the code of the first.', 'INVALID_PARAMETER', { enum: codes }),
    errors: list('Every violation, in the order of the request.', ref(violationSchema)),
    data: { schema: { type: 'null', description: 'Always `null`.' }, example: null },
    meta: ref(metaSchema, 'The same members as in any answer.'),
  });
}

/** `meta` of a body that nothing is wrong with. */
export const META_EXAMPLE = { apiVersion: 'v1', dataStatus: 'fresh', nextCursor: null, hasMore: false } as const;

export const GENERATED_AT_EXAMPLE = '2026-11-20T13:59:20.000Z';
