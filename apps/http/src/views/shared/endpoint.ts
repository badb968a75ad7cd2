import {
  NotFoundError,
  UnavailableError,
  asciiLowerCase,
  formatInstant,
  type Answer,
  type ApprovedRepositories,
  type ComposedAnswer,
  type Clock,
  type Deadlines,
  type Instant,
  type UseCaseContext,
  type UseCases,
  type Warning,
} from '@vitrine/core';
import type { EntryLinks } from '@vitrine/feeds';
import type { SiteCopy, TextRenderer } from '@vitrine/pages';
import {
  NO_STORE,
  cacheControlOf,
  envelopeText,
  isReadable,
  purgeHeaders,
  serviceDescLink,
  withMeta,
  type AnswerForm,
  type LastGood,
  type Outcome,
  type PurgeHeader,
  type Question,
  type Reply,
} from '../../serving/envelope.js';
import { Refusal } from '../../serving/errors.js';
import type { Exchange } from '../../serving/exchange.js';
import { FinishedAnswer, entityTagOf, type AnswerParts } from '../../serving/finished-answer.js';
import { type Answers, permissionOf, type ApprovedSource, type Permission } from '../../serving/request.js';
import type { DocumentRequest, Endpoint, PathValues } from '../../serving/router.js';
import { queryParser, questionsOf, type AskedRoute, type ParsedQuery } from './parse-query.js';
import type { Links } from './present.js';
import type { Query } from './query.js';
import { spanningParameter, type ApiRoute } from './route.js';

export interface ViewContext {
  readonly useCases: UseCases;
  readonly approved: ApprovedSource;
  readonly answers: Answers;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly budgetMs: number;
  readonly basePath: string;
  /** The public address, with the base path and without a slash at its end. */
  readonly publicUrl: string;
  readonly links: Links;
  /** The same for feeds: absolute. */
  readonly entryLinks: EntryLinks;
  /** The header that names the repositories of an answer to caches; `null`: none. */
  readonly purgeHeader: PurgeHeader | null;
  /** The name of the site, in titles of feeds. */
  readonly title: string;
  readonly texts: TextRenderer;
  readonly hasPages: boolean;
  /** The copy of the site that is made; `null`: the site is served. */
  readonly copy: SiteCopy | null;
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
export function apiEndpoint<Q extends Query>(route: ApiRoute<Q>, context: ViewContext, run: (call: Call<Q>) => Promise<Outcome>): Endpoint {
  return answeredEndpoint({ route, form: jsonForm(route, context), parse: queryParser(route.query), run }, context);
}

type AnsweredRoute<Q extends Query> = AskedRoute<Q> & Pick<ApiRoute, 'isSearch' | 'isVital' | 'budgetMs'>;

export interface EndpointParts<Q extends Query> {
  readonly route: AnsweredRoute<Q>;
  readonly form: AnswerForm;
  readonly parse: (text: string) => ParsedQuery<Q>;
  readonly run: (call: Call<Q>) => Promise<Outcome>;
}

/** Mounts one route whose answers are kept and shared. */
export function answeredEndpoint<Q extends Query>({ route, form, parse, run }: EndpointParts<Q>, context: ViewContext): Endpoint {
  const { approved, answers } = context;
  const budgetMs = Math.min(context.budgetMs, route.budgetMs ?? Infinity);
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

const JSON_TYPE = 'application/json; charset=utf-8';

export interface Writing {
  readonly route: Pick<ApiRoute, 'cache' | 'holdsRepositories' | 'isSearch' | 'isVital'>;
  readonly purgeHeader: PurgeHeader | null;
  /** Whether the answer's own records are repositories. */
  readonly isOfRepositories: boolean;
  readonly textOf: (outcome: Outcome) => string | Buffer;
  /** What the answer has beside its text and what caches need. */
  readonly partsOf: (
    text: string | Buffer,
    question: Question,
    page: Pick<Reply, 'nextCursor'>,
  ) => Pick<AnswerParts, 'type' | 'link' | 'policy' | 'vary'>;
  /** The text that says that it is not current. */
  readonly lastGoodText: (kept: LastGood, now: Instant) => string | Buffer;
}

export function formOf({ route, purgeHeader, isOfRepositories, textOf, partsOf, lastGoodText }: Writing): AnswerForm {
  return {
    route,
    finished: (question, outcome) => {
      const text = textOf(outcome);
      const parts = { ...partsOf(text, question, outcome), text };
      if (!isReadable(outcome)) return new FinishedAnswer({ ...parts, cacheControl: NO_STORE, etag: null });
      return new FinishedAnswer({
        ...parts,
        cacheControl: cacheControlOf(outcome.cache ?? route.cache, route.holdsRepositories),
        etag: entityTagOf(text.toString('latin1'), isOfRepositories),
        headers: route.holdsRepositories ? purgeHeaders(purgeHeader, outcome.shows) : {},
      });
    },
    lastGood: (question, kept, now) => {
      const text = lastGoodText(kept, now);
      return new FinishedAnswer({ ...partsOf(kept.body, question, kept), text, cacheControl: NO_STORE, etag: null });
    },
  };
}

function jsonForm<Q extends Query>(route: ApiRoute<Q>, { basePath, purgeHeader }: ViewContext): AnswerForm {
  return formOf({
    route,
    purgeHeader,
    isOfRepositories: route.schemas[0].name === 'Repository',
    textOf: envelopeText,
    partsOf: (_text, { pageAt }, page) => ({ type: JSON_TYPE, link: linkOf(basePath, page, pageAt) }),
    lastGoodText: ({ body, nextCursor, generatedAt, again, madeAt }, now) => {
      const meta = { dataStatus: 'stale', nextCursor, generatedAt, warnings: [lastGoodWarning(madeAt)] } as const;
      return again === undefined ? withMeta(body.toString(), meta) : envelopeText({ data: again(now), ...meta });
    },
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
