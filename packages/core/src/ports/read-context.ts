/** What every read and write gets beside its question. */
export interface ReadContext {
  /** Ends the call early; the call then rejects with the signal's reason or an `UnavailableError`. */
  readonly signal: AbortSignal;
}
