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

  /** Resolves when search is in line. A call that failed is made up for by the next one. While the list cannot be read, search stays as it is. */
  async align(): Promise<void> {
    for (let approved = this.#list(); approved !== null && approved.revision !== this.#revision; approved = this.#list()) {
      this.#running ??= this.#run(approved).finally(() => (this.#running = null));
      await this.#running;
    }
  }

  async settled(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  /** What can be collected without the list, such as checks, does not depend on it. */
  #list(): ApprovedRepositories | null {
    try {
      return this.#approved();
    } catch {
      return null;
    }
  }

  async #run(approved: ApprovedRepositories): Promise<void> {
    await this.#writer.indexFor(approved, { signal: this.#signal });
    this.#revision = approved.revision;
  }
}
