import { formatInstant, type DataStatus, type Instant, type Warning } from '@vitrine/core';

export const API_VERSION = 'v1';

/** The result of a controller, from which the response body is built. */
export interface Reply {
  /** Values that `JSON.stringify` can encode. */
  readonly data: unknown;
  readonly dataStatus: DataStatus;
  readonly nextCursor: string | null;
  /** Only for responses that are composed of several sources. */
  readonly generatedAt: Instant | null;
  readonly warnings: readonly Warning[];
  /** The next moment at which it would differ although nothing is written; absent or `null`: none. */
  readonly changesAt?: Instant | null;
}

export interface MetaBody {
  readonly apiVersion: typeof API_VERSION;
  readonly dataStatus: DataStatus;
  readonly nextCursor: string | null;
  readonly hasMore: boolean;
  readonly generatedAt?: string;
  readonly warnings?: readonly Warning[];
}

/** The `meta` of every error. */
export const ERROR_META: MetaBody = { apiVersion: API_VERSION, dataStatus: 'unknown', nextCursor: null, hasMore: false };
/** The `meta` of an error that is caused by an unavailable source. */
export const UNAVAILABLE_META: MetaBody = { ...ERROR_META, dataStatus: 'unavailable' };

/** The response body as JSON text. */
export function envelopeText(reply: Reply): string {
  return JSON.stringify({ data: reply.data, meta: metaOf(reply) });
}

/** Replaces the `meta` in the JSON text of an envelope. */
export function withMeta(text: string, meta: Omit<Reply, 'data'>): string {
  // Quotation marks inside strings are escaped, so the last match is the `meta` member of the envelope.
  return `${text.slice(0, text.lastIndexOf(META_MEMBER))}${META_MEMBER}${JSON.stringify(metaOf(meta))}}`;
}

const META_MEMBER = ',"meta":';

function metaOf({ dataStatus, nextCursor, generatedAt, warnings }: Omit<Reply, 'data'>): MetaBody {
  return {
    apiVersion: API_VERSION,
    dataStatus,
    nextCursor,
    hasMore: nextCursor !== null,
    ...(generatedAt === null ? {} : { generatedAt: formatInstant(generatedAt) }),
    ...(warnings.length === 0 ? {} : { warnings: warnings.map(presentWarning) }),
  };
}

function presentWarning(warning: Warning): Warning {
  return { code: warning.code, source: warning.source, detail: warning.detail };
}
