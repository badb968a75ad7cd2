import type { ApprovedRepositories, RecordWriter } from '@vitrine/core';

/** Brings search into line with the allowlist of the moment, once for each revision. */
export class SearchAlignment {
  readonly #writer: RecordWriter;
  readonly #approved: () => ApprovedRepositories;
  readonly #signal: AbortSignal;
  #revision: string | null = null;
  #running: Promise<void> | null = null;

  constructor(writer: RecordWriter, approved: () => ApprovedRepositories, signal: AbortSignal) {
    [this.#writer, this.#approved, this.#signal] = [writer, approved, signal];
  }

  /** Resolves when search is in line. A call that failed is made up for by the next one. */
  async align(): Promise<void> {
    while (this.#running !== null || this.#approved().revision !== this.#revision) {
      this.#running ??= this.#run().finally(() => (this.#running = null));
      await this.#running;
    }
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  async #run(): Promise<void> {
    const approved = this.#approved();
    await this.#writer.indexFor(approved, { signal: this.#signal });
    this.#revision = approved.revision;
  }
}
