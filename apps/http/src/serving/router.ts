import type { RequestListener } from 'node:http';
import { nearest } from '@vitrine/core';
import { type Request, type Response, Router } from 'express';
import { Refusal, refusalOf } from './errors.js';
import { Exchange } from './exchange.js';
import { PREFLIGHT_HEADERS } from './envelope.js';
import { methodNotAllowed } from './refusals.js';

/**
 * The router of Express. It answers every endpoint, rejects other methods, redirects a trailing slash, and answers every other path with 404. An app of Express
 * would also change the prototypes of both objects for every request, which is slow on Node 20.
 */
export function createRouter(endpoints: readonly Endpoint[]): RequestListener {
  const router = Router({ caseSensitive: true });
  const paths = endpoints.map((endpoint) => endpoint.path);
  // Unlike `router.all`, `route` adds one handler, not one for each method.
  for (const endpoint of endpoints) router.route(patternOf(endpoint)).all((request) => handle(request, endpoint));
  return (request, response) => {
    // The router adds the parameters of the path, and its handlers read nothing else of Express.
    router(request as Request, response as Response, (error?: unknown) => {
      const exchange = Exchange.of(request);
      refuse(exchange, error ?? routeNotFound(exchange, paths));
    });
  };
}

/** The template in the syntax of Express: `/a/{id}` becomes `/a/:id`, or `/a/*id` if the value may contain slashes. The root has no address with a trailing slash. */
function patternOf({ path, spanning }: Endpoint): string | RegExp {
  if (path === '/') return /^\/$/;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => `${name === spanning ? '*' : ':'}${name}`);
}

/** A route also matches the address with a slash at its end, and with more of them after a value that may contain slashes. */
async function handle(request: Request, endpoint: Endpoint): Promise<void> {
  const exchange = Exchange.of(request);
  try {
    const isSlashed = exchange.path !== '/' && exchange.path.endsWith('/');
    const values = pathValues(request, isSlashed);
    if (values === null || exchange.path.endsWith('//')) throw routeNotFound(exchange, []);
    if (isSlashed) redirect(exchange);
    else await dispatch(endpoint, exchange, values);
  } catch (error) {
    refuse(exchange, error, Object.keys(request.params));
  }
}

function refuse(exchange: Exchange, error: unknown, pathParameters: readonly string[] = []): void {
  const refusal = refusalOf(error, pathParameters);
  if (refusal.code === 'INTERNAL') exchange.failure = error;
  exchange.refuse(refusal);
}

function dispatch(endpoint: Endpoint, exchange: Exchange, values: PathValues): Promise<void> | void {
  const { method } = exchange.request;
  exchange.route = endpoint.path;
  if (method === 'GET' || method === 'HEAD') return endpoint.answer(exchange, values);
  if (method !== 'OPTIONS') throw methodNotAllowed();
  exchange.sendEmpty(204, PREFLIGHT_HEADERS);
}

/** Sends the address without its trailing slash. The path begins with a known template, so browsers cannot read it as another host. */
function redirect(exchange: Exchange): void {
  exchange.requireWithinLimits();
  const path = exchange.basePath + exchange.path.slice(0, -1);
  exchange.sendEmpty(308, { Location: exchange.query === '' ? path : `${path}?${exchange.query}`, 'Cache-Control': 'no-store' });
}

const IS_NO_NAME: ReadonlySet<string> = new Set(['', '.', '..']);

/** `null` if a value with slashes has an empty, `.` or `..` segment, because proxies and clients change such a path. */
function pathValues(request: Request, isSlashed: boolean): PathValues | null {
  // Express has decoded each segment. This cannot fail, because malformed targets were rejected earlier. A parameter that may contain slashes has matched the trailing one, too.
  const segmentsOf = (value: string | string[]): readonly string[] => (Array.isArray(value) ? value.slice(0, isSlashed ? -1 : undefined) : [value]);
  const values = Object.entries(request.params).map(([name, value]) => [name, segmentsOf(value)] as const);
  if (values.some(([, segments]) => segments.length > 1 && segments.some((segment) => IS_NO_NAME.has(segment)))) return null;
  return Object.fromEntries(values.map(([name, segments]) => [name, segments.join('/')]));
}

function routeNotFound({ path, basePath }: Exchange, paths: readonly string[]): Refusal {
  const near = sameEnd(path, paths) ?? nearest(path, paths);
  return new Refusal(
    'ROUTE_NOT_FOUND',
    near === null
      ? `There is no such address. ${basePath}/openapi.json lists all of them.`
      : `There is no such address. Did you mean ${basePath}${near}?`,
  );
}

/** The known path with the same last segment: for `/api/v1/incidents` it is `/api/v1/status/incidents`. */
function sameEnd(path: string, paths: readonly string[]): string | null {
  const end = path.slice(path.lastIndexOf('/'));
  return end === '/' ? null : (paths.find((candidate) => candidate.endsWith(end)) ?? null);
}

export type PathValues = Readonly<Record<string, string>>;

/** A request for a document that no client has sent. */
export interface DocumentRequest {
  readonly params: PathValues;
  /** The query, without its question mark; empty for none. */
  readonly query: string;
  /** How many records a list has; `null`: as many as the query says. It may exceed what clients may ask for. */
  readonly pageSize: number | null;
  readonly signal: AbortSignal;
}

export interface Endpoint {
  /** The path template, with `{name}` for each parameter. */
  readonly path: string;
  /** The last parameter of the path, if its value may contain slashes: `a/b` as well as `a%2Fb`. */
  readonly spanning?: string | undefined;
  readonly answer: (exchange: Exchange, params: PathValues) => Promise<void> | void;
  /**
   * The body of the same answer without a client, for copies of the site: computed now, not limited, and never from the cache. Rejects as `answer` throws, and with an
   * `UnavailableError` if a part of it cannot be read. Absent: copies do not have it.
   */
  readonly document?: (request: DocumentRequest) => Promise<string | Buffer>;
}
