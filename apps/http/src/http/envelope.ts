import { formatInstant, type DataStatus, type Instant, type Warning } from '@vitrine/core';

export const API_VERSION = 'v1';

/** What a controller found out, before it becomes a body. */
export interface Reply {
  /** JSON-ready. */
  readonly data: unknown;
  readonly dataStatus: DataStatus;
  readonly nextCursor: string | null;
  /** Only for answers that are made of several sources. */
  readonly generatedAt: Instant | null;
  readonly warnings: readonly Warning[];
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
/** The `meta` of an error of the source. */
export const UNAVAILABLE_META: MetaBody = { ...ERROR_META, dataStatus: 'unavailable' };

/** The envelope's text. */
export function envelopeText(reply: Reply): string {
  const meta: MetaBody = {
    apiVersion: API_VERSION,
    dataStatus: reply.dataStatus,
    nextCursor: reply.nextCursor,
    hasMore: reply.nextCursor !== null,
    ...(reply.generatedAt === null ? {} : { generatedAt: formatInstant(reply.generatedAt) }),
    ...(reply.warnings.length === 0 ? {} : { warnings: reply.warnings.map(presentWarning) }),
  };
  return JSON.stringify({ data: reply.data, meta });
}

function presentWarning(warning: Warning): Warning {
  return { code: warning.code, source: warning.source, detail: warning.detail };
}
