import { createHash } from 'node:crypto';
import { asciiLowerCase, formatInstant, type Instant, type Warning } from '@vitrine/core';
import { type AnswerForm, envelopeText, isReadable, type Outcome, type Question, type Reply, withMeta } from '../../serving/envelope.js';
import { entityTagOf, FinishedAnswer } from '../../serving/finished-answer.js';
import { cacheControlOf, FOR_EVER, NO_STORE, PURGE_SEPARATORS, type PurgeHeader, serviceDescLink } from '../../serving/headers.js';
import { repositoriesIn } from './present.js';
import type { ApiRoute, DocumentRoute } from './route.js';

const KEY_LENGTH = 8;

/**
 * The header that names the repositories of an answer to caches; none when the answer holds none. An answer holds at most a hundred records, so it
 * has at most 900 bytes.
 */
function purgeHeaders(header: PurgeHeader | null, repositories: () => readonly string[]): Readonly<Record<string, string>> {
  if (header === null) return {};
  const keys = new Set(repositories().map(purgeKeyOf));
  return keys.size === 0 ? {} : { [header]: [...keys].sort().join(PURGE_SEPARATORS[header]) };
}

/** What `printf %s owner/name | sha256sum | cut -c1-8` prints for the lower-case name. */
function purgeKeyOf(fullName: string): string {
  return createHash('sha256').update(asciiLowerCase(fullName)).digest('hex').slice(0, KEY_LENGTH);
}

const JSON_TYPE = 'application/json; charset=utf-8';

export interface JsonFormOptions {
  readonly route: ApiRoute;
  /** What stands before every path of the API. */
  readonly basePath: string;
  /** The header that names the repositories of an answer to caches; `null`: none. */
  readonly purgeHeader: PurgeHeader | null;
}

/** Answers in the envelope of the API. */
export function jsonForm(options: JsonFormOptions): AnswerForm {
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
    headers: route.holdsRepositories ? purgeHeaders(purgeHeader, () => repositoriesIn(outcome.data)) : {},
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

/** The text of a document, and the facts that caches need. */
export interface DocumentOutcome extends Omit<Outcome, 'data' | 'again' | 'nextCursor' | 'generatedAt'> {
  readonly text: string | Buffer;
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
  const typeOf = (body: string | Buffer): string => (Buffer.isBuffer(body) ? route.typeOf?.(body) : undefined) ?? route.type;
  const common = {
    link: serviceDescLink(basePath),
    ...(policy !== undefined && { policy }),
    ...(route.vary !== undefined && { vary: route.vary }),
  };
  return {
    route,
    finished: (_question, outcome) => {
      const text = Buffer.isBuffer(outcome.data) ? outcome.data : String(outcome.data);
      const typed = { ...common, type: typeOf(text) };
      if (!isReadable(outcome)) return new FinishedAnswer({ ...typed, text, cacheControl: NO_STORE, etag: null });
      const { cache = route.cache, repositories = [] } = outcome;
      return new FinishedAnswer({
        ...typed,
        text,
        cacheControl: route.isImmutable === true ? FOR_EVER : cacheControlOf(cache, route.holdsRepositories),
        etag: entityTagOf(text.toString('latin1'), false),
        headers: purgeHeaders(purgeHeader, () => repositories),
      });
    },
    lastGood: (_question, { body, again, madeAt }, now) => {
      const text = again === undefined ? body.toString() : String(again(now));
      const shown = route.typeOf === undefined ? asLastGood(text, madeAt) : body;
      return new FinishedAnswer({ ...common, type: typeOf(body), text: shown, cacheControl: NO_STORE, etag: null });
    },
  };
}

function same(text: string): string {
  return text;
}
