import type { ChangeFeed, StoreReaders } from '@vitrine/core';
import type { StoreHealth } from '../resilience/store-health.js';

/** An open store, as the server reads it. */
export interface OpenedStore {
  readonly readers: StoreReaders;
  /** What is written; absent if the store does not tell. */
  readonly changeFeed?: ChangeFeed | undefined;
  readonly health: StoreHealth;
  /** Where the embedded store is; `null` for a database. */
  readonly folder: string | null;
  /** Requests that may ask the store at a time, where the store has an opinion. */
  readonly storeSlots?: number | undefined;
  /** Says once, when a database is there, which indexes it lacks. Never rejects. */
  readonly reportMissingIndexes: () => Promise<void>;
  readonly close: () => Promise<void>;
}
