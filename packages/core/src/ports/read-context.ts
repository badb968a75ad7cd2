/** Passed to every read and write. */
export interface ReadContext {
  /** Cancels the call. The call then rejects with the signal's reason or an `UnavailableError`. */
  readonly signal: AbortSignal;
}
