import { readersOfKinds, type RecordStore, type StoreChanges, type StoreReaders } from '@vitrine/core';
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

/** All ports of the core over one store. */
export interface OpenMemoryStore extends RecordStore {
  /**
   * Each access returns a promise that resolves when everything that was loaded or written before is indexed for search. Until everything
   * that was loaded is indexed, searches reject with an `UnavailableError`.
   */
  readonly searchReady: Promise<void>;
  /** Tells what is written to this store. What was loaded from the log is not announced. */
  readonly changes: StoreChanges;
  /** `degraded` from a failed write to the log until the next successful one: everything can be read, and writes are rejected. */
  readonly state: 'ready' | 'degraded';
}

/** Opens a store and loads its log. Rejects with a `StoreFolderError` if the content of the log cannot be used. */
export async function openMemoryStore(options: MemoryStoreOptions): Promise<OpenMemoryStore> {
  const store = await MemoryStore.open(options);
  const writer = new MemoryRecordWriter(store);
  return {
    readers: readersOf(store),
    writer,
    collection: new MemoryCollectionReader(store),
    changes: store.changes,
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
