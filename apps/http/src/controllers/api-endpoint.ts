import {
  asciiLowerCase,
  NotFoundError,
  UnavailableError,
  type Answer,
  type ApprovedRepositories,
  type ComposedAnswer,
  type UseCaseContext,
} from '@vitrine/core';
import { permissionOf, type ApprovedSource, type Answers, type Permission } from '../serving/request.js';
import type { FinishedAnswer } from '../serving/finished-answer.js';
import type { DocumentRequest, Endpoint, PathValues } from '../serving/router.js';
import { isReadable, type Reply, type AnswerForm, type Outcome } from '../serving/envelope.js';
import type { Exchange } from '../serving/exchange.js';
import type { PurgeHeader } from '../serving/headers.js';
import { Refusal } from '../serving/errors.js';
import type { Presenters } from '../presenters/create-presenters.js';
import { queryParser, type ParsedQuery } from '../requests/parse-query.js';
import type { Query } from '../requests/query.js';
import { REQUEST_BUDGET_MS } from '../serving/computations.js';
import { spanningParameter, type ApiRoute } from '../routes/route.js';
import { jsonForm } from './json-form.js';
import { questionsOf, type AskedRoute } from './question.js';

/** What every controller needs beside its use case. */
export interface ControllerContext {
  readonly approved: ApprovedSource;
  readonly answers: Answers;
  readonly present: Presenters;
  /** What stands before every path of the API. */
  readonly basePath: string;
  /** Milliseconds for one request; default {@link REQUEST_BUDGET_MS}. */
  readonly budgetMs?: number;
  /** The header that names the repositories of an answer to caches. Default: none. */
  readonly purgeHeader?: PurgeHeader | null;
}

/** One request as a controller sees it: validated, with one permission for its whole length. */
export interface Call<Q> {
  readonly query: Q;
  readonly params: PathValues;
  readonly signal: AbortSignal;
  /** For use cases that read repository data. Throws an `UnavailableError` without a readable allowlist. */
  readonly context: () => UseCaseContext;
  /** How many records a list has; `null`: as many as the query says. */
  readonly pageSize: number | null;
  /** The same permission, or `null`. */
  readonly approvedOrNull: () => ApprovedRepositories | null;
}

export type Composed<Data> = Answer<Data> & Partial<Pick<ComposedAnswer<Data>, 'generatedAt'>>;

/** Mounts one route of the API: reads the request, and lets {@link Answers} answer it, with a call within its budget where it has to be computed. */
export function apiEndpoint<Q extends Query>(route: ApiRoute<Q>, context: ControllerContext, run: (call: Call<Q>) => Promise<Outcome>): Endpoint {
  const { basePath, purgeHeader = null } = context;
  return answeredEndpoint({ route, form: jsonForm({ route, basePath, purgeHeader }), parse: queryParser(route.query), run }, context);
}

type AnsweredRoute<Q extends Query> = AskedRoute<Q> & Pick<ApiRoute, 'isSearch' | 'isVital' | 'budgetMs'>;

/** How an endpoint reads its requests, computes its answers and writes them. */
export interface EndpointParts<Q extends Query> {
  readonly route: AnsweredRoute<Q>;
  readonly form: AnswerForm;
  readonly parse: (text: string) => ParsedQuery<Q>;
  readonly run: (call: Call<Q>) => Promise<Outcome>;
}

/** The dependencies of every endpoint besides its use case. */
export type EndpointContext = Pick<ControllerContext, 'approved' | 'answers' | 'budgetMs'>;

/** Mounts one route whose answers are kept and shared. */
export function answeredEndpoint<Q extends Query>({ route, form, parse, run }: EndpointParts<Q>, context: EndpointContext): Endpoint {
  const { approved, answers } = context;
  const budgetMs = Math.min(context.budgetMs ?? REQUEST_BUDGET_MS, route.budgetMs ?? Infinity);
  const questionOf = questionsOf(route);
  const inOneCase = caseFolding(route);
  const isWellFormed = (params: PathValues): boolean => route.pathParameters.every((known) => known.isWellFormed(params[known.name] ?? ''));

  const answer = (exchange: Exchange, spelt: PathValues): Promise<void> => {
    const params = inOneCase(spelt);
    const parsed = parse(exchange.query);
    if ('violations' in parsed) throw exchange.limited(route.isSearch) ?? Refusal.ofViolations(parsed.violations);
    const { query } = parsed;
    const permission = permissionOf(approved);
    const compute = (signal: AbortSignal): Promise<Outcome> => run(callOf(query, params, { signal, pageSize: null }, permission));
    return answers.answer(exchange, { question: questionOf(query, params), permission, form, budgetMs, compute });
  };
  const document = async (request: DocumentRequest): Promise<FinishedAnswer> => {
    const params = inOneCase(request.params);
    const parsed = parse(request.query);
    if ('violations' in parsed) throw Refusal.ofViolations(parsed.violations);
    const outcome = await run(callOf(parsed.query, params, request, permissionOf(approved)));
    if (!isReadable(outcome)) throw new UnavailableError();
    return form.finished(questionOf(parsed.query, params), outcome);
  };
  return { path: route.path, spanning: spanningParameter(route), isWellFormed, answer, document };
}

/** Gives path texts that name the same the same spelling. Otherwise each spelling of a name would be computed and kept. */
function caseFolding({ pathParameters }: Pick<ApiRoute, 'pathParameters'>): (params: PathValues) => PathValues {
  const names = pathParameters.flatMap(({ name, ignoresCase }) => (ignoresCase === true ? name : []));
  if (names.length === 0) return (params) => params;
  return (params) => ({ ...params, ...Object.fromEntries(names.map((name) => [name, asciiLowerCase(params[name] ?? '')])) });
}

function callOf<Q>(
  query: Q,
  params: PathValues,
  { signal, pageSize }: Pick<DocumentRequest, 'signal' | 'pageSize'>,
  permission: Permission,
): Call<Q> {
  return {
    query,
    params,
    signal,
    pageSize,
    context: () => {
      if (permission instanceof UnavailableError) throw permission;
      return { approved: permission, signal };
    },
    approvedOrNull: () => (permission instanceof UnavailableError ? null : permission),
  };
}

/** Malformed ids give 404 before anything is read. */
export function wellFormed(route: Pick<ApiRoute, 'pathParameters'>, params: PathValues): PathValues {
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
    changesAt: answer.changesAt,
  };
}
