import type { Pages } from '@vitrine/pages';
import { asciiLowerCase, formatInstant, NotFoundError, UnavailableError } from '@vitrine/core';
import { envelopeText, isReadable, serviceDescLink, withParts } from '../../serving/envelope.js';
import type { AnswerForm, Outcome, Question, WrittenAnswer } from '../../serving/envelope.js';
import { Refusal } from '../../serving/errors.js';
import type { Exchange } from '../../serving/exchange.js';
import { type Permission, permissionOf } from '../../serving/request.js';
import type { DocumentRequest, Endpoint, PathValues } from '../../serving/router.js';
import { type AskedRoute, lenientQueryParser, type ParsedQuery, queryParser, questionsOf } from './parse-query.js';
import type { Query } from './parameters.js';
import { type ApiRoute, type Call, type Composed, type DocumentRoute, HTML, type PageContext, spanningParameter, type ViewContext } from './route.js';

export function apiEndpoint<Q extends Query>(route: ApiRoute<Q>, context: ViewContext): Endpoint {
  const run = async (call: Call<Q>): Promise<Outcome> => {
    const outcome = await route.answer(call, context);
    return route.isComposed ? outcome : { ...outcome, generatedAt: null };
  };
  return answeredEndpoint({ route, form: jsonForm(route, context), parse: queryParser(route.query), run }, context);
}

interface EndpointParts<Q extends Query> {
  readonly route: AskedRoute<Q> & Pick<ApiRoute, 'isSearch' | 'budgetMs'>;
  readonly form: AnswerForm;
  readonly parse: (text: string) => ParsedQuery<Q>;
  readonly run: (call: Call<Q>) => Promise<Outcome>;
}

/** Mounts one route whose answers are kept and shared. */
function answeredEndpoint<Q extends Query>({ route, form, parse, run }: EndpointParts<Q>, context: ViewContext): Endpoint {
  const { approved, answers } = context;
  const budgetMs = Math.min(context.requestBudgetMs, route.budgetMs ?? Infinity);
  const questionOf = questionsOf(route);
  const read = (spelt: PathValues, text: string, count: () => void) => {
    const params = inOneCase(route, spelt);
    const parsed = parse(text);
    if ('violations' in parsed) {
      count();
      throw Refusal.ofViolations(parsed.violations);
    }
    requireWellFormed(route, params);
    return { params, query: parsed.query, question: questionOf(parsed.query, params) };
  };
  const answer = (exchange: Exchange, spelt: PathValues): Promise<void> => {
    const { params, query, question } = read(spelt, exchange.query, () => exchange.requireWithinLimits(route.isSearch));
    const permission = permissionOf(approved);
    const compute = (signal: AbortSignal, haveRead: () => void): Promise<Outcome> =>
      run(callOf(query, params, { signal, haveRead, pageSize: null }, permission));
    return answers.answer(exchange, { question, permission, form, budgetMs, compute });
  };
  const document = async ({ params: spelt, query: text, signal, pageSize }: DocumentRequest): Promise<string | Buffer> => {
    const { params, query, question } = read(spelt, text, () => undefined);
    const outcome = await run(callOf(query, params, { signal, pageSize, haveRead: () => undefined }, permissionOf(approved)));
    if (!isReadable(outcome)) throw new UnavailableError();
    return form.write(outcome, question).text;
  };
  return { path: route.path, spanning: spanningParameter(route), answer, document };
}

/** Gives path texts that name the same the same spelling. Otherwise each spelling of a name would be computed and kept. */
function inOneCase({ pathParameters }: Pick<ApiRoute, 'pathParameters'>, spelt: PathValues): PathValues {
  const folded = pathParameters.filter(({ ignoresCase }) => ignoresCase).map(({ name }) => [name, asciiLowerCase(spelt[name] ?? '')] as const);
  return folded.length === 0 ? spelt : { ...spelt, ...Object.fromEntries(folded) };
}

function callOf<Q>(query: Q, params: PathValues, given: Pick<Call<Q>, 'signal' | 'haveRead' | 'pageSize'>, permission: Permission): Call<Q> {
  return {
    query,
    params,
    ...given,
    context: (signal = given.signal) => {
      if (permission instanceof UnavailableError) throw permission;
      return { approved: permission, signal };
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

/** The outcome of an answer. @param data its JSON */
export function outcomeOf({ data: shows, ...answer }: Composed<unknown>, data: unknown, nextCursor: string | null = null): Outcome {
  return { generatedAt: null, ...answer, data, nextCursor, shows };
}

const JSON_TYPE = 'application/json; charset=utf-8';

function jsonForm<Q extends Query>(route: ApiRoute<Q>, { basePath }: ViewContext): AnswerForm {
  const written = (text: string, page: Pick<Outcome, 'nextCursor'>, { pageAt }: Question) => ({
    text,
    type: JSON_TYPE,
    link: linkOf(basePath, page, pageAt),
  });
  return {
    route,
    isOfRepositories: route.schemas[0].name === 'Repository',
    write: (outcome, question) => written(envelopeText(outcome), outcome, question),
    writeLastGood: (kept, question, now) => {
      const { answer, nextCursor, generatedAt, again, madeAt } = kept;
      const detail = `The store cannot be read; this is the last good answer, of ${formatInstant(generatedAt ?? madeAt)}.`;
      const warnings = [{ code: 'SOURCE_UNAVAILABLE', source: 'store', detail }];
      const parts = { dataStatus: 'stale', nextCursor, generatedAt, warnings } as const;
      const text = again === undefined ? withParts(answer.body.toString(), parts) : envelopeText({ ...parts, data: again(now) });
      return written(text, kept, question);
    },
  };
}

function linkOf(basePath: string, { nextCursor }: Pick<Outcome, 'nextCursor'>, pageAt: Question['pageAt']): string {
  const description = serviceDescLink(basePath);
  return nextCursor === null ? description : `<${basePath}${pageAt(nextCursor)}>; rel="next", ${description}`;
}

/**
 * Mounts a document outside `/api/v1`: a page, a feed or a badge. It has what the endpoints of the API have: the permission of the request, admission, the time
 * budget, kept answers, entity tags, compression and last good answers. Empty and unknown parameters are dropped.
 */
export function documentEndpoint<Q extends Query, Context extends ViewContext>(route: DocumentRoute<Q, Context>, context: Context): Endpoint {
  const page = route.type === HTML && isOfPages(context) ? context : null;
  const run = async (call: Call<Q>): Promise<Outcome> => {
    const places = page?.places.read(call.context());
    const [{ text, ...outcome }] = await Promise.all([route.answer(call, context), places]);
    call.haveRead();
    return { ...outcome, data: typeof text === 'function' ? await text() : text, nextCursor: null, generatedAt: null };
  };
  return answeredEndpoint(
    { route, form: documentForm(route, context, page?.pages), parse: lenientQueryParser(route.query, route.ignores), run },
    context,
  );
}

function isOfPages(context: ViewContext): context is PageContext {
  return 'pages' in context;
}

function documentForm<Q extends Query, Context extends ViewContext>(
  route: DocumentRoute<Q, Context>,
  { basePath }: ViewContext,
  pages?: Pages,
): AnswerForm {
  const { type, typeOf, vary } = route;
  const common = { link: serviceDescLink(basePath), ...(pages !== undefined && { policy: pages.policy }), ...(vary !== undefined && { vary }) };
  const written = (text: string | Buffer): WrittenAnswer => ({ ...common, text, type: (Buffer.isBuffer(text) ? typeOf?.(text) : undefined) ?? type });
  return {
    route,
    isOfRepositories: false,
    write: ({ data }) => written(Buffer.isBuffer(data) ? data : String(data)),
    writeLastGood: ({ answer: { body }, again, madeAt }, _question, now) => {
      if (typeOf !== undefined) return written(body);
      const text = again === undefined ? body.toString() : String(again(now));
      return written(pages?.asLastGood(text, madeAt) ?? text);
    },
  };
}
