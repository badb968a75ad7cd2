import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchType } from '@vitrine/core';

/** A request waits if more requests for a type came since its last merge began. Otherwise merges could leave too many segments for searches to read. */
const MOST_WAITING = 128;
/** If this many requests came during a merge, it lets another merge of the type run first: that of the new segments, which are much smaller. */
const SOME_WAITING = 16;
/** After each step, a merge pauses for this many times as long as the step took, but not longer than a number of milliseconds. So writes have most of the time. */
const [PAUSE_SHARE, LONGEST_PAUSE_MS] = [2, 50];

/** A merge calls this after each step. Rejects when the merge must stop. */
export type GiveWay = () => Promise<void>;

/** Does the next merge of a type, of segments that no other merge has begun to merge. Resolves with whether there may be more to merge. */
export type NextMerge = (type: SearchType, giveWay: GiveWay) => Promise<boolean>;

/** Runs merges beside the writes that cause them, one at a time. Only a small one may interrupt a large one. */
export class BackgroundMerges {
  readonly #merge: NextMerge;
  readonly #onFailure: (error: unknown) => void;
  /** For each type that may have something to merge, the number of requests since its last merge began. */
  readonly #waiting = new Map<SearchType, number>();
  #stopping = new AbortController();
  #running: Promise<void> | null = null;
  /** How many callers wait until no merge runs. Then merges do not pause. */
  #waiters = 0;

  /** @param onFailure called with the error of a merge that failed; the next request tries again */
  constructor(merge: NextMerge, onFailure: (error: unknown) => void) {
    this.#merge = merge;
    this.#onFailure = onFailure;
  }

  /** Call this when segments were added. Resolves at once, unless merges are far behind. Never rejects. */
  async request(types: Iterable<SearchType>): Promise<void> {
    for (const type of types) this.#waiting.set(type, this.#countOf(type) + 1);
    if (this.#running === null) {
      this.#stopping = new AbortController();
      this.#running = this.#run(this.#stopping.signal);
    }
    if (Math.max(...this.#waiting.values()) > MOST_WAITING) await this.settled();
  }

  /** Resolves when no merge runs. Never rejects. @param signal stops a running merge */
  async settled(signal?: AbortSignal): Promise<void> {
    const stop = () => {
      this.#stopping.abort();
    };
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop, { once: true });
    this.#waiters += 1;
    await this.#running;
    this.#waiters -= 1;
    signal?.removeEventListener('abort', stop);
  }

  /** Stops a running merge, and resolves when it has ended. Its segments are merged after the next request. */
  async stop(): Promise<void> {
    await this.settled(AbortSignal.abort());
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for (let [type] = this.#waiting.keys(); type !== undefined; [type] = this.#waiting.keys()) {
        signal.throwIfAborted();
        await this.#next(type, signal, true);
      }
    } catch (error) {
      if (!signal.aborted) this.#onFailure(error);
    } finally {
      this.#waiting.clear();
      this.#running = null;
    }
  }

  async #next(type: SearchType, signal: AbortSignal, mayBeInterrupted: boolean): Promise<void> {
    this.#waiting.delete(type);
    let startedAt = performance.now();
    const giveWay = async () => {
      const pauseMs = this.#waiters > 0 ? 0 : Math.min(LONGEST_PAUSE_MS, PAUSE_SHARE * (performance.now() - startedAt));
      await sleep(pauseMs, undefined, { signal });
      if (mayBeInterrupted && this.#countOf(type) >= SOME_WAITING) await this.#next(type, signal, false);
      startedAt = performance.now();
    };
    const mayBeMore = await this.#merge(type, giveWay);
    if (mayBeMore) this.#waiting.set(type, this.#countOf(type));
  }

  #countOf(type: SearchType): number {
    return this.#waiting.get(type) ?? 0;
  }
}
