import type { StoreChange } from './change-feed.js';

/** A listener must return quickly, because the write waits for it. */
export type StoreChangeListener = (changes: readonly StoreChange[]) => void;

/** Tells what is written to a store in this process. */
export interface StoreChanges {
  /**
   * From now on, the listener is called once for each batch that has changed something: as soon as readers see the batch, and before the write resolves.
   * It gets at least one change, and no change twice. A long write has several batches. If a write fails, the batches that readers see were announced.
   *
   * @returns a function that ends the subscription
   */
  subscribe(listener: StoreChangeListener): () => void;
}
