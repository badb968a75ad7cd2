import { LevelRecordLog, openMemoryStore } from '@vitrine/adapters-memory';
import type { Config } from '@vitrine/collector';
import type { Clock, CollectionReader, RecordWriter } from '@vitrine/core';

export interface OpenedStore {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
}

/** Opens the configured store for as long as the call runs. Rejects with a `StoreFolderError` when it cannot be opened. */
export async function withStore<Result>(config: Config, clock: Clock, call: (store: OpenedStore) => Promise<Result>): Promise<Result> {
  const { path, retentionMs } = config.store;
  const log = path === null ? null : await LevelRecordLog.open(path);
  // No command searches, and an index that nobody asks takes longer to build than the records to load.
  const store = await openMemoryStore({ clock, retentionMs, search: false, ...(log !== null && { log }) });
  try {
    return await call(store);
  } finally {
    await store.close();
  }
}
