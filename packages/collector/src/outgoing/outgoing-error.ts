import { withoutCredentials } from '@vitrine/core';

/** Why a request failed. The set is closed, except for the number of the status. */
export type OutgoingReason =
  | `http ${number}`
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'unreachable'
  | 'private address'
  | 'private redirect'
  | 'redirect'
  | 'too large'
  | 'encoding';

/** A request that got no usable response. The message names the address without credentials and without its query, which may contain a token. */
export class OutgoingError extends Error {
  readonly reason: OutgoingReason;
  /** For sync records: `HTTP_503`, `TIMEOUT`, `PRIVATE_ADDRESS`. */
  readonly code: string;
  /** How long the server asks clients to wait before the next request, in milliseconds; `null` if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(url: URL, reason: OutgoingReason, detail: string, retryAfterMs: number | null = null) {
    super(withoutCredentials(`${reason}: ${url.href} ${detail}`));
    this.name = 'OutgoingError';
    this.reason = reason;
    this.code = reason.toUpperCase().replace(/ /g, '_');
    this.retryAfterMs = retryAfterMs;
  }
}
