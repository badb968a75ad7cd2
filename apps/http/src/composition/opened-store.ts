import type { ChangeFeed, StoreReaders } from '@vitrine/core';
import type { StoreHealth } from '../serving/store-guard.js';

/** An open store, as the server reads it. */
export interface OpenedStore {
  readonly readers: StoreReaders;
  /** The feed of changes, if the store has one. */
  readonly changeFeed?: ChangeFeed | undefined;
  readonly health: StoreHealth;
  /** Where the embedded store is; `null` for a database. */
  readonly folder: string | null;
  /** How many requests may read the store at a time, if the store limits them. */
  readonly storeSlots?: number | undefined;
  /** Says once, when a database is there, which indexes it lacks. Never rejects. */
  readonly reportMissingIndexes: () => Promise<void>;
  readonly close: () => Promise<void>;
}
