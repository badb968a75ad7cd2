/** Limits the time of a call. */
export interface Deadlines {
  /**
   * Runs the call with a signal that aborts when `signal` aborts or after `milliseconds`.
   * Rejects with an `UnavailableError` when the time is over, even if the call itself does not end.
   */
  run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}
