import { MINUTE, SECOND, type ApprovedRepositories } from '@vitrine/core';
import type { RegistryOptions } from './source-registry.js';

type SearchAlignmentOptions = Pick<RegistryOptions, 'writer' | 'approved'>;

const EVERY_MS = 2 * SECOND;
/** How soon search is right again after a process with another configuration has brought it into line with another allowlist. */
const AGAIN_MS = MINUTE;

/** Brings search into line with the allowlist of the moment. */
export class SearchAlignment {
  readonly #options: SearchAlignmentOptions;
  readonly #signal: AbortSignal;
  #alignedWith: string | null = null;
  #aligning: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(options: SearchAlignmentOptions, signal: AbortSignal) {
    [this.#options, this.#signal] = [options, signal];
  }

  /** Aligns now and then every two seconds, until the signal aborts. */
  start(): void {
    if (this.#options.approved === undefined) return;
    void this.#repeat();
    this.#again = setInterval(() => (this.#alignedWith = null), AGAIN_MS).unref();
  }

  /** Resolves when nothing is written any more. Call it after the signal has aborted. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#again);
    await this.#aligning?.catch(() => undefined);
  }

  /** Once a minute for each revision. A call that failed is made up for by the next one. */
  async align(): Promise<void> {
    for (let approved = this.#approved(); approved !== null && approved.revision !== this.#alignedWith; approved = this.#approved()) {
      this.#aligning ??= this.#indexFor(approved).finally(() => (this.#aligning = null));
      await this.#aligning;
    }
  }

  async #repeat(): Promise<void> {
    // The next source that runs fails too then, and says so.
    await this.align().catch(() => undefined);
    if (!this.#signal.aborted) this.#timer = setTimeout(() => void this.#repeat(), EVERY_MS);
  }

  async #indexFor(approved: ApprovedRepositories): Promise<void> {
    await this.#options.writer.indexFor(approved, { signal: this.#signal });
    this.#alignedWith = approved.revision;
  }

  /** `null` while the list cannot be read: then search stays as it is, and what does not depend on the list, such as checks, is collected. */
  #approved(): ApprovedRepositories | null {
    try {
      return this.#options.approved?.() ?? null;
    } catch {
      return null;
    }
  }
}
