import { recordReaders, type RecordScan, type RecordStore, type RecordStoreOptions } from '@vitrine/core';
import { memoryRecordScan, memorySearchReader } from './memory-search.js';
import { MemoryStore } from './memory-store.js';
import { memoryActivityReader, memoryCollectionReader, memoryRecordTables, memoryRepositoryReader } from './readers/memory-readers.js';
import { memoryCheckReader } from './status/memory-check-reader.js';
import { memoryRecordWriter } from './writing/memory-record-writer.js';

/** All ports of the core over one store. */
export interface OpenMemoryStore extends RecordStore {
  /** Reads the records of a search index. */
  readonly scan: RecordScan;
}

/** Opens an empty store. Its records are lost when the process ends. */
export function openMemoryStore(options: Omit<RecordStoreOptions, 'monitor'>): Promise<OpenMemoryStore> {
  const store = new MemoryStore(options);
  const readers = {
    ...recordReaders(memoryRecordTables(store)),
    repositories: memoryRepositoryReader(store),
    activity: memoryActivityReader(store),
    checks: memoryCheckReader(store),
    search: memorySearchReader(store),
  };
  const [writer, collection] = [memoryRecordWriter(store), memoryCollectionReader(store)];
  const { changeFeed } = store;
  const close = (): Promise<void> => {
    changeFeed.close();
    return Promise.resolve();
  };
  return Promise.resolve({ readers, writer, collection, changeFeed, scan: memoryRecordScan(store), close });
}
