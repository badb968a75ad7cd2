import type { FinishedAnswer } from '../cache/finished-answer.js';
import type { Exchange } from './exchange.js';

/** Decoded path parameters, by name. */
export type PathValues = Readonly<Record<string, string>>;

/** A request for a document that no client has sent. */
export interface DocumentRequest {
  readonly params: PathValues;
  /** The query, without its question mark; empty for none. */
  readonly query: string;
  /** How many records a list has; `null`: as many as the query says. It may exceed what clients may ask for. */
  readonly pageSize: number | null;
  readonly signal: AbortSignal;
}

/** A route with its handler. */
export interface Endpoint {
  /** The path template, with `{name}` for each parameter. */
  readonly path: string;
  /** The last parameter of the path, if its value may contain slashes: `a/b` as well as `a%2Fb`. */
  readonly spanning: string | null;
  /** Whether the path parameters have a valid form. If not, no record can match them. */
  readonly isWellFormed: (params: PathValues) => boolean;
  /** Handles GET and HEAD. */
  readonly answer: (exchange: Exchange, params: PathValues) => Promise<void> | void;
  /**
   * The same answer without a client, for copies of the site: computed now, not limited, and never from the cache. Rejects as `answer` throws, and with an
   * `UnavailableError` if a part of it cannot be read. Absent: copies do not have it.
   */
  readonly document?: (request: DocumentRequest) => Promise<FinishedAnswer>;
}
