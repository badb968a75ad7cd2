import { formatInstant, type Instant } from '@vitrine/core';

/** A forge cannot be asked as it is configured. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError';

  /** @param code for the sync record, such as `NO_TOKEN` */
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** A forge allows no more requests for now. Nothing that is stored changes. */
export class ForgeLimitError extends Error {
  override readonly name = 'ForgeLimitError';
  readonly code = 'RATE_LIMITED';
  /** How long to wait before the next run, in milliseconds. */
  readonly retryAfterMs: number;

  /** @param remedy how to get more requests; empty if there is no way */
  constructor(host: string, { until, now, remedy }: { readonly until: Instant; readonly now: Instant; readonly remedy: string }) {
    super(`the limit of requests to ${host} is nearly used up; the source continues at ${formatInstant(until)}${remedy === '' ? '' : `. ${remedy}`}`);
    this.retryAfterMs = until - now;
  }
}
