import { PROBLEM_CODES, type ProblemCode, PROBLEMS, statusOf } from '../serving/errors.js';
import { CACHE_SECONDS } from '../serving/envelope.js';
import { repositorySchema } from '../views/repositories.js';
import { parametersOf } from '../views/shared/parameters.js';
import type { ApiRoute, DocumentRoute, PlainRoute } from '../views/shared/route.js';
import { flag, instant, integer, list, named, nullable, open, optional, provenanceSchema, ref, text } from '../views/shared/schema.js';
import type { JsonSchema, NamedSchema } from '../views/shared/schema.js';
import { routeTable } from '../views/table.js';

/** Errors that every address may return: those of a bad message, and those of the response `default`. */
const OF_MESSAGES: readonly ProblemCode[] = ['BODY_NOT_ALLOWED', 'BAD_REQUEST'];

const BY_DEFAULT: readonly ProblemCode[] = ['METHOD_NOT_ALLOWED', 'REQUEST_TIMEOUT', 'URI_TOO_LONG', 'HEADERS_TOO_LARGE', 'INTERNAL'];
const OF_PARAMETERS: readonly ProblemCode[] = ['INVALID_RANGE', 'MISSING_PARAMETER'];
const OF_LISTS: readonly ProblemCode[] = ['INVALID_CURSOR', 'CURSOR_MISMATCH'];
const OF_QUERIES: readonly ProblemCode[] = ['INVALID_PARAMETER', 'UNKNOWN_PARAMETER', 'DUPLICATE_PARAMETER', 'EMPTY_PARAMETER'];

export const headerObjects: JsonSchema = {
  'X-Request-Id': header('Id of the request; problems repeat it as `instance`.', { type: 'string', format: 'uuid' }),
  'Cache-Control': header(
    'For how long caches may keep the answer, in seconds. Errors, last good answers and answers of which a part could not be read are `no-store`.',
    {
      type: 'string',
    },
  ),
  ETag: header('Weak tag of the answer without fields that change with every run. Send it as `If-None-Match` to get 304 while it is the same.', {
    type: 'string',
  }),
  Vary: header('`Accept-Encoding`: an answer may be compressed.', { type: 'string' }),
  Link: header('`rel="service-desc"` leads to this document, and `rel="next"` to the next page.', { type: 'string' }),
  Age: header('Seconds since the answer was made, when it was made for an earlier request.', { type: 'integer', minimum: 0 }),
  'Retry-After': header('Seconds after which another try is worth it.', { type: 'integer', minimum: 0 }),
  'RateLimit-Policy': header(
    'The limits of a client, as a list of structured fields: the name of each limit, its requests (`q`) and its window in seconds (`w`). Only in responses that were counted.',
    { type: 'string', example: '"requests";q=300;w=60, "searches";q=60;w=60' },
  ),
  RateLimit: header(
    'What is left of each limit that counted the request: the requests (`r`) and the seconds until its window ends (`t`). Only in responses that were counted.',
    { type: 'string', example: '"requests";r=299;t=60' },
  ),
  Allow: header('The methods that are taken.', { type: 'string' }),
};

// What all responses have stands in the description of the API, and in those that operations share.
const KEPT_HEADERS = headerRefs('Cache-Control', 'ETag', 'Age');

const PROBLEM_HEADERS = headerRefs('X-Request-Id', 'Cache-Control', 'Link', 'RateLimit-Policy', 'RateLimit');

export function apiResponses(route: ApiRoute, takesParameters: boolean): JsonSchema {
  const success = {
    description: successText(route),
    headers: KEPT_HEADERS,
    content: { 'application/json': { schema: envelopeSchema(route), ...envelopeExample(route) } },
  };
  const other = takesParameters ? 'BadQuery' : 'BadRequest';
  const problems = problemResponses(isPaged(route) ? 'BadListQuery' : other, ['RATE_LIMITED', ...missingFrom(route), 'SOURCE_UNAVAILABLE']);
  return { 200: success, 304: sharedResponse('NotModified'), ...problems };
}

export function plainResponses(route: PlainRoute): JsonSchema {
  const isStatic = route.state === undefined;
  const content =
    route.schema === null
      ? { [route.type]: { schema: { type: 'string' }, example: 'INVALID_PARAMETER (400)\nA request parameter is not valid.\n' } }
      : { [route.type]: { schema: reference(route.schema), example: route.schema.example } };
  const page = route.hasPage === true ? { 'text/html': { schema: { type: 'string' } } } : {};
  const answers = Object.fromEntries(
    Object.entries(route.answers).map(([status, description]) => [
      status,
      { description, headers: isStatic ? KEPT_HEADERS : headerRefs('Cache-Control'), content: { ...content, ...page } },
    ]),
  );
  // Health checks are free.
  const limited: readonly SharedProblem[] = isStatic ? ['RATE_LIMITED'] : [];
  const notModified = isStatic ? { 304: sharedResponse('NotModified') } : {};
  return { ...problemResponses('BadMessage', [...limited, ...missingFrom(route)]), ...answers, ...notModified };
}

export function documentResponses(routes: readonly DocumentRoute[]): JsonSchema {
  const content: JsonSchema = Object.fromEntries(
    routes
      .map(({ type }) => type.replace(/;.*/, ''))
      .map((type) => [type, { schema: { type: type.endsWith('json') ? 'object' : 'string' } }] as const),
  );
  const success = { description: 'The document.', headers: KEPT_HEADERS, content };
  const problems = problemResponses('BadQuery', ['RATE_LIMITED', 'SOURCE_UNAVAILABLE', ...routes.flatMap(missingFrom)]);
  return { 200: success, 304: sharedResponse('NotModified'), ...problems };
}

/** Only an address with parameters may name something that is not there. */
function missingFrom({ pathParameters }: Pick<PlainRoute, 'pathParameters'>): readonly SharedProblem[] {
  return pathParameters.length > 0 ? ['NOT_FOUND'] : [];
}

function envelopeSchema(route: ApiRoute): JsonSchema {
  const shapes = route.schemas.map(reference);
  const record = shapes.length === 1 ? shapes[0] : { anyOf: shapes };
  const data = route.data === 'list' ? { type: 'array', description: isPaged(route) ? 'The page.' : 'The whole list.', items: record } : record;
  const meta = { $ref: `#/components/schemas/${route.isComposed ? 'ComposedMeta' : 'Meta'}` };
  return { type: 'object', required: ['data', 'meta'], properties: { data, meta } };
}

/** The first endpoint of one record has the example of its schema, and no other endpoint needs it. Nor do those that are put together from several. */
function envelopeExample(route: ApiRoute): { readonly example?: JsonSchema } {
  const [{ name, example: record, uses }] = route.schemas;
  if (uses.filter((shape) => shape !== provenanceSchema && shape !== repositorySchema).length > 2) return {};
  const first = routeTable.find((other) => other.kind === 'api' && other.data === 'record' && other.schemas[0].name === name) ?? route;
  if (first !== route) return {};
  const meta = route.isComposed ? { ...META_EXAMPLE, generatedAt: GENERATED_AT_EXAMPLE } : META_EXAMPLE;
  return { example: { data: route.data === 'list' ? [record] : record, meta } };
}

function successText(route: ApiRoute): string {
  const kept = `Caches may keep it for ${String(CACHE_SECONDS[route.cache])} seconds.`;
  if (route.data === 'record') return `The record. ${kept}`;
  return `${isPaged(route) ? 'One page' : 'The list'}; empty when nothing matches. ${kept}`;
}

function isPaged({ query }: ApiRoute): boolean {
  return parametersOf(query).some(({ name }) => name === 'cursor');
}

/** The codes that requests with an invalid query or message get, by the name of their response. */
const BAD_REQUESTS = {
  BadMessage: [...OF_MESSAGES, 'UNKNOWN_PARAMETER'],
  BadRequest: [...OF_MESSAGES, ...OF_QUERIES],
  BadQuery: [...OF_MESSAGES, ...OF_QUERIES, ...OF_PARAMETERS],
  BadListQuery: [...OF_MESSAGES, ...OF_QUERIES, ...OF_PARAMETERS, ...OF_LISTS],
} as const;

const SHARED_PROBLEMS = ['NOT_FOUND', 'RATE_LIMITED', 'SOURCE_UNAVAILABLE'] as const;
type SharedProblem = (typeof SHARED_PROBLEMS)[number];

/** The answers that several addresses share, for `components.responses`. */
export const sharedResponses: JsonSchema = {
  NotModified: { description: 'The answer is still the one that `If-None-Match` names.', headers: { ...KEPT_HEADERS, ...headerRefs('Vary') } },
  ...Object.fromEntries(Object.entries(BAD_REQUESTS).map(([name, codes]) => [name, problemResponse(codes)])),
  ...Object.fromEntries(SHARED_PROBLEMS.map((code) => [code, problemResponse([code])])),
  Problem: problemResponse(BY_DEFAULT),
};

function sharedResponse(name: string): JsonSchema {
  return { $ref: `#/components/responses/${name}` };
}

function problemResponses(bad: keyof typeof BAD_REQUESTS, codes: readonly SharedProblem[]): JsonSchema {
  const others = codes.map((code) => [statusOf(code), sharedResponse(code)] as const);
  return { 400: sharedResponse(bad), ...Object.fromEntries<JsonSchema>(others), default: sharedResponse('Problem') };
}

function problemResponse(codes: readonly ProblemCode[]): JsonSchema {
  const sorted = PROBLEM_CODES.filter((code) => codes.includes(code));
  const isWorthARetry = codes.includes('SOURCE_UNAVAILABLE') || codes.includes('RATE_LIMITED');
  const more = [...(isWorthARetry ? ['Retry-After'] : []), ...(codes.includes('METHOD_NOT_ALLOWED') ? ['Allow'] : [])];
  return {
    description: sorted.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: { ...PROBLEM_HEADERS, ...headerRefs(...more) },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
      },
    },
  };
}

function reference(schema: NamedSchema): JsonSchema {
  return { $ref: `#/components/schemas/${schema.name}` };
}

function header(description: string, schema: JsonSchema): JsonSchema {
  return { description, schema };
}

function headerRefs(...names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

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
const META_EXAMPLE = { apiVersion: 'v1', dataStatus: 'fresh', nextCursor: null, hasMore: false } as const;

const GENERATED_AT_EXAMPLE = '2026-11-20T13:59:20.000Z';
