import { NotFoundError, UnavailableError, type Answer, type ApprovedRepositories, type ComposedAnswer, type UseCaseContext } from '@vitrine/core';
import type { ApprovedSource } from '../http/approved-source.js';
import type { Endpoint, PathValues } from '../http/endpoint.js';
import { envelopeText, type Reply } from '../http/envelope.js';
import type { Exchange } from '../http/exchange.js';
import { cacheControlOf, NO_STORE, type CachePolicy } from '../http/headers.js';
import { Refusal } from '../http/refusal.js';
import { REQUEST_BUDGET_MS, withinBudget } from '../http/request-budget.js';
import { queryParser } from '../requests/parse-query.js';
import type { Query } from '../requests/query.js';
import type { ApiRoute } from '../routes/route.js';

/** What every controller needs beside its use case. */
export interface ControllerContext {
  readonly approved: ApprovedSource;
  /** Milliseconds for one request; default {@link REQUEST_BUDGET_MS}. */
  readonly budgetMs?: number;
}

/** One request as a controller sees it: validated, with one permission for its whole length. */
export interface Call<Q> {
  readonly query: Q;
  readonly params: PathValues;
  readonly signal: AbortSignal;
  /** For use cases that read repository data. Throws an `UnavailableError` without a readable allowlist. */
  readonly context: () => UseCaseContext;
  /** The same permission, or `null`. */
  readonly approvedOrNull: () => ApprovedRepositories | null;
}

export type Composed<Data> = Answer<Data> & Partial<Pick<ComposedAnswer<Data>, 'warnings' | 'generatedAt'>>;

type Outcome = Reply & { readonly cache?: CachePolicy };

/** Mounts one route: parse, call within the request's budget, send. */
export function apiEndpoint<Q extends Query>(
  route: ApiRoute<Q>,
  { approved, budgetMs = REQUEST_BUDGET_MS }: ControllerContext,
  run: (call: Call<Q>) => Promise<Outcome>,
): Endpoint {
  const parse = queryParser(route.query);
  const isWellFormed = (params: PathValues): boolean => route.pathParameters.every((known) => known.isWellFormed(params[known.name] ?? ''));
  const answer = async (exchange: Exchange, params: PathValues): Promise<void> => {
    const parsed = parse(exchange.query);
    if ('violations' in parsed) throw Refusal.ofViolations(parsed.violations);
    const outcome = await withinBudget(exchange, budgetMs, (signal) => run(callOf(parsed.query, params, signal, approved)));
    send(exchange, route, outcome);
  };
  return { path: route.path, isWellFormed, answer };
}

function callOf<Q>(query: Q, params: PathValues, signal: AbortSignal, approved: ApprovedSource): Call<Q> {
  return {
    query,
    params,
    signal,
    context: () => ({ approved: approved.current(), signal }),
    approvedOrNull: () => {
      try {
        return approved.current();
      } catch (error) {
        if (error instanceof UnavailableError) return null;
        throw error;
      }
    },
  };
}

function send(exchange: Exchange, route: ApiRoute, outcome: Outcome): void {
  const isWhole = outcome.warnings.length === 0 && (outcome.dataStatus === 'fresh' || outcome.dataStatus === 'unknown');
  exchange.send({
    status: 200,
    type: 'application/json; charset=utf-8',
    body: envelopeText(outcome),
    cacheControl: isWhole ? cacheControlOf(outcome.cache ?? route.cache) : NO_STORE,
    ...(outcome.nextCursor === null ? {} : { link: `<${nextAddress(exchange, outcome.nextCursor)}>; rel="next"` }),
  });
}

/** The request's own address with the cursor of the next page. */
function nextAddress(exchange: Exchange, cursor: string): string {
  const kept = exchange.query.split('&').filter((pair) => pair !== '' && !isCursor(pair));
  const address = `${exchange.path}?${[...kept, `cursor=${cursor}`].join('&')}`;
  return address.replace(/[<>"]/g, encodeURIComponent);
}

function isCursor(pair: string): boolean {
  return decodeURIComponent(pair.split('=', 1)[0] ?? '') === 'cursor';
}

/** Path texts that can name nothing are answered like what does not exist, before anything is read. */
export function wellFormed(route: ApiRoute, params: PathValues): PathValues {
  if (!route.pathParameters.every((known) => known.isWellFormed(params[known.name] ?? ''))) throw new NotFoundError();
  return params;
}

/** The reply of an answer, once its data is presented. */
export function replyOf(route: ApiRoute, answer: Composed<unknown>, data: unknown, nextCursor: string | null = null): Reply {
  return {
    data,
    dataStatus: answer.dataStatus,
    nextCursor,
    generatedAt: route.isComposed ? (answer.generatedAt ?? null) : null,
    warnings: answer.warnings ?? [],
  };
}
