import { NotFoundError } from '@vitrine/core';
import type { Endpoint, PathValues } from '../http/endpoint.js';
import type { Exchange } from '../http/exchange.js';
import { NO_STORE } from '../http/headers.js';
import { PROBLEMS, problemOfSlug } from '../http/problem-codes.js';
import type { Readiness } from '../http/readiness.js';
import { STATUS_OF } from '../http/error-mapper.js';
import { Refusal } from '../http/refusal.js';
import { indexBody } from './index-body.js';
import { queryParser } from '../requests/parse-query.js';
import { NoQuery } from '../requests/query.js';
import type { PlainRoute } from '../routes/route.js';
import { routes } from '../routes/table.js';

interface PlainAnswer {
  readonly status: number;
  readonly body: string;
  readonly cacheControl: string;
}

const DAY_LONG = 'public, max-age=86400';
const MINUTES_LONG = 'public, max-age=300';

/** @param openApi text of the OpenAPI document  @param basePath what stands before every path */
export function serviceControllers(readiness: Readiness, openApi: string, basePath: string): readonly Endpoint[] {
  const index = JSON.stringify(indexBody(basePath));
  return [
    plainEndpoint(routes.getIndex, () => ({ status: 200, body: index, cacheControl: MINUTES_LONG })),
    plainEndpoint(routes.getOpenApi, () => ({ status: 200, body: openApi, cacheControl: MINUTES_LONG })),
    plainEndpoint(routes.getLiveness, () => ({ status: 200, body: '{"status":"alive"}', cacheControl: NO_STORE })),
    plainEndpoint(routes.getReadiness, () => ({
      status: readiness.takesTraffic ? 200 : 503,
      body: JSON.stringify({ status: readiness.status }),
      cacheControl: NO_STORE,
    })),
    plainEndpoint(routes.getProblem, ({ slug = '' }) => ({ status: 200, body: problemDescription(slug), cacheControl: DAY_LONG })),
  ];
}

function plainEndpoint(route: PlainRoute, answer: (params: PathValues) => PlainAnswer): Endpoint {
  const parse = queryParser(NoQuery);
  return {
    path: route.path,
    spanning: null,
    isWellFormed: (params) => route.pathParameters.every((known) => known.isWellFormed(params[known.name] ?? '')),
    answer: (exchange: Exchange, params: PathValues) => {
      const parsed = parse(exchange.query);
      if ('violations' in parsed) throw Refusal.ofViolations(parsed.violations);
      exchange.send({ type: `${route.type}; charset=utf-8`, ...answer(params) });
    },
  };
}

function problemDescription(slug: string): string {
  const code = problemOfSlug(slug);
  if (code === null) throw new NotFoundError();
  const { title, text } = PROBLEMS[code];
  return `${code} (${String(STATUS_OF[code])})\n${title}.\n\n${text}\n`;
}
