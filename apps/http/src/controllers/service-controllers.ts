import { NotFoundError } from '@vitrine/core';
import { entityTagOf, FinishedAnswer } from '../serving/finished-answer.js';
import type { Endpoint, PathValues } from '../serving/router.js';
import { STATUS_OF, PROBLEM_CODES, PROBLEMS, problemOfSlug, Refusal, type ProblemCode } from '../serving/errors.js';
import type { Exchange } from '../serving/exchange.js';
import { NO_STORE, serviceDescLink } from '../serving/headers.js';
import type { Readiness } from '../serving/lifecycle.js';
import { indexBody } from './index-body.js';
import { queryParser } from '../requests/parse-query.js';
import { NoQuery } from '../requests/query.js';
import type { PlainRoute } from '../routes/route.js';
import { routes } from '../routes/table.js';

const DAY_LONG = 'public, max-age=86400';
const MINUTES_LONG = 'public, max-age=300';

export interface ServiceContext {
  readonly readiness: Readiness;
  /** The text of the OpenAPI document, which takes more than a megabyte. Is called once, for the first request. */
  readonly openApi: () => string;
  /** What stands before every path. */
  readonly basePath: string;
  /** Whether `/` is a page for people, too. */
  readonly hasPages: boolean;
}

export function serviceControllers({ readiness, openApi, basePath, hasPages }: ServiceContext): readonly Endpoint[] {
  const link = serviceDescLink(basePath);
  const finished = ({ type }: PlainRoute, text: string, cacheControl: string, vary: { readonly vary?: string } = {}): FinishedAnswer =>
    new FinishedAnswer({ type: typeOf(type), text, cacheControl, link, etag: entityTagOf(text, false), ...vary });
  const index = finished(routes.getIndex, JSON.stringify(indexBody(basePath)), MINUTES_LONG, hasPages ? { vary: 'Accept' } : {});
  let document: FinishedAnswer | null = null;
  const problems = new Map(PROBLEM_CODES.map((code) => [code, finished(routes.getProblem, problemDescription(code), DAY_LONG)]));
  return [
    plainEndpoint(routes.getIndex, (exchange) => {
      exchange.sendFinished(index);
    }),
    plainEndpoint(routes.getOpenApi, (exchange) => {
      document ??= finished(routes.getOpenApi, openApi(), MINUTES_LONG);
      exchange.sendFinished(document);
    }),
    plainEndpoint(routes.getLiveness, (exchange) => {
      sendState(exchange, 200, { status: 'alive' });
    }),
    plainEndpoint(routes.getReadiness, (exchange) => {
      const { status, collector, isSearchBuilding, takesTraffic } = readiness;
      sendState(exchange, takesTraffic ? 200 : 503, {
        status,
        ...(collector !== null && { collector }),
        ...(isSearchBuilding && { search: 'building' }),
      });
    }),
    plainEndpoint(routes.getProblem, (exchange, { slug = '' }) => {
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
    isWellFormed: (params) => route.pathParameters.every((known) => known.isWellFormed(params[known.name] ?? '')),
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
  return `${code} (${String(STATUS_OF[code])})\n${title}.\n\n${text}\n`;
}
