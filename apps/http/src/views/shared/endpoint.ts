import { NotFoundError, UnavailableError, asciiLowerCase, formatInstant, type Instant, type Warning } from '@vitrine/core';
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
import { permissionOf, type Permission } from '../../serving/request.js';
import type { DocumentRequest, Endpoint, PathValues } from '../../serving/router.js';
import type { Call, Composed, ViewContext } from './context.js';
import { queryParser, questionsOf, type AskedRoute, type ParsedQuery } from './parse-query.js';
import type { Query } from './parameters.js';
import { spanningParameter, type ApiRoute } from './route.js';

/** Mounts one route of the API: reads the request, and lets {@link Answers} answer it, with a call within its budget where it has to be computed. */
export function apiEndpoint<Q extends Query>(route: ApiRoute<Q>, context: ViewContext): Endpoint {
  return answeredEndpoint(
    { route, form: jsonForm(route, context), parse: queryParser(route.query), run: (call) => route.answer(call, context) },
    context,
  );
}

interface EndpointParts<Q extends Query> {
  readonly route: AskedRoute<Q> & Pick<ApiRoute, 'isSearch' | 'budgetMs'>;
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
  const read = (spelt: PathValues, text: string, count: () => void) => {
    const params = inOneCase(spelt);
    const parsed = parse(text);
    if ('violations' in parsed) {
      count();
      throw Refusal.ofViolations(parsed.violations);
    }
    requireWellFormed(route, params);
    return { params, query: parsed.query, question: questionOf(parsed.query, params) };
  };
  const answer = (exchange: Exchange, spelt: PathValues): Promise<void> => {
    const { params, query, question } = read(spelt, exchange.query, () => {
      exchange.requireWithinLimits(route.isSearch);
    });
    const permission = permissionOf(approved);
    const compute = (signal: AbortSignal, haveRead: () => void): Promise<Outcome> =>
      run(callOf(query, params, { signal, haveRead, pageSize: null }, permission));
    return answers.answer(exchange, { question, permission, form, budgetMs, compute });
  };
  const document = async ({ params: spelt, query: text, signal, pageSize }: DocumentRequest): Promise<FinishedAnswer> => {
    const { params, query, question } = read(spelt, text, () => undefined);
    const outcome = await run(callOf(query, params, { signal, pageSize, haveRead: () => undefined }, permissionOf(approved)));
    if (!isReadable(outcome)) throw new UnavailableError();
    return form.finished(question, outcome);
  };
  return { path: route.path, spanning: spanningParameter(route), answer, document };
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

/** A malformed id gives 404, unless its parameter says what is wrong. */
function requireWellFormed({ pathParameters }: Pick<ApiRoute, 'pathParameters'>, params: PathValues): void {
  const wrong = pathParameters.find(({ name, isWellFormed }) => !isWellFormed(params[name] ?? ''));
  if (wrong === undefined) return;
  const { name, refusal } = wrong;
  if (refusal === undefined) throw new NotFoundError();
  throw Refusal.ofViolations([{ parameter: name, in: 'path', code: 'INVALID_PARAMETER', detail: refusal }]);
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
