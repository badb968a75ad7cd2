import {
  NotFoundError,
  UnavailableError,
  asciiLowerCase,
  formatInstant,
  type Answer,
  type ApprovedRepositories,
  type ComposedAnswer,
  type Instant,
  type UseCaseContext,
  type Warning,
} from '@vitrine/core';
import { createHash } from 'node:crypto';
import { REQUEST_BUDGET_MS } from '../../serving/computations.js';
import {
  NO_STORE,
  PURGE_SEPARATORS,
  cacheControlOf,
  envelopeText,
  isReadable,
  serviceDescLink,
  withMeta,
  type AnswerForm,
  type Outcome,
  type PurgeHeader,
  type Question,
  type Reply,
} from '../../serving/envelope.js';
import { Refusal } from '../../serving/errors.js';
import type { Exchange } from '../../serving/exchange.js';
import { FinishedAnswer, entityTagOf } from '../../serving/finished-answer.js';
import { type Answers, permissionOf, type ApprovedSource, type Permission } from '../../serving/request.js';
import type { DocumentRequest, Endpoint, PathValues } from '../../serving/router.js';
import { queryParser, questionsOf, type AskedRoute, type ParsedQuery } from './parse-query.js';
import type { Links } from './present.js';
import type { Query } from './query.js';
import { spanningParameter, type ApiRoute } from './route.js';

/** What every controller needs beside its use case. */
export interface ControllerContext {
  readonly approved: ApprovedSource;
  readonly answers: Answers;
  /** The addresses of records. */
  readonly links: Links;
  /** The public address of this API, with its base path and without a slash at its end. */
  readonly publicUrl: () => string;
  /** What stands before every path of the API. */
  readonly basePath: string;
  /** Milliseconds that a request may wait for its sources; default {@link REQUEST_BUDGET_MS}. */
  readonly budgetMs?: number;
  /** The header that names the repositories of an answer to caches. Default: none. */
  readonly purgeHeader?: PurgeHeader | null;
}

/** One request as a controller sees it: validated, with one permission for its whole length. */
export interface Call<Q> {
  readonly query: Q;
  readonly params: PathValues;
  readonly signal: AbortSignal;
  /** Everything is read: ends the time limit of the request, and lets others ask the store. */
  readonly haveRead: () => void;
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
    const compute = (signal: AbortSignal, haveRead: () => void): Promise<Outcome> =>
      run(callOf(query, params, { signal, haveRead, pageSize: null }, permission));
    return answers.answer(exchange, { question: questionOf(query, params), permission, form, budgetMs, compute });
  };
  const document = async (request: DocumentRequest): Promise<FinishedAnswer> => {
    const params = inOneCase(request.params);
    const parsed = parse(request.query);
    if ('violations' in parsed) throw Refusal.ofViolations(parsed.violations);
    const given = { signal: request.signal, pageSize: request.pageSize, haveRead: () => undefined };
    const outcome = await run(callOf(parsed.query, params, given, permissionOf(approved)));
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

function callOf<Q>(query: Q, params: PathValues, given: Pick<Call<Q>, 'signal' | 'haveRead' | 'pageSize'>, permission: Permission): Call<Q> {
  return {
    query,
    params,
    ...given,
    context: () => {
      if (permission instanceof UnavailableError) throw permission;
      return { approved: permission, signal: given.signal };
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
export function replyOf(route: ApiRoute, answer: Composed<unknown>, data: unknown, nextCursor: string | null = null): Outcome {
  return {
    data,
    dataStatus: answer.dataStatus,
    nextCursor,
    generatedAt: route.isComposed ? (answer.generatedAt ?? null) : null,
    warnings: answer.warnings,
    changesAt: answer.changesAt,
    shows: answer.data,
  };
}

const KEY_LENGTH = 8;

/**
 * The header that names the repositories of an answer to caches; none when the answer holds none. An answer holds at most a hundred records, so it
 * has at most 900 bytes.
 */
export function purgeHeaders(header: PurgeHeader | null, shows: unknown): Readonly<Record<string, string>> {
  if (header === null) return {};
  const keys = new Set(shownRepositories(shows).map(purgeKeyOf));
  return keys.size === 0 ? {} : { [header]: [...keys].sort().join(PURGE_SEPARATORS[header]) };
}

/** The full names of all repositories in data of any shape, so that caches can drop what shows it when one of them is removed. */
function shownRepositories(data: unknown): readonly string[] {
  const names = new Set<string>();
  collect(data, names);
  return [...names];
}

function collect(data: unknown, names: Set<string>): void {
  if (typeof data !== 'object' || data === null) return;
  if ('repository' in data) addName(data.repository, names);
  if ('fullName' in data) addName(data, names);
  for (const value of data instanceof Map ? data.values() : Object.values(data)) collect(value, names);
}

/** A repository, or its name alone as sources have it. */
function addName(repository: unknown, names: Set<string>): void {
  if (typeof repository === 'string') names.add(repository);
  else if (typeof repository === 'object' && repository !== null && 'fullName' in repository) names.add(String(repository.fullName));
}

/** What `printf %s owner/name | sha256sum | cut -c1-8` prints for the lower-case name. */
function purgeKeyOf(fullName: string): string {
  return createHash('sha256').update(asciiLowerCase(fullName)).digest('hex').slice(0, KEY_LENGTH);
}

const JSON_TYPE = 'application/json; charset=utf-8';

interface JsonFormOptions {
  readonly route: ApiRoute;
  /** What stands before every path of the API. */
  readonly basePath: string;
  /** The header that names the repositories of an answer to caches; `null`: none. */
  readonly purgeHeader: PurgeHeader | null;
}

/** Answers in the envelope of the API. */
function jsonForm(options: JsonFormOptions): AnswerForm {
  const { route, basePath } = options;
  return {
    route,
    finished: (question, outcome) => finishedAnswer(question, options, outcome),
    lastGood: ({ pageAt }, { body, nextCursor, generatedAt, again, madeAt }, now) => {
      const meta = { dataStatus: 'stale', nextCursor, generatedAt, warnings: [lastGoodWarning(madeAt)] } as const;
      const text = again === undefined ? withMeta(body.toString(), meta) : envelopeText({ data: again(now), ...meta });
      return new FinishedAnswer({ type: JSON_TYPE, text, cacheControl: NO_STORE, link: linkOf(basePath, { nextCursor }, pageAt), etag: null });
    },
  };
}

function finishedAnswer({ pageAt }: Question, { route, basePath, purgeHeader }: JsonFormOptions, outcome: Outcome): FinishedAnswer {
  const text = envelopeText(outcome);
  const common = { type: JSON_TYPE, text, link: linkOf(basePath, outcome, pageAt) };
  if (!isReadable(outcome)) return new FinishedAnswer({ ...common, cacheControl: NO_STORE, etag: null });
  return new FinishedAnswer({
    ...common,
    cacheControl: cacheControlOf(outcome.cache ?? route.cache, route.holdsRepositories),
    etag: entityTagOf(text, route.schemas[0].name === 'Repository'),
    headers: route.holdsRepositories ? purgeHeaders(purgeHeader, outcome.shows) : {},
  });
}

function lastGoodWarning(madeAt: Instant): Warning {
  const detail = `The store cannot be read; this is the last good answer, of ${formatInstant(madeAt)}.`;
  return { code: 'SOURCE_UNAVAILABLE', source: 'store', detail };
}

function linkOf(basePath: string, { nextCursor }: Pick<Reply, 'nextCursor'>, pageAt: Question['pageAt']): string {
  const description = serviceDescLink(basePath);
  return nextCursor === null ? description : `<${basePath}${pageAt(nextCursor)}>; rel="next", ${description}`;
}
