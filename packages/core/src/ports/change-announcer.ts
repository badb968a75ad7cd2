import type { StoreChange } from './change-feed.js';
import type { StoreChangeListener, StoreChanges } from './store-changes.js';

/** Calls the listeners of a store. A listener that throws stops neither the write nor the other listeners. */
export class ChangeAnnouncer implements StoreChanges {
  readonly #subscriptions = new Set<{ readonly listener: StoreChangeListener }>();
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(onError?: (error: unknown) => void) {
    this.#onError = onError;
  }

  subscribe(listener: StoreChangeListener): () => void {
    const subscription = { listener };
    this.#subscriptions.add(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
    };
  }

  /** Call this once for each batch, as soon as readers see it. */
  announce(changes: readonly StoreChange[]): void {
    if (changes.length === 0) return;
    for (const { listener } of [...this.#subscriptions]) {
      try {
        listener(changes);
      } catch (error) {
        this.#onError?.(error);
      }
    }
  }
}
