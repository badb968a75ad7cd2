import type { Receiver, Source, SourceRuns } from './source.js';

export class Receivers {
  readonly #runs: SourceRuns;
  readonly #started = new Set<Receiver>();
  readonly #stopping = new Map<Receiver, Promise<void>>();

  constructor(runs: SourceRuns) {
    this.#runs = runs;
  }

  /** Starts the receivers of these sources, and stops all others. */
  follow(sources: readonly Source[]): void {
    const wanted = new Set(sources.flatMap(({ receiver }) => receiver ?? []));
    for (const receiver of this.#started) if (!wanted.has(receiver)) this.#end(receiver);
    for (const receiver of wanted) if (!this.#started.has(receiver)) this.#begin(receiver);
  }

  async stop(): Promise<void> {
    this.follow([]);
    await Promise.all(this.#stopping.values());
  }

  #begin(receiver: Receiver): void {
    this.#started.add(receiver);
    const ended = this.#stopping.get(receiver);
    if (ended === undefined) receiver.start(this.#runs);
    else
      void ended.then(() => {
        if (this.#started.has(receiver)) receiver.start(this.#runs);
      });
  }

  #end(receiver: Receiver): void {
    this.#started.delete(receiver);
    const ended = receiver.stop().finally(() => this.#stopping.delete(receiver));
    this.#stopping.set(receiver, ended);
  }
}
