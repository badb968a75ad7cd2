import { NotFoundError, UnavailableError, type Answer, type ApprovedRepositories, type ComposedAnswer, type UseCaseContext } from '@vitrine/core';
import type { Admission } from '../resilience/admission.js';
import type { ApprovedSource } from '../http/approved-source.js';
import type { Endpoint, PathValues } from '../http/endpoint.js';
import { envelopeText, type Reply } from '../http/envelope.js';
import { refusalOf, STATUS_OF } from '../http/error-mapper.js';
import type { Exchange } from '../http/exchange.js';
import { cacheControlOf, NO_STORE, type CachePolicy, type PurgeHeader } from '../http/headers.js';
import { Refusal } from '../http/refusal.js';
import { REQUEST_BUDGET_MS, withinBudget } from '../resilience/request-budget.js';
import type { Presenters } from '../presenters/create-presenters.js';
import { queryParser } from '../requests/parse-query.js';
import type { Query } from '../requests/query.js';
import { spanningParameter, type ApiRoute } from '../routes/route.js';
import type { KeepableReply, LastGood, Question, StaleReply } from './last-good.js';
import { purgeHeaders } from './purge-keys.js';

/** What every controller needs beside its use case. */
export interface ControllerContext {
  readonly approved: ApprovedSource;
  readonly admission: Admission;
  readonly lastGood: LastGood;
  readonly present: Presenters;
  /** What stands before every path of the API. */
  readonly basePath: string;
  /** Milliseconds for one request; default {@link REQUEST_BUDGET_MS}. */
  readonly budgetMs?: number;
  /** Names the repositories of an answer to caches; default: nothing does. */
  readonly purgeHeader?: PurgeHeader | null;
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

export type Composed<Data> = Answer<Data> & Partial<Pick<ComposedAnswer<Data>, 'generatedAt'>>;

type Outcome = KeepableReply & { readonly cache?: CachePolicy };

type Permission = ApprovedRepositories | UnavailableError;

/** Mounts one route: parse, call within the request's budget, send; the last good answer in the place of none. */
export function apiEndpoint<Q extends Query>(route: ApiRoute<Q>, context: ControllerContext, run: (call: Call<Q>) => Promise<Outcome>): Endpoint {
  const { approved, admission, lastGood, budgetMs = REQUEST_BUDGET_MS, purgeHeader = null } = context;
  const ownBudgetMs = Math.min(budgetMs, route.budgetMs ?? Infinity);
  const parse = queryParser(route.query);
  const isWellFormed = (params: PathValues): boolean => route.pathParameters.every((known) => known.isWellFormed(params[known.name] ?? ''));

  const answer = async (exchange: Exchange, params: PathValues): Promise<void> => {
    const parsed = parse(exchange.query);
    if ('violations' in parsed) throw Refusal.ofViolations(parsed.violations);
    const question: Question = { route, query: parsed.query, params };
    const permission = permissionOf(approved);
    // Under the allowlist of this moment: what has left it since the request began is not shown any more.
    const sendsCopy = (): boolean => sendStale(exchange, lastGood.find(question, revisionOf(permissionOf(approved))));
    const admitted = (signal: AbortSignal): Promise<Outcome> =>
      admission.run(route.isVital, signal, () => run(callOf(parsed.query, params, signal, permission)));
    const recovers = (error: unknown): boolean => {
      if (error instanceof NotFoundError) lastGood.forget(question, revisionOf(permission));
      if (!isFailure(error) || !sendsCopy()) return false;
      if (!(error instanceof UnavailableError)) exchange.failure = error;
      return true;
    };
    try {
      const outcome = await withinBudget(exchange, ownBudgetMs, admitted);
      if (outcome.dataStatus === 'unavailable' && sendsCopy()) return;
      const body = send(exchange, route, outcome, purgeHeader);
      if (isReadable(outcome)) lastGood.keep(question, revisionOf(permission), outcome, body);
    } catch (error) {
      if (!recovers(error)) throw error;
    }
  };
  return { path: route.path, spanning: spanningParameter(route), isWellFormed, answer };
}

function permissionOf(approved: ApprovedSource): Permission {
  try {
    return approved.current();
  } catch (error) {
    if (error instanceof UnavailableError) return error;
    throw error;
  }
}

function revisionOf(permission: Permission): string | null {
  return permission instanceof UnavailableError ? null : permission.revision;
}

function callOf<Q>(query: Q, params: PathValues, signal: AbortSignal, permission: Permission): Call<Q> {
  return {
    query,
    params,
    signal,
    context: () => {
      if (permission instanceof UnavailableError) throw permission;
      return { approved: permission, signal };
    },
    approvedOrNull: () => (permission instanceof UnavailableError ? null : permission),
  };
}

/** Whether it is not the request that is to blame. */
function isFailure(error: unknown): boolean {
  return STATUS_OF[refusalOf(error).code] >= 500;
}

/** Whether every part of it could be read. A source that is late or incomplete is no better a moment later. */
function isReadable({ warnings, dataStatus }: Reply): boolean {
  return dataStatus !== 'unavailable' && warnings.every(({ code }) => code !== 'SOURCE_UNAVAILABLE');
}

function send(exchange: Exchange, route: ApiRoute, outcome: Outcome, purgeHeader: PurgeHeader | null): Buffer {
  const body = Buffer.from(envelopeText(outcome));
  const isKept = isReadable(outcome);
  const cacheControl = isKept ? cacheControlOf(outcome.cache ?? route.cache, route.holdsRepositories) : NO_STORE;
  const headers = isKept && route.holdsRepositories ? purgeHeaders(purgeHeader, outcome.data) : {};
  exchange.send({ status: 200, type: JSON_TYPE, body, cacheControl, headers, ...nextLink(exchange, outcome) });
  return body;
}

/** Whether there was a copy to send. */
function sendStale(exchange: Exchange, copy: StaleReply | null): boolean {
  if (copy === null) return false;
  const { body, age, nextCursor } = copy;
  const headers = { Age: String(age) };
  exchange.send({ status: 200, type: JSON_TYPE, body, cacheControl: NO_STORE, headers, ...nextLink(exchange, { nextCursor }) });
  return true;
}

const JSON_TYPE = 'application/json; charset=utf-8';

function nextLink(exchange: Exchange, { nextCursor }: Pick<Reply, 'nextCursor'>): { readonly link?: string } {
  return nextCursor === null ? {} : { link: `<${nextAddress(exchange, nextCursor)}>; rel="next"` };
}

/** The request's own address with the cursor of the next page. */
function nextAddress(exchange: Exchange, cursor: string): string {
  const kept = exchange.query.split('&').filter((pair) => pair !== '' && !isCursor(pair));
  const address = `${exchange.basePath}${exchange.path}?${[...kept, `cursor=${cursor}`].join('&')}`;
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
    warnings: answer.warnings,
  };
}
