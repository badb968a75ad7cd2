import type { SearchType } from '@vitrine/core';

/** A request waits if more requests for a type came during one merge. Otherwise a large merge would leave too many segments for searches to read. */
const MOST_WAITING = 128;

/** Merges the segments of a type as long as there is something to merge. Rejects when the signal aborts. */
export type MergeType = (type: SearchType, signal: AbortSignal) => Promise<void>;

/** Runs merges beside the writes that cause them, one at a time. */
export class BackgroundMerges {
  readonly #merge: MergeType;
  readonly #onFailure: (error: unknown) => void;
  /** For each type that may have something to merge, the number of requests since its last merge began. */
  readonly #waiting = new Map<SearchType, number>();
  #stopping = new AbortController();
  #running: Promise<void> | null = null;

  /** @param onFailure called with the error of a merge that failed; the next request tries again */
  constructor(merge: MergeType, onFailure: (error: unknown) => void) {
    this.#merge = merge;
    this.#onFailure = onFailure;
  }

  /** Call this when segments were added. Resolves at once, unless merges are far behind. Never rejects. */
  async request(types: Iterable<SearchType>): Promise<void> {
    for (const type of types) this.#waiting.set(type, (this.#waiting.get(type) ?? 0) + 1);
    if (this.#running === null) {
      this.#stopping = new AbortController();
      this.#running = this.#run(this.#stopping.signal);
    }
    if (Math.max(...this.#waiting.values()) > MOST_WAITING) await this.#running;
  }

  /** Resolves when no merge runs. Never rejects. @param signal stops a running merge */
  async settled(signal?: AbortSignal): Promise<void> {
    const stop = () => {
      this.#stopping.abort();
    };
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop, { once: true });
    await this.#running;
    signal?.removeEventListener('abort', stop);
  }

  /** Stops a running merge, and resolves when it has ended. Its segments are merged after the next request. */
  async stop(): Promise<void> {
    await this.settled(AbortSignal.abort());
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for (let type = this.#next(); type !== undefined; type = this.#next()) {
        signal.throwIfAborted();
        await this.#merge(type, signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#onFailure(error);
    } finally {
      this.#waiting.clear();
      this.#running = null;
    }
  }

  #next(): SearchType | undefined {
    const [type] = this.#waiting.keys();
    if (type !== undefined) this.#waiting.delete(type);
    return type;
  }
}
