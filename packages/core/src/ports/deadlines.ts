/** Gives a call a time of its own. */
export interface Deadlines {
  /**
   * Runs the call with a signal that aborts with the given one, or after `milliseconds`.
   * Rejects with an `UnavailableError` when the time is over, even when the call itself does not end.
   */
  run<Result>(milliseconds: number, signal: AbortSignal, call: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}
