import { SECOND, type Instant } from '@vitrine/core';
import type { FinishedAnswer } from '../serving/finished-answer.js';
import type { Reply } from '../serving/envelope.js';
import { CACHE_SECONDS, type CachePolicy } from '../serving/headers.js';
import type { ApiRoute } from '../routes/route.js';
import type { Question } from './question.js';

/** The reply of a controller. */
export interface Outcome extends Reply {
  /** For data that depend on the present time: the same data for a later time. */
  readonly again?: (now: Instant) => unknown;
  /** How long caches may keep it; by default as long as its route says. */
  readonly cache?: CachePolicy;
  /** The full names of the repositories in it, if they cannot be taken from its data. */
  readonly repositories?: readonly string[];
}

/** The part of an answer that is kept as the last good answer. */
export interface LastGood extends Pick<Outcome, 'nextCursor' | 'generatedAt' | 'again'> {
  readonly body: Buffer;
  /** When it was made. */
  readonly madeAt: Instant;
}

/** How the answers of a route are written: as the JSON of the API, or as a document. */
export interface AnswerForm {
  readonly route: Pick<ApiRoute, 'cache' | 'isSearch' | 'isVital'>;
  readonly finished: (question: Question, outcome: Outcome) => FinishedAnswer;
  /** The last good answer, marked as such. @param now the time of the request */
  readonly lastGood: (question: Question, kept: LastGood, now: Instant) => FinishedAnswer;
}

/** Warnings of answers that another request may get complete. */
const UNREADABLE: ReadonlySet<string> = new Set(['SOURCE_UNAVAILABLE', 'SEARCH_INCOMPLETE']);

/** Whether every part of the response could be read. A late or incomplete source does not count as unreadable: to ask it again at once would not help. */
export function isReadable({ warnings, dataStatus }: Pick<Outcome, 'warnings' | 'dataStatus'>): boolean {
  return dataStatus !== 'unavailable' && !warnings.some(({ code }) => UNREADABLE.has(code));
}

/** The moment from which the answer has to be computed again. @param madeAt when its computation began */
export function expiryOf({ route }: AnswerForm, { cache = route.cache, changesAt }: Outcome, madeAt: Instant): Instant {
  return Math.min(madeAt + CACHE_SECONDS[cache] * SECOND, changesAt ?? Infinity);
}
