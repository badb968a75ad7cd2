/** The list of an owner's repositories cannot be used. */
export class OwnerListError extends Error {
  /** For sync records, such as `RATE_LIMITED`. */
  readonly code: string;
  /** How long to wait before the next request, in milliseconds; `null` if unknown. */
  readonly retryAfterMs: number | null;

  constructor(message: string, code: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'OwnerListError';
    [this.code, this.retryAfterMs] = [code, retryAfterMs];
  }
}
