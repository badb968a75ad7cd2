import type { StoreChangeListener, StoreChanges } from '@vitrine/core';
import type { ChangeSet } from './change-set.js';

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

  announce(changed: ChangeSet): void {
    if (this.#subscriptions.size === 0) return;
    const changes = changed.list();
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
