import { withoutCredentials } from '@vitrine/core';

/** A source cannot be collected, for a reason that a person can mend or that passes. The message says so without credentials, and is logged without a stack. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  /** For sync records, such as `NO_TOKEN`. */
  readonly code: string;
  /** How long to wait before the next run, in milliseconds; `null` if unknown. */
  readonly retryAfterMs: number | null;

  constructor(message: string, code: string, retryAfterMs: number | null = null) {
    super(withoutCredentials(message));
    [this.code, this.retryAfterMs] = [code, retryAfterMs];
  }
}
