import { NotFoundError } from '@vitrine/core';
import { PROBLEM_CODES, type ProblemCode, problemOfSlug, PROBLEMS, Refusal, statusOf } from '../serving/errors.js';
import type { Exchange } from '../serving/exchange.js';
import { entityTagOf, FinishedAnswer } from '../serving/finished-answer.js';
import { NO_STORE, serviceDescLink } from '../serving/envelope.js';
import type { Readiness } from '../serving/lifecycle.js';
import type { Endpoint, PathValues } from '../serving/router.js';
import { queryParser } from './shared/parse-query.js';
import type { PathParameter } from './shared/path-parameters.js';
import { NoQuery } from './shared/query.js';
import type { PlainRoute } from './shared/route.js';
import { closed, list, named, optional, record, text } from './shared/schema.js';

export const indexSchema = named('ServiceIndex', 'Where to go from here.', {
  name: text('Name of the service.', 'vitrine'),
  apiVersion: text('Version of the API.', 'v1', { const: 'v1' }),
  description: text('What the service does.', 'The public window onto a team’s development.'),
  links: list(
    'Addresses to read next.',
    record({ rel: text('What stands there.', 'overview'), href: text('Its path.', '/api/v1/overview', { format: 'uri-reference' }) }, 'One address.'),
  ),
});

const livenessSchema = named('Liveness', 'Whether the process runs.', {
  status: text('Always `alive`.', 'alive', { const: 'alive' }),
});

const readinessSchema = named('Readiness', 'Whether the process may be sent traffic.', {
  status: closed(
    '`ready` and `degraded` with status 200, the others with 503. `degraded`: the store, or a part of it, cannot be read, and the last good answers serve in its place; or nothing new is collected, because the store cannot be written or the collector is started again. `degraded` with 503: the data folder was removed or replaced.',
    ['starting', 'ready', 'degraded', 'stopping'],
    'ready',
  ),
  collector: optional(
    closed(
      'The process that collects for this server. `restarting`: it has ended, and is started again. Left out if this server has none.',
      ['starting', 'running', 'restarting'],
      'running',
    ),
  ),
  search: optional(closed('There while search finds only a part of the records, because its index is being built.', ['building'], 'building')),
});

const openApiSchema = named('OpenApiDocument', 'The description of the service, as OpenAPI 3.1.', {
  openapi: text('Version of the format.', '3.1.1'),
  jsonSchemaDialect: text('Dialect of the schemas.', 'https://json-schema.org/draft/2020-12/schema', { format: 'uri' }),
  info: { schema: { type: 'object', description: 'About the service.' }, example: { title: 'Vitrine', version: '0.1.0' } },
  servers: { schema: { type: 'array', description: 'Where it answers.', items: { type: 'object' } }, example: [{ url: '/' }] },
  tags: { schema: { type: 'array', description: 'Groups of operations.', items: { type: 'object' } }, example: [] },
  security: { schema: { type: 'array', description: 'Empty: everything is public.', items: { type: 'object' } }, example: [] },
  paths: { schema: { type: 'object', description: 'Every operation.' }, example: {} },
  components: { schema: { type: 'object', description: 'Shared shapes.' }, example: {} },
});

const slugParameter: PathParameter = {
  name: 'slug',
  description: 'The code in lower case, with hyphens.',
  schema: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
  example: 'invalid-parameter',
  isWellFormed: (text) => /^[a-z]+(-[a-z]+)*$/.test(text),
};

type PlainFacts = Omit<PlainRoute, 'kind' | 'tag' | 'type' | 'pathParameters' | 'isStatic'> &
  Partial<Pick<PlainRoute, 'type' | 'pathParameters' | 'isStatic'>>;

const plain = (facts: PlainFacts): PlainRoute => ({
  kind: 'plain',
  tag: 'Service',
  type: 'application/json',
  pathParameters: [],
  isStatic: true,
  ...facts,
});

export const getIndexRoute = plain({
  id: 'getIndex',
  path: '/',
  summary: 'Get the index of the service',
  description: 'Where to go from here. A browser, which prefers `text/html`, gets the overview as a page.',
  hasPage: true,
  schema: indexSchema,
  answers: { 200: 'The index.' },
});

export const getOpenApiRoute = plain({
  id: 'getOpenApi',
  path: '/openapi.json',
  summary: 'Get this document',
  description: 'This document, made from the table that the service routes by.',
  schema: openApiSchema,
  answers: { 200: 'The document.' },
});

export const getLivenessRoute = plain({
  id: 'getLiveness',
  isStatic: false,
  path: '/livez',
  summary: 'Ask whether the process runs',
  description: 'Says nothing about the store.',
  schema: livenessSchema,
  answers: { 200: 'It runs.' },
});

export const getReadinessRoute = plain({
  id: 'getReadiness',
  isStatic: false,
  path: '/readyz',
  summary: 'Ask whether the process takes traffic',
  description:
    '503 until the store could be read for the first time, and while the process stops. A store that is lost later, or cannot be written, does not change the status: the body then says `degraded`.',
  schema: readinessSchema,
  answers: { 200: 'It does.', 503: 'Not yet, or not any more.' },
});

export const getProblemRoute = plain({
  id: 'getProblem',
  path: '/problems/{slug}',
  summary: 'Read about a problem code',
  description: 'A short text about the code: the `type` of its problems leads here.',
  pathParameters: [slugParameter],
  type: 'text/plain',
  schema: null,
  answers: { 200: 'The text.' },
});

const DAY_LONG = 'public, max-age=86400';
const MINUTES_LONG = 'public, max-age=300';

export interface PlainContext {
  readonly readiness: Readiness;
  /** The text of the OpenAPI document, which takes more than a megabyte. Is called once, for the first request. */
  readonly openApi: () => string;
  readonly index: object;
  readonly basePath: string;
  /** Whether `/` is a page for people, too. */
  readonly hasPages: boolean;
}

/** The endpoints without envelope: the index of the service first. */
export function plainViews({ readiness, openApi, index, basePath, hasPages }: PlainContext): readonly [Endpoint, ...Endpoint[]] {
  const link = serviceDescLink(basePath);
  const finished = ({ type }: PlainRoute, text: string, cacheControl: string, vary: { readonly vary?: string } = {}): FinishedAnswer =>
    new FinishedAnswer({ type: typeOf(type), text, cacheControl, link, etag: entityTagOf(text, false), ...vary });
  const indexAnswer = finished(getIndexRoute, JSON.stringify(index), MINUTES_LONG, hasPages ? { vary: 'Accept' } : {});
  let document: FinishedAnswer | null = null;
  const problems = new Map(PROBLEM_CODES.map((code) => [code, finished(getProblemRoute, problemDescription(code), DAY_LONG)]));
  return [
    plainEndpoint(getIndexRoute, (exchange) => {
      exchange.sendFinished(indexAnswer);
    }),
    plainEndpoint(getOpenApiRoute, (exchange) => {
      document ??= finished(getOpenApiRoute, openApi(), MINUTES_LONG);
      exchange.sendFinished(document);
    }),
    plainEndpoint(getLivenessRoute, (exchange) => {
      sendState(exchange, 200, { status: 'alive' });
    }),
    plainEndpoint(getReadinessRoute, (exchange) => {
      const { status, collector, isSearchBuilding, takesTraffic } = readiness;
      sendState(exchange, takesTraffic ? 200 : 503, {
        status,
        ...(collector !== null && { collector }),
        ...(isSearchBuilding && { search: 'building' }),
      });
    }),
    plainEndpoint(getProblemRoute, (exchange, { slug = '' }) => {
      const code = problemOfSlug(slug);
      const answer = code === null ? undefined : problems.get(code);
      if (answer === undefined) throw new NotFoundError();
      exchange.sendFinished(answer);
    }),
  ];
}

function plainEndpoint(route: PlainRoute, send: (exchange: Exchange, params: PathValues) => void): Endpoint {
  const parse = queryParser(NoQuery);
  return {
    path: route.path,
    spanning: null,
    answer: (exchange: Exchange, params: PathValues) => {
      exchange.requireWithinLimits();
      const parsed = parse(exchange.query);
      if ('violations' in parsed) throw Refusal.ofViolations(parsed.violations);
      send(exchange, params);
    },
  };
}

function sendState(exchange: Exchange, status: 200 | 503, state: Readonly<Record<string, string>>): void {
  exchange.send({ status, type: typeOf('application/json'), body: JSON.stringify(state), cacheControl: NO_STORE });
}

function typeOf(type: PlainRoute['type']): string {
  return `${type}; charset=utf-8`;
}

function problemDescription(code: ProblemCode): string {
  const { title, text } = PROBLEMS[code];
  return `${code} (${String(statusOf(code))})\n${title}.\n\n${text}\n`;
}
