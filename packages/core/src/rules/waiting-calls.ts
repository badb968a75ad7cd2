/** Calls of a feed of changes that wait for the next change. To wake them takes time in proportion to their number; with an emitter of events, it would be its square. */
export class WaitingCalls {
  readonly #wakes = new Set<() => void>();

  get isEmpty(): boolean {
    return this.#wakes.size === 0;
  }

  wake(): void {
    for (const wake of [...this.#wakes]) wake();
  }

  /**
   * Resolves at the next `wake`, when the caller aborts, or when the time is over.
   *
   * @param startTimer starts a timer that calls what it gets, and returns what stops the timer: the core has none
   */
  next(signal: AbortSignal, startTimer: (over: () => void) => () => void): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        stopTimer();
        signal.removeEventListener('abort', wake);
        this.#wakes.delete(wake);
        resolve();
      };
      const stopTimer = startTimer(wake);
      signal.addEventListener('abort', wake);
      this.#wakes.add(wake);
    });
  }
}
