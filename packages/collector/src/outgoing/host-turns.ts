/** Lets only one request at a time go to each host, so that a configuration with many addresses of one host does not flood it. */
export class HostTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** The result of the work, which starts when all earlier work for the host has ended. Rejects if the signal aborts before that. */
  async run<Result>(host: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(host) ?? Promise.resolve();
    const turn = before.then(() => {
      signal.throwIfAborted();
      return work();
    });
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(host, ended);
    try {
      return await turn;
    } finally {
      if (this.#last.get(host) === ended) this.#last.delete(host);
    }
  }
}
