import { formatInstant, SECOND, type Instant, type Warning } from '@vitrine/core';
import { entityTagOf } from '../cache/entity-tag.js';
import { FinishedAnswer } from '../cache/finished-answer.js';
import { envelopeText, withMeta, type Reply } from '../http/envelope.js';
import { CACHE_SECONDS, cacheControlOf, NO_STORE, serviceDescLink, type CachePolicy, type PurgeHeader } from '../http/headers.js';
import type { ApiRoute } from '../routes/route.js';
import { purgeHeaders } from './purge-keys.js';
import type { Question } from './question.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The reply of a controller. */
export interface Outcome extends Reply {
  /** For data that depend on the present time: the same data for a later time. */
  readonly again?: (now: Instant) => unknown;
  /** How long caches may keep it; by default as long as its route says. */
  readonly cache?: CachePolicy;
}

/** What the form of an answer depends on, beside its reply. */
export interface AnswerForm {
  readonly route: ApiRoute;
  /** What stands before every path of the API. */
  readonly basePath: string;
  /** Names the repositories of an answer to caches; `null`: nothing does. */
  readonly purgeHeader: PurgeHeader | null;
}

export function finishedAnswer({ pageAt }: Question, { route, basePath, purgeHeader }: AnswerForm, outcome: Outcome): FinishedAnswer {
  const text = envelopeText(outcome);
  const common = { type: JSON_TYPE, text, link: linkOf(basePath, outcome, pageAt) };
  if (!isReadable(outcome)) return new FinishedAnswer({ ...common, cacheControl: NO_STORE, etag: null });
  return new FinishedAnswer({
    ...common,
    cacheControl: cacheControlOf(outcome.cache ?? route.cache, route.holdsRepositories),
    etag: entityTagOf(text, route.schemas[0].name === 'Repository'),
    headers: route.holdsRepositories ? purgeHeaders(purgeHeader, outcome.data) : {},
  });
}

/** Whether every part of the response could be read. A late or incomplete source does not count as unreadable: to ask it again at once would not help. */
export function isReadable({ warnings, dataStatus }: Reply): boolean {
  return dataStatus !== 'unavailable' && warnings.every(({ code }) => code !== 'SOURCE_UNAVAILABLE');
}

/** The moment from which the answer has to be computed again. @param madeAt when its computation began */
export function expiryOf({ route }: AnswerForm, { cache = route.cache, changesAt }: Outcome, madeAt: Instant): Instant {
  return Math.min(madeAt + CACHE_SECONDS[cache] * SECOND, changesAt ?? Infinity);
}

/** What is said of an answer when it has to serve as the last good one. */
export function staleAnswer(
  { pageAt }: Question,
  { basePath }: AnswerForm,
  { body }: FinishedAnswer,
  { nextCursor, generatedAt, again }: Pick<Outcome, 'nextCursor' | 'generatedAt' | 'again'>,
  { madeAt, now }: { readonly madeAt: Instant; readonly now: Instant },
): FinishedAnswer {
  const meta = { dataStatus: 'stale', nextCursor, generatedAt, warnings: [lastGoodWarning(madeAt)] } as const;
  const text = again === undefined ? withMeta(body.toString(), meta) : envelopeText({ data: again(now), ...meta });
  return new FinishedAnswer({ type: JSON_TYPE, text, cacheControl: NO_STORE, link: linkOf(basePath, { nextCursor }, pageAt), etag: null });
}

function lastGoodWarning(madeAt: Instant): Warning {
  const detail = `The store cannot be read; this is the last good answer, of ${formatInstant(madeAt)}.`;
  return { code: 'SOURCE_UNAVAILABLE', source: 'store', detail };
}

function linkOf(basePath: string, { nextCursor }: Pick<Reply, 'nextCursor'>, pageAt: Question['pageAt']): string {
  const description = serviceDescLink(basePath);
  return nextCursor === null ? description : `<${basePath}${pageAt(nextCursor)}>; rel="next", ${description}`;
}
