import { STATUS_OF, PROBLEM_CODES, PROBLEMS, problemType, type ProblemCode } from '../serving/errors.js';
import { CACHE_SECONDS } from '../serving/headers.js';
import { parametersOf } from '../requests/parameter.js';
import type { ApiRoute, PlainRoute } from '../routes/route.js';
import type { JsonSchema, NamedSchema } from '../schemas/schema.js';
import { GENERATED_AT_EXAMPLE, META_EXAMPLE } from '../schemas/shared.js';

/** Errors that every address may return. Health checks are never `RATE_LIMITED`. */
const ALWAYS: readonly ProblemCode[] = [
  'BODY_NOT_ALLOWED',
  'BAD_REQUEST',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
];
const OF_QUERIES: readonly ProblemCode[] = ['INVALID_PARAMETER', 'UNKNOWN_PARAMETER', 'DUPLICATE_PARAMETER', 'EMPTY_PARAMETER'];

/** Every header that an answer may carry, for `components.headers`. */
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

const COMMON_HEADERS = headerRefs('X-Request-Id', 'Cache-Control', 'Link');
const COUNTED_HEADERS = { ...COMMON_HEADERS, ...headerRefs('RateLimit-Policy', 'RateLimit') };
const KEPT_HEADERS = { ...COUNTED_HEADERS, ...headerRefs('ETag', 'Vary', 'Age') };

/** Has no body. */
const NOT_MODIFIED = { description: 'The answer is still the one that `If-None-Match` names.', headers: KEPT_HEADERS };

/** The answers of an endpoint below `/api/v1`, by status. */
export function apiResponses(route: ApiRoute, takesParameters: boolean): JsonSchema {
  const schema = envelopeSchema(route);
  const success = {
    description: successText(route),
    headers: KEPT_HEADERS,
    content: { 'application/json': { schema, example: envelopeExample(route) } },
  };
  return { 200: success, 304: NOT_MODIFIED, ...problemResponses([...ALWAYS, 'RATE_LIMITED', ...OF_QUERIES, ...codesOf(route, takesParameters)]) };
}

/** The answers of an address outside `/api/v1`, by status. */
export function plainResponses(route: PlainRoute): JsonSchema {
  const content =
    route.schema === null
      ? { [route.type]: { schema: { type: 'string' }, example: 'INVALID_PARAMETER (400)\nA request parameter is not valid.\n' } }
      : { [route.type]: { schema: reference(route.schema), example: route.schema.example } };
  const answers = Object.fromEntries(
    Object.entries(route.answers).map(([status, description]) => [
      status,
      { description, headers: route.isStatic ? KEPT_HEADERS : COMMON_HEADERS, content },
    ]),
  );
  const missing: readonly ProblemCode[] = route.pathParameters.length > 0 ? ['NOT_FOUND'] : [];
  // Health checks are free.
  const limited: readonly ProblemCode[] = route.isStatic ? ['RATE_LIMITED'] : [];
  const notModified = route.isStatic ? { 304: NOT_MODIFIED } : {};
  return { ...problemResponses([...ALWAYS, 'UNKNOWN_PARAMETER', ...missing, ...limited]), ...answers, ...notModified };
}

/** The body of an endpoint: `data` and `meta`. */
function envelopeSchema(route: ApiRoute): JsonSchema {
  const shapes = route.schemas.map(reference);
  const record = shapes.length === 1 ? shapes[0] : { anyOf: shapes };
  const data = route.data === 'list' ? { type: 'array', description: isPaged(route) ? 'The page.' : 'The whole list.', items: record } : record;
  const meta = { $ref: `#/components/schemas/${route.isComposed ? 'ComposedMeta' : 'Meta'}` };
  return { type: 'object', required: ['data', 'meta'], properties: { data, meta } };
}

function envelopeExample(route: ApiRoute): JsonSchema {
  const record = route.schemas[0].example;
  const meta = route.isComposed ? { ...META_EXAMPLE, generatedAt: GENERATED_AT_EXAMPLE } : META_EXAMPLE;
  return { data: route.data === 'list' ? [record] : record, meta };
}

function successText(route: ApiRoute): string {
  const kept = `Caches may keep it for ${String(CACHE_SECONDS[route.cache])} seconds.`;
  if (route.data === 'record') return `The record. ${kept}`;
  return `${isPaged(route) ? 'One page' : 'The list'}; empty when nothing matches. ${kept}`;
}

function isPaged({ query }: ApiRoute): boolean {
  return parametersOf(query).some(({ name }) => name === 'cursor');
}

function codesOf(route: ApiRoute, takesParameters: boolean): readonly ProblemCode[] {
  const ofLists: readonly ProblemCode[] = isPaged(route) ? ['INVALID_CURSOR', 'CURSOR_MISMATCH'] : [];
  const ofQueries: readonly ProblemCode[] = takesParameters ? ['INVALID_RANGE', 'MISSING_PARAMETER'] : [];
  return [...route.problems, ...ofLists, ...ofQueries];
}

/** Refusals that several addresses share, for `components.responses`. */
export const sharedResponses: JsonSchema = Object.fromEntries(
  PROBLEM_CODES.filter((code) => STATUS_OF[code] !== 400 && STATUS_OF[code] !== 404).map((code) => [code, problemResponse([code])]),
);

/** One answer for each status. Codes that are alone with their status share one description. */
function problemResponses(codes: readonly ProblemCode[]): JsonSchema {
  const statuses = [...new Set(codes.map((code) => STATUS_OF[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = PROBLEM_CODES.filter((code) => codes.includes(code) && STATUS_OF[code] === status);
      const [alone = ''] = own;
      return [status, alone in sharedResponses ? { $ref: `#/components/responses/${alone}` } : problemResponse(own)];
    }),
  );
}

function problemResponse(codes: readonly ProblemCode[]): JsonSchema {
  const sorted = PROBLEM_CODES.filter((code) => codes.includes(code));
  const isWorthARetry = codes.includes('SOURCE_UNAVAILABLE') || codes.includes('RATE_LIMITED');
  const more = [...(isWorthARetry ? ['Retry-After'] : []), ...(codes.includes('METHOD_NOT_ALLOWED') ? ['Allow'] : [])];
  return {
    description: sorted.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: { ...COUNTED_HEADERS, ...headerRefs(...more) },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(sorted.map((code) => [code, { value: problemExample(code) }])),
      },
    },
  };
}

function problemExample(code: ProblemCode): JsonSchema {
  const status = STATUS_OF[code];
  return {
    type: problemType(code),
    title: PROBLEMS[code].title,
    status,
    detail: PROBLEMS[code].text,
    instance: 'urn:uuid:3b6f0c1e-6c6f-4f1d-9d55-2f9a6f0f7d11',
    code,
    errors: [],
    data: null,
    meta: { ...META_EXAMPLE, dataStatus: status >= 500 ? 'unavailable' : 'unknown' },
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
