import { readersOfKinds, type RecordStore, type StoreReaders } from '@vitrine/core';
import { MemoryRecordWriter } from './memory-record-writer.js';
import { MemoryStore, type MemoryStoreOptions } from './memory-store.js';
import { MemoryCheckReader } from './readers/memory-check-reader.js';
import { MemoryCollectionReader } from './readers/memory-collection-reader.js';
import { MemoryCommitReader } from './readers/memory-commit-reader.js';
import { MemoryIncidentReader } from './readers/memory-incident-reader.js';
import { MemoryNewsReader } from './readers/memory-news-reader.js';
import { MemoryRecordReader } from './readers/memory-record-reader.js';
import { MemoryRepositoryReader } from './readers/memory-repository-reader.js';
import { MemorySearchReader } from './readers/memory-search-reader.js';
import { MemoryServiceReader } from './readers/memory-service-reader.js';
import { MemorySyncReader } from './readers/memory-sync-reader.js';

/** Every port of the core over one store. */
export interface OpenMemoryStore extends RecordStore {
  /**
   * Asked for, resolves when everything that is loaded or written by then is indexed for search. Search rejects with an `UnavailableError` until
   * all that was loaded is.
   */
  readonly searchReady: Promise<void>;
  /** `degraded` from a write to the log that failed until one has succeeded again: everything can be read, and writes are refused. */
  readonly state: 'ready' | 'degraded';
}

/** Opens a store and loads its log. Rejects with a `StoreFolderError` when what the log holds cannot be used. */
export async function openMemoryStore(options: MemoryStoreOptions): Promise<OpenMemoryStore> {
  const store = await MemoryStore.open(options);
  const writer = new MemoryRecordWriter(store);
  return {
    readers: readersOf(store),
    writer,
    collection: new MemoryCollectionReader(store),
    get searchReady() {
      return store.records.indexer.settled();
    },
    get state() {
      return store.state;
    },
    close: async () => {
      await writer.settled();
      await store.close();
    },
  };
}

function readersOf(store: MemoryStore): StoreReaders {
  return {
    ...readersOfKinds((kind) => new MemoryRecordReader(store, kind)),
    commits: new MemoryCommitReader(store),
    repositories: new MemoryRepositoryReader(store),
    news: new MemoryNewsReader(store),
    services: new MemoryServiceReader(store),
    checks: new MemoryCheckReader(store),
    incidents: new MemoryIncidentReader(store),
    syncs: new MemorySyncReader(store),
    search: new MemorySearchReader(store),
  };
}
