import type { Clock } from '@vitrine/core';
import type { Db } from 'mongodb';
import { COLLECTION_NAMES, Collections, ensureIndexes } from './collections.js';
import { DEFAULT_RETENTION_MS } from './create-mongo-readers.js';
import { reindexSearch } from './search/reindex-search.js';
import { ensureRetention } from './status/ensure-retention.js';
import { STORED_SCHEMAS } from './stored-schemas.js';

export interface StoreAdminOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds; 400 days by default. */
  readonly retentionMs?: number;
}

/** Prepares a database: collections with their schemas, which warn and refuse nothing, indexes, and how long checks stay. Can be called again at any time. */
export async function initStore(db: Db, { retentionMs = DEFAULT_RETENTION_MS }: StoreAdminOptions): Promise<void> {
  const present = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  for (const name of COLLECTION_NAMES) {
    const schema = STORED_SCHEMAS[name];
    const validation = { validator: schema === undefined ? {} : { $jsonSchema: schema }, validationAction: 'warn' } as const;
    if (present.has(name)) await db.command({ collMod: name, ...validation });
    else await db.createCollection(name, validation);
  }
  await ensureIndexes(db);
  await ensureRetention(db, retentionMs);
}

export interface ReindexOptions extends StoreAdminOptions {
  readonly signal: AbortSignal;
  /** Hears what is done, in words for people. */
  readonly onProgress: (line: string) => void;
}

/**
 * Rebuilds what is derived from the records: search entries and day counts. Readers see the old ones until the new ones are done. A run that
 * was broken off can be made again, and goes on. The caller holds the writers' lease.
 */
export async function reindexStore(db: Db, { signal, onProgress }: ReindexOptions): Promise<void> {
  const collections = new Collections(db);
  await reindexSearch(collections, {
    signal,
    onProgress: (kind, entries) => {
      onProgress(`search: ${String(entries)} entries, ${kind} so far`);
    },
  });
}
