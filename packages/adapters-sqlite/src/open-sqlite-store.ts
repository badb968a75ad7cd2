import { readersOfKinds, type LeaseOptions, type ReadContext, type RecordStore, type RecordWriter, type StoreReaders } from '@vitrine/core';
import { StoreFiles } from './folder/store-files.js';
import { acquireLease, type FolderLease } from './lease/lease.js';
import type { StoreCheck } from './readers/check-store.js';
import { commitReader, configurationReader, incidentReader, newsReader, recordReader, serviceReader, syncReader } from './readers/record-readers.js';
import { SqliteRepositoryReader } from './readers/repository-reader.js';
import { SqliteStore, type SqliteStoreOptions } from './sqlite-store.js';
import { startWorker } from './threads/reader-calls.js';
import { threadedReaders } from './threads/threaded-readers.js';

/** All ports of the core over one SQLite file. Other processes can open the same file; `changeFeed` tells what they write within 50 ms. */
export interface OpenSqliteStore extends RecordStore {
  /** The folder that holds the file. */
  readonly folder: string;
  /**
   * `degraded` from a write that failed because of the disk until the next successful one: everything can be read, and writes are rejected. `moved` while the path names
   * other files than those that are open: reads may be outdated, and writes are rejected.
   */
  readonly state: 'ready' | 'degraded' | 'moved';
  /** Waits until no other process collects into this store. Rejects with a `LeaseInUseError` if that takes too long. */
  acquireLease(options: LeaseOptions): Promise<FolderLease>;
  /** A writer whose every transaction succeeds only while the lease is held. Otherwise it rejects with a `LostLeaseError`. */
  writerUnder(lease: FolderLease): RecordWriter;
  /** Copies the store as it is now into a new file, while it is used. Only this user can read the copy. Rejects if the file exists. */
  backup(file: string): Promise<void>;
  /** Reads all stored records and names damaged ones. Other processes may use the store meanwhile. */
  check(context: ReadContext): Promise<StoreCheck>;
}

/** Opens a store. Rejects with a `StoreFolderError` if the folder or its file cannot be used. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<OpenSqliteStore> {
  const store = new SqliteStore(await StoreFiles.open(options.path, options.mustExist), options, startWorker);
  return openStoreOf(store);
}

/** The ports over a store. */
export function openStoreOf(store: SqliteStore): OpenSqliteStore {
  return {
    readers: readersOf(store),
    writer: store.writer,
    collection: store.collection,
    changeFeed: store.changeFeed,
    folder: store.folder,
    get state() {
      return store.state;
    },
    acquireLease: (lease) => acquireLease(store.storeWriter, lease),
    writerUnder: ({ turn }) => store.writerOf(turn),
    backup: (file) => store.backup(file),
    check: (context) => store.check(context),
    close: () => store.close(),
  };
}

function readersOf({ reading, readerThread }: SqliteStore): StoreReaders {
  return {
    ...readersOfKinds((kind) => recordReader(reading, kind)),
    ...threadedReaders(readerThread, reading),
    commits: commitReader(reading),
    repositories: new SqliteRepositoryReader(reading),
    news: newsReader(reading),
    services: serviceReader(reading),
    incidents: incidentReader(reading),
    syncs: syncReader(reading),
    configurations: configurationReader(reading),
  };
}
