import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError, WaitingCalls } from '@vitrine/core';
import type { ChangeFeed, ChangesSince, FeedChange, FeedPosition, FeedQuery, ReadContext, StoreChange } from '@vitrine/core';

/** A reader that is further behind reads everything. */
const KEPT_CHANGES = 100_000;
/** How long a call waits before it says that the store is closed, so that callers do not try again too often. */
const PAUSE_MS = 1_000;

/** The changes of a store since it was opened, the newest 100,000, in an array. */
export class MemoryChangeFeed implements ChangeFeed {
  readonly #incarnation = crypto.randomUUID();
  readonly #changes: FeedChange[] = [];
  #dropped = 0;
  #isClosed = false;
  readonly #waiting = new WaitingCalls();

  /** Call this once for each batch, as soon as readers see it. */
  append(changes: readonly StoreChange[]): void {
    for (const change of changes) this.#changes.push({ ...change, position: this.#positionAt(this.#newest + 1) });
    if (this.#changes.length > 2 * KEPT_CHANGES) this.#dropped += this.#changes.splice(0, this.#changes.length - KEPT_CHANGES).length;
    this.#waiting.wake();
  }

  /** Waiting calls end, and later ones reject, too. */
  close(): void {
    this.#isClosed = true;
    this.#waiting.wake();
  }

  async changesSince(position: FeedPosition | null, { limit, waitMs }: FeedQuery, { signal }: ReadContext): Promise<ChangesSince> {
    signal.throwIfAborted();
    if (position === this.#positionAt(this.#newest) && waitMs > 0 && !this.#isClosed) await this.#nextChange(waitMs, signal);
    signal.throwIfAborted();
    if (this.#isClosed) {
      await sleep(PAUSE_MS, null, { signal, ref: false });
      throw new UnavailableError('The store is closed.');
    }
    return this.#changesAfter(position, limit);
  }

  #changesAfter(position: FeedPosition | null, limit: number): ChangesSince {
    const number = position === null ? null : this.#numberOf(position);
    if (position === null || number === null) return { isTooOld: true, changes: [], position: this.#positionAt(this.#newest) };
    const changes = this.#changes.slice(number - this.#dropped, number - this.#dropped + limit);
    return { isTooOld: false, changes, position: changes.at(-1)?.position ?? position };
  }

  get #newest(): number {
    return this.#dropped + this.#changes.length;
  }

  #positionAt(number: number): FeedPosition {
    return `${this.#incarnation}:${String(number)}`;
  }

  /** The number of changes before a position; `null` if the feed does not know it, or not everything after it. */
  #numberOf(position: FeedPosition): number | null {
    const number = Number(position.slice(position.indexOf(':') + 1));
    const isKnown = Number.isInteger(number) && number >= this.#dropped && number <= this.#newest;
    return isKnown && position === this.#positionAt(number) ? number : null;
  }

  #nextChange(waitMs: number, signal: AbortSignal): Promise<void> {
    return this.#waiting.next(signal, (over) => {
      const timer = setTimeout(over, waitMs).unref();
      return () => clearTimeout(timer);
    });
  }
}
