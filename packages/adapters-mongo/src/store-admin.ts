import type { Clock } from '@vitrine/core';
import type { Db } from 'mongodb';
import { ensureIndexes } from './collections.js';

export interface StoreAdminOptions {
  readonly clock: Clock;
  readonly retentionMs?: number;
}

/** Prepares a database: collections with their schemas, which warn and refuse nothing, and indexes. Can be called again at any time. */
export async function initStore(db: Db, _options: StoreAdminOptions): Promise<void> {
  await ensureIndexes(db);
}

export interface ReindexOptions extends StoreAdminOptions {
  readonly signal: AbortSignal;
  /** Hears what is done, in words for people. */
  readonly onProgress: (line: string) => void;
}

/** Rebuilds what is derived from the records: search entries and day counts. Readers see the old ones until the new ones are done. */
export async function reindexStore(_db: Db, _options: ReindexOptions): Promise<void> {
  await Promise.reject(new Error('not there yet'));
}
