import type { StoreCheck } from '@vitrine/adapters-sqlite';
import type {
  ChangeFeed,
  CollectionReader,
  Lease,
  LeaseOptions,
  ReadContext,
  RecordScan,
  RecordStoreOptions,
  RecordWriter,
  SearchReader,
  StoreReaders,
} from '@vitrine/core';
import type { StoreHealth } from '../serving/store-guard.js';

export interface StoreOptions extends Omit<RecordStoreOptions, 'retentionMs'> {
  /** Hears that a folder can no longer be written, and that it can be again. */
  readonly onWritable?: (isWritable: boolean, error: unknown) => void;
  /** Hears each attempt to connect to a database that fails, with the error that explains it to a person. */
  readonly onConnectFailure?: (error: unknown) => void;
  /** Rejects if the folder has no store, instead of creating one. */
  readonly mustExist?: boolean;
}

/** The right to write as the only process that collects. */
export interface Turn extends Lease {
  readonly writer: RecordWriter;
  /** Creates what writers need. Call it before the first write. */
  readonly prepare: () => Promise<void>;
}

export interface SearchedDatabase {
  readonly scan: RecordScan;
  readonly feed: ChangeFeed;
  /** Tells databases apart: letters, digits and `-`. */
  readonly name: string;
}

export interface OpenedStore {
  readonly what: 'data folder' | 'database';
  /** Its name, such as `the data folder /var/lib/vitrine`. */
  readonly place: string;
  readonly readers: Omit<StoreReaders, 'search'>;
  readonly collection: CollectionReader;
  /** Writes without a turn, while others write too; `null` if every write needs one. */
  readonly writer: RecordWriter | null;
  /** Tells what is written; absent if the store does not tell. */
  readonly changeFeed?: ChangeFeed | undefined;
  /** The search of the store, or what an index of this process is made from. */
  readonly search: SearchReader | SearchedDatabase;
  readonly health: StoreHealth;
  /** Where the embedded store is; `null` for a database. */
  readonly folder: string | null;
  /** Requests that may read the store at the same time, if the store limits them. */
  readonly storeSlots?: number | undefined;
  /** Resolves when the store can be read. Rejects if it is closed before. */
  readonly connected: Promise<void>;
  /** Waits for the right to collect. Rejects with a `LeaseInUseError` if that takes longer than `waitMs`. */
  readonly acquire: (options: LeaseOptions) => Promise<Turn>;
  readonly check: (context: ReadContext) => Promise<StoreCheck>;
  readonly missingIndexes: () => Promise<readonly string[]>;
  /** The error that explains a failure to a person, or the same one. */
  readonly explain: (error: unknown) => unknown;
  readonly close: () => Promise<void>;
}
