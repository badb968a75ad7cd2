import { NotFoundError } from '@vitrine/core';
import { NO_STORE, serviceDescLink } from '../serving/envelope.js';
import { problemOfSlug, PROBLEMS, Refusal, statusOf } from '../serving/errors.js';
import type { Exchange } from '../serving/exchange.js';
import { type FinishedAnswer, fixedAnswer } from '../serving/finished-answer.js';
import type { Endpoint, PathValues } from '../serving/router.js';
import { patternParameter } from './shared/path-parameters.js';
import { queryParser } from './shared/parse-query.js';
import { NoQuery } from './shared/parameters.js';
import type { PlainContext, PlainRoute } from './shared/route.js';
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

type PlainFacts = Omit<PlainRoute, 'kind' | 'tag' | 'type' | 'pathParameters'> & Partial<Pick<PlainRoute, 'type' | 'pathParameters'>>;

const plain = (facts: PlainFacts): PlainRoute => ({ kind: 'plain', tag: 'Service', type: 'application/json', pathParameters: [], ...facts });

export const getIndexRoute = plain({
  id: 'getIndex',
  path: '/',
  summary: 'Get the index of the service',
  description: 'Where to go from here. A browser, which prefers `text/html`, gets the overview as a page.',
  hasPage: true,
  schema: indexSchema,
  answers: { 200: 'The index.' },
  text: (_params, { index }) => JSON.stringify(index),
});

export const getOpenApiRoute = plain({
  id: 'getOpenApi',
  path: '/openapi.json',
  summary: 'Get this document',
  description: 'This document, made from the table that the service routes by.',
  schema: openApiSchema,
  answers: { 200: 'The document.' },
  text: (_params, { openApi }) => openApi(),
});

export const getLivenessRoute = plain({
  id: 'getLiveness',
  path: '/livez',
  summary: 'Ask whether the process runs',
  description: 'Says nothing about the store.',
  schema: livenessSchema,
  answers: { 200: 'It runs.' },
  state: () => [200, { status: 'alive' }],
});

export const getReadinessRoute = plain({
  id: 'getReadiness',
  path: '/readyz',
  summary: 'Ask whether the process takes traffic',
  description:
    '503 until the store could be read for the first time, and while the process stops. A store that is lost later, or cannot be written, does not change the status: the body then says `degraded`.',
  schema: readinessSchema,
  answers: { 200: 'It does.', 503: 'Not yet, or not any more.' },
  state: ({ readiness: { status, collector, isSearchBuilding, takesTraffic } }) => [
    takesTraffic ? 200 : 503,
    { status, ...(collector !== null && { collector }), ...(isSearchBuilding && { search: 'building' }) },
  ],
});

export const getProblemRoute = plain({
  id: 'getProblem',
  path: '/problems/{slug}',
  summary: 'Read about a problem code',
  description: 'A short text about the code: the `type` of its problems leads here.',
  pathParameters: [
    patternParameter(/^[a-z]+(-[a-z]+)*$/, { name: 'slug', description: 'The code in lower case, with hyphens.', example: 'invalid-parameter' }),
  ],
  type: 'text/plain',
  schema: null,
  answers: { 200: 'The text.' },
  text: ({ slug = '' }) => problemDescription(slug),
  maxAge: 86_400,
});

function problemDescription(slug: string): string {
  const code = problemOfSlug(slug);
  if (code === null) throw new NotFoundError();
  const { title, text } = PROBLEMS[code];
  return `${code} (${String(statusOf(code))})\n${title}.\n\n${text}\n`;
}

const MINUTES_LONG = 300;

export function plainEndpoint(route: PlainRoute, context: PlainContext): Endpoint {
  const { path, state, text, hasPage, maxAge = MINUTES_LONG } = route;
  const parse = queryParser(NoQuery);
  const type = `${route.type}; charset=utf-8`;
  const link = serviceDescLink(context.basePath);
  const vary = hasPage === true && context.hasPages ? { vary: 'Accept' } : {};
  const kept = new Map<string, FinishedAnswer>();
  const cacheControl = `public, max-age=${String(maxAge)}`;
  const answer = (exchange: Exchange, params: PathValues): void => {
    exchange.requireWithinLimits();
    const parsed = parse(exchange.query);
    if ('violations' in parsed) throw Refusal.ofViolations(parsed.violations);
    if (state !== undefined) {
      const [status, body] = state(context);
      exchange.send({ status, type, body: JSON.stringify(body), cacheControl: NO_STORE });
      return;
    }
    // By the decoded values: a path has more spellings than there is memory.
    const key = Object.values(params).join('/');
    const known = kept.get(key) ?? fixedAnswer({ type, text: text?.(params, context) ?? '', cacheControl, link, ...vary });
    kept.set(key, known);
    exchange.sendFinished(known);
  };
  return { path, answer };
}
