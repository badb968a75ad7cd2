import { nearest } from '@vitrine/core';
import express, { type Express, type Request } from 'express';
import type { Endpoint, PathValues } from './endpoint.js';
import { refusalOf } from './error-mapper.js';
import { Exchange } from './exchange.js';
import { PREFLIGHT_HEADERS } from './headers.js';
import { Refusal } from './refusal.js';
import { methodNotAllowed } from './refusals.js';

/** The Express app: every endpoint under its template, other methods refused, a slash too many redirected, all else unknown. */
export function createRouter(endpoints: readonly Endpoint[]): Express {
  const app = express();
  for (const name of ['x-powered-by', 'etag', 'query parser']) app.set(name, false);
  for (const name of ['case sensitive routing', 'strict routing']) app.set(name, true);
  for (const endpoint of endpoints) app.all(patternOf(endpoint.path), (request) => dispatch(endpoint, request));
  for (const endpoint of endpoints) {
    if (endpoint.path === '/') continue;
    app.all(`${patternOf(endpoint.path)}/`, (request) => {
      withoutSlash(endpoint, request, paths);
    });
  }
  const paths = endpoints.map((endpoint) => endpoint.path);
  app.use((request) => {
    Exchange.of(request).refuse(routeNotFound(request.path, paths));
  });
  return app;
}

/** `/a/{id}` as Express writes it: `/a/:id`. */
function patternOf(template: string): string {
  return template.replace(/\{(\w+)\}/g, ':$1');
}

async function dispatch(endpoint: Endpoint, request: Request): Promise<void> {
  const exchange = Exchange.of(request);
  exchange.route = endpoint.path;
  if (request.method === 'OPTIONS') {
    exchange.sendEmpty(204, PREFLIGHT_HEADERS);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    exchange.refuse(methodNotAllowed());
    return;
  }
  try {
    await endpoint.answer(exchange, pathValues(request));
  } catch (error) {
    const refusal = refusalOf(error, Object.keys(request.params));
    if (refusal.code === 'INTERNAL') exchange.failure = error;
    exchange.refuse(refusal);
  }
}

function withoutSlash(endpoint: Endpoint, request: Request, paths: readonly string[]): void {
  const exchange = Exchange.of(request);
  if (!endpoint.isWellFormed(pathValues(request))) {
    exchange.refuse(routeNotFound(exchange.path, paths));
    return;
  }
  // Begins with the template of a known route, so it can never be read as another host.
  const path = exchange.path.slice(0, -1);
  exchange.sendEmpty(308, { Location: exchange.query === '' ? path : `${path}?${exchange.query}`, 'Cache-Control': 'no-store' });
}

function pathValues(request: Request): PathValues {
  // Decoded by Express, which the early refusals have made safe; repeated parameters do not exist in the table.
  return Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value)]));
}

function routeNotFound(path: string, paths: readonly string[]): Refusal {
  const near = sameEnd(path, paths) ?? nearest(path, paths);
  return new Refusal(
    'ROUTE_NOT_FOUND',
    near === null ? 'There is no such address; /openapi.json lists them all.' : `There is no such address; ${near} is near.`,
  );
}

/** Whoever asks for `/api/v1/incidents` knows what he wants, and not where it is. */
function sameEnd(path: string, paths: readonly string[]): string | null {
  const end = path.slice(path.lastIndexOf('/'));
  return end === '/' ? null : (paths.find((candidate) => candidate.endsWith(end)) ?? null);
}
