import type { Instant } from '@vitrine/core';
import { entityTagOf, FinishedAnswer } from '../serving/finished-answer.js';
import { cacheControlOf, NO_STORE, serviceDescLink, type PurgeHeader } from '../serving/headers.js';
import type { DocumentRoute } from '../routes/document-route.js';
import { isReadable, type AnswerForm, type Outcome } from '../serving/envelope.js';
import { purgeHeaders } from './purge-keys.js';

/** The text of a document, and the facts that caches need. */
export interface DocumentOutcome extends Omit<Outcome, 'data' | 'again' | 'nextCursor' | 'generatedAt'> {
  readonly text: string;
  /** The full names of the repositories that it shows. */
  readonly repositories: readonly string[];
  /** For a text that depends on the present time: the same text for a later time. */
  readonly again?: (now: Instant) => string;
}

export interface DocumentFormOptions {
  readonly route: DocumentRoute;
  /** What stands before every path. */
  readonly basePath: string;
  readonly purgeHeader: PurgeHeader | null;
  /** The value of the `Content-Security-Policy` header; default: nothing may be loaded. */
  readonly policy?: string;
  /** Marks a text as a last good answer of that time; default: the text stays as it is. */
  readonly asLastGood?: (text: string, madeAt: Instant) => string;
}

/** Answers as texts of any type, without envelope: pages, feeds, badges. */
export function documentForm({ route, basePath, purgeHeader, policy, asLastGood = same }: DocumentFormOptions): AnswerForm {
  const common = {
    type: route.type,
    link: serviceDescLink(basePath),
    ...(policy !== undefined && { policy }),
    ...(route.vary !== undefined && { vary: route.vary }),
  };
  return {
    route,
    finished: (_question, outcome) => {
      const text = String(outcome.data);
      if (!isReadable(outcome)) return new FinishedAnswer({ ...common, text, cacheControl: NO_STORE, etag: null });
      const { cache = route.cache, repositories = [] } = outcome;
      return new FinishedAnswer({
        ...common,
        text,
        cacheControl: cacheControlOf(cache, route.holdsRepositories),
        etag: entityTagOf(text, false),
        headers: purgeHeaders(purgeHeader, () => repositories),
      });
    },
    lastGood: (_question, { body, again, madeAt }, now) => {
      const text = again === undefined ? body.toString() : String(again(now));
      return new FinishedAnswer({ ...common, text: asLastGood(text, madeAt), cacheControl: NO_STORE, etag: null });
    },
  };
}

function same(text: string): string {
  return text;
}
