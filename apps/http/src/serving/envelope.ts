import { createHash } from 'node:crypto';
import { asciiLowerCase, type DataStatus, formatInstant, type Instant, SECOND, type Warning } from '@vitrine/core';
import type { Address, MadeAnswer, Topics } from './cache.js';
import { type AnswerParts, entityTagOf, FinishedAnswer } from './finished-answer.js';

/** What a view answers. */
export interface Outcome {
  readonly data: unknown;
  readonly dataStatus: DataStatus;
  readonly nextCursor: string | null;
  readonly generatedAt: Instant | null;
  readonly warnings: readonly Warning[];
  /** The next moment at which it would differ although nothing is written; absent or `null`: none. */
  readonly changesAt?: Instant | null;
  /** For data that depend on the present time: the same data for a later time. */
  readonly again?: (now: Instant) => unknown;
  /** How long caches may keep it; by default as long as its route says. */
  readonly cache?: CachePolicy;
  /** What it shows, in any shape: the repositories in it are named to caches. Absent: none. */
  readonly shows?: unknown;
  /** Whether the server keeps it in memory; by default it does. */
  readonly isKept?: boolean;
}

export const ERROR_META = { apiVersion: 'v1', dataStatus: 'unknown', nextCursor: null, hasMore: false } as const;
/** The `meta` of an error that is caused by an unavailable source. */
export const UNAVAILABLE_META = { ...ERROR_META, dataStatus: 'unavailable' } as const;

type EnvelopeParts = Pick<Outcome, 'data' | 'dataStatus' | 'nextCursor' | 'generatedAt' | 'warnings'>;

export function envelopeText({ data, dataStatus, nextCursor, generatedAt, warnings }: EnvelopeParts): string {
  const meta = {
    apiVersion: 'v1',
    dataStatus,
    nextCursor,
    hasMore: nextCursor !== null,
    generatedAt: generatedAt === null ? undefined : formatInstant(generatedAt),
    warnings: warnings.length === 0 ? undefined : warnings.map(({ code, source, detail }) => ({ code, source, detail })),
  };
  return JSON.stringify({ data, meta });
}

const META_MEMBER = ',"meta":';

/** The text of an envelope with other parts beside its data. To parse the data would take ten times as long, for each last good answer in each second. */
export function withParts(text: string, parts: Omit<EnvelopeParts, 'data'>): string {
  const written = envelopeText({ ...parts, data: null });
  // Quotation marks inside strings are escaped, so the last match is the `meta` member of the envelope.
  return text.slice(0, text.lastIndexOf(META_MEMBER)) + written.slice(written.indexOf(META_MEMBER));
}

export interface Question {
  readonly address: Address;
  readonly topics: Topics;
  /** The address of the page that begins at a cursor, or of the first one, without the base path. */
  readonly pageAt: (cursor: string | null) => string;
}

export type WrittenAnswer = Pick<AnswerParts, 'text' | 'type' | 'link' | 'policy' | 'vary'>;

/** How the answers of a route are written: as the JSON of the API, or as a document. */
export interface AnswerForm {
  readonly route: {
    readonly cache: CachePolicy;
    readonly holdsRepositories: boolean;
    readonly isSearch: boolean;
    /** Critical during an outage: it never waits for other requests, and its last good answer is valid for a day. */
    readonly isVital: boolean;
  };
  readonly isOfRepositories: boolean;
  readonly write: (outcome: Outcome, question: Question) => WrittenAnswer;
  /** Writes the last good answer, marked as such. @param now the time of the request */
  readonly writeLastGood: (kept: MadeAnswer, question: Question, now: Instant) => WrittenAnswer;
}

/** @param purgeHeader names the repositories of the answer to caches; `null`: none does */
export function finishedAnswer(
  { route, isOfRepositories, write }: AnswerForm,
  outcome: Outcome,
  question: Question,
  purgeHeader: PurgeHeader | null,
): FinishedAnswer {
  const written = write(outcome, question);
  if (!isReadable(outcome)) return uncachedAnswer(written);
  return new FinishedAnswer({
    ...written,
    cacheControl: cacheControlOf(outcome.cache ?? route.cache, route.holdsRepositories),
    etag: entityTagOf(written.text.toString('latin1'), isOfRepositories),
    headers: route.holdsRepositories ? purgeHeaders(purgeHeader, outcome.shows) : {},
  });
}

export function uncachedAnswer(written: WrittenAnswer): FinishedAnswer {
  return new FinishedAnswer({ ...written, cacheControl: NO_STORE, etag: null });
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

/** Headers by which scripts of other origins may read a response, as alternating names and values. */
export const CORS_HEADERS: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
];

/** The default `Content-Security-Policy` of responses: nothing may be loaded. */
export const STRICT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Headers of every response except a 304, which has no headers about the content. */
export const STATIC_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  ...CORS_HEADERS,
];

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

/** The response to OPTIONS, including CORS preflights. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400',
};

/** Seconds for which caches may keep a response. `live`: depends on the present time. `pinned`: its address contains a hash of its content. */
export const CACHE_SECONDS = { live: 15, record: 30, pinned: 300 } as const;
export type CachePolicy = keyof typeof CACHE_SECONDS;

export const NO_STORE = 'no-store';
/** Of addresses that change with their content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** How long caches may show an expired response while they fetch the next one. */
const WHILE_REVALIDATED = 'stale-while-revalidate=30';
/** How long caches may show an expired response while Vitrine fails. Only for responses without repository data, because a removed repository must disappear earlier. */
const IF_ERROR = 'stale-if-error=300';

function cacheControlOf(policy: CachePolicy, holdsRepositories: boolean): string {
  const kept = `public, max-age=${String(CACHE_SECONDS[policy])}, ${WHILE_REVALIDATED}`;
  return holdsRepositories ? kept : `${kept}, ${IF_ERROR}`;
}

/** The headers from which caches read purge keys, and the separator between the keys. */
const PURGE_SEPARATORS = { 'Surrogate-Key': ' ', 'Cache-Tag': ',' } as const;
export type PurgeHeader = keyof typeof PURGE_SEPARATORS;

const KEY_LENGTH = 8;

/** The header that names the repositories of an answer to caches. An answer holds at most a hundred records, so it has at most 900 bytes. */
function purgeHeaders(header: PurgeHeader | null, shows: unknown): Readonly<Record<string, string>> {
  if (header === null) return {};
  const names = new Set<string>();
  collectNames(shows, names);
  const keys = new Set([...names].map(purgeKeyOf));
  return keys.size === 0 ? {} : { [header]: [...keys].sort().join(PURGE_SEPARATORS[header]) };
}

/** The full names of all repositories in data of any shape, so that caches can drop what shows it when one of them is removed. */
function collectNames(data: unknown, names: Set<string>): void {
  if (typeof data !== 'object' || data === null) return;
  // Sources have the name alone.
  if ('repository' in data && typeof data.repository === 'string') names.add(data.repository);
  if ('fullName' in data) names.add(String(data.fullName));
  for (const value of data instanceof Map ? data.values() : Object.values(data)) collectNames(value, names);
}

/** What `printf %s owner/name | sha256sum | cut -c1-8` prints for the lower-case name. */
function purgeKeyOf(fullName: string): string {
  return createHash('sha256').update(asciiLowerCase(fullName)).digest('hex').slice(0, KEY_LENGTH);
}

export function serviceDescLink(basePath: string): string {
  return `<${basePath}/openapi.json>; rel="service-desc"`;
}
