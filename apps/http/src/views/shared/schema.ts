/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What is known of one member of a body: its meaning with units, its shape, and a value that it could have. */
export interface Field {
  readonly schema: JsonSchema;
  readonly example: unknown;
  /** Left out of the body when unknown. */
  readonly isOptional?: true;
}

/** A shape that the OpenAPI document lists by its name. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly example: Readonly<Record<string, unknown>>;
  /** The shapes that it refers to. */
  readonly uses: readonly NamedSchema[];
}

type Fields = Readonly<Record<string, Field>>;

export function text(description: string, example: string, more: JsonSchema = {}): Field {
  return { schema: { type: 'string', description, ...more }, example };
}

export function url(description: string, example: string): Field {
  return text(description, example, { format: 'uri' });
}

/** A moment as text. */
export function instant(description: string, example: string): Field {
  return text(description, example, { format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });
}

/** One of a set that is known whole. */
export function closed(description: string, values: readonly string[], example: string): Field {
  return text(description, example, { enum: values });
}

/** One of a set that may grow: clients must bear other values. */
export function open(description: string, values: readonly string[], example: string): Field {
  return text(`${description} Known values: ${values.map((value) => `\`${value}\``).join(', ')}; others may follow.`, example);
}

export function integer(description: string, example: number, more: JsonSchema = { minimum: 0 }): Field {
  return { schema: { type: 'integer', description, ...more }, example };
}

/** A percentage, 0 to 100 with at most two decimals. */
export function percent(description: string, example: number): Field {
  return { schema: { type: 'number', description, minimum: 0, maximum: 100 }, example };
}

export function flag(description: string, example: boolean): Field {
  return { schema: { type: 'boolean', description }, example };
}

/** A value that may be known to be absent. */
export function nullable(field: Field, example: unknown = field.example): Field {
  const { description, ...shape } = field.schema;
  if ('$ref' in shape) return { schema: { description, anyOf: [shape, { type: 'null' }] }, example };
  const values: unknown = shape['enum'];
  const widened = { ...shape, type: [shape['type'], 'null'], ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}) };
  return { schema: { description, ...widened }, example };
}

export function optional(field: Field): Field {
  return { ...field, isOptional: true };
}

export function list(description: string, item: Field): Field {
  return { schema: { type: 'array', description, items: item.schema }, example: [item.example] };
}

export function record(fields: Fields, description: string): Field {
  return { schema: { description, ...objectSchema(fields) }, example: exampleOf(fields) };
}

/** A member that holds a named shape. */
export function ref(named: NamedSchema, description: string): Field {
  return { schema: { $ref: `#/components/schemas/${named.name}`, description }, example: named.example };
}

export function named(name: string, description: string, fields: Fields, uses: readonly NamedSchema[] = []): NamedSchema {
  return { name, schema: { description, ...objectSchema(fields) }, example: exampleOf(fields), uses };
}

function objectSchema(fields: Fields): JsonSchema {
  const required = Object.entries(fields).flatMap(([name, field]) => (field.isOptional === true ? [] : [name]));
  return { type: 'object', required, properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])) };
}

function exampleOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.example]));
}

const CONFIDENCES = ['high', 'medium', 'low', 'unknown'] as const;
const SOURCE_KINDS = ['official-source', 'confirmed-from-source', 'community-feed', 'service-interpretation'] as const;

/** Where the record that holds it is found. */
export function ownPath(example: string): Field {
  return text('Path of the record itself.', example, { format: 'uri-reference' });
}

/** Where people read about the record that holds it. */
export const pageUrl = optional(
  url('Address of its page for people; left out if there are no pages.', 'https://status.acme.example/news/nws_4d1x8c'),
);

export const provenanceSchema = named('Provenance', 'Where a record comes from, and how far it may be trusted.', {
  source: text('Label of the origin of the record.', 'GitHub'),
  sourceKind: open('What kind of origin it is; `service-interpretation` is a record derived by the service itself.', SOURCE_KINDS, 'official-source'),
  sourceUrl: url('Public URL of the origin.', 'https://github.com/acme/widget'),
  observedAt: instant('When the origin was observed.', '2026-11-20T13:58:02.114Z'),
  publishedAt: optional(instant('When the origin published it; left out when unknown.', '2026-11-20T13:41:52.000Z')),
  confidence: open('How far the record may be trusted.', CONFIDENCES, 'high'),
  isOfficialSource: flag('Whether the origin is official.', true),
});

/** The member that most records have. */
export const provenance = ref(provenanceSchema, 'Where the record comes from.');

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

const warnings = optional(
  list('Left out unless something could not be read or is not current.', {
    schema: { $ref: '#/components/schemas/Warning' },
    example: warningSchema.example,
  }),
);

export const metaSchema = named('Meta', 'Facts about the answer.', { ...metaFields, warnings }, [warningSchema]);

export const composedMetaSchema = named(
  'ComposedMeta',
  'About an answer that is composed of several sources.',
  { ...metaFields, generatedAt: instant('When the answer was made.', '2026-11-20T13:59:20.000Z'), warnings },
  [warningSchema],
);

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

/** @param codes every code, in the order of the reference */
export function problemSchema(codes: readonly string[]) {
  return named(
    'Problem',
    'A problem document (RFC 9457), with the members of the envelope.',
    {
      type: text('Path of a text about the code.', '/problems/invalid-parameter', { format: 'uri-reference' }),
      title: text('What the code means.', 'A request parameter is not valid'),
      status: integer('The HTTP status, repeated.', 400, { minimum: 400, maximum: 599 }),
      detail: text('What is wrong with this request, all violations together.', 'limit must be an integer from 1 to 100.'),
      instance: text('The request id, as `urn:uuid:…`; the header `X-Request-Id` has it too.', 'urn:uuid:3b6f0c1e-6c6f-4f1d-9d55-2f9a6f0f7d11', {
        format: 'uri',
      }),
      code: text('Stable code: the contract. If there are several violations, it is the code of the first.', 'INVALID_PARAMETER', { enum: codes }),
      errors: list('Every violation, in the order of the request.', {
        schema: { $ref: '#/components/schemas/Violation' },
        example: { parameter: 'limit', in: 'query', code: 'INVALID_PARAMETER', detail: 'must be an integer from 1 to 100', minimum: 1, maximum: 100 },
      }),
      data: { schema: { type: 'null', description: 'Always `null`.' }, example: null },
      meta: {
        schema: { $ref: '#/components/schemas/Meta', description: 'The same members as in any answer.' },
        example: { apiVersion: 'v1', dataStatus: 'unknown', nextCursor: null, hasMore: false },
      },
    },
    [violationSchema, metaSchema],
  );
}

/** `meta` of a body that nothing is wrong with. */
export const META_EXAMPLE = { apiVersion: 'v1', dataStatus: 'fresh', nextCursor: null, hasMore: false } as const;

export const GENERATED_AT_EXAMPLE = '2026-11-20T13:59:20.000Z';
