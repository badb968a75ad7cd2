import { DEFAULT_RETENTION_MS, recordReaders } from '@vitrine/core';
import type { CollectionReader, IndexedBesideStore, RecordScan, RecordStoreOptions, RecordWriter, StoreReaders } from '@vitrine/core';
import type { Db } from 'mongodb';
import { mongoActivityReader } from './activity/activity.js';
import { MongoChangeFeed } from './changes/mongo-change-feed.js';
import { Collections } from './collections.js';
import type { DatabaseLease } from './connection/lease.js';
import { mongoCollectionReader, mongoRecordScan, mongoRepositoryReader, recordTables } from './readers/record-readers.js';
import { MongoReading, SILENT_QUARANTINE } from './reading/mongo-reading.js';
import { CheckWriter } from './status/check-writer.js';
import { mongoCheckReader } from './status/mongo-check-reader.js';
import { Commits } from './writers/commits.js';
import { MongoRecordWriter } from './writers/mongo-record-writer.js';
import { PlainRecordWriter } from './writers/plain-record-writer.js';

export interface MongoStoreOptions extends RecordStoreOptions {
  /** Reads see every change that this feed has told, also on members that lag behind. Default: none. */
  readonly changeFeed?: MongoChangeFeed;
  /** The server aborts a query after this many milliseconds; 1,500 by default. */
  readonly maxTimeMs?: number;
}

const DEFAULT_MAX_TIME_MS = 1_500;

export function readingOver(
  collections: Collections,
  { clock, monitor = SILENT_QUARANTINE, maxTimeMs = DEFAULT_MAX_TIME_MS, changeFeed }: MongoStoreOptions,
): MongoReading {
  return new MongoReading(collections, clock, monitor, maxTimeMs, changeFeed?.told);
}

/** The reader ports over one database. Search needs an index beside it: see {@link createMongoRecordScan}. A user with the role `read` is enough. */
export function createMongoReaders(db: Db, options: MongoStoreOptions): Omit<StoreReaders, 'search'> {
  const reading = readingOver(new Collections(db), options);
  const { retentionMs = DEFAULT_RETENTION_MS } = options;
  return {
    ...recordReaders(recordTables(reading)),
    repositories: mongoRepositoryReader(reading),
    activity: mongoActivityReader(reading),
    checks: mongoCheckReader(reading, retentionMs),
  };
}

/** Reads the records of a search index beside the database. To count many records takes longer than a page, so set `maxTimeMs` to some seconds. */
export function createMongoRecordScan(db: Db, options: MongoStoreOptions): RecordScan {
  return mongoRecordScan(readingOver(new Collections(db), options));
}

/** The ports over one database, with the writers of {@link createMongoWriters}. `close` waits for running writes. The caller must close the connection. */
export function openMongoStore(db: Db, options: MongoWriterOptions): IndexedBesideStore {
  const writers = createMongoWriters(db, options);
  const changeFeed = createMongoChangeFeed(db, options);
  return {
    readers: createMongoReaders(db, { ...options, changeFeed }),
    scan: createMongoRecordScan(db, { ...options, changeFeed }),
    writer: writers.writer,
    collection: writers.collection,
    changeFeed,
    close: async () => {
      await Promise.all([changeFeed.close(), writers.settled()]);
    },
  };
}

/** What is written to a database, by whichever process. Close it before the connection. */
export function createMongoChangeFeed(db: Db, options: Pick<MongoStoreOptions, 'clock' | 'retentionMs'>): MongoChangeFeed {
  return new MongoChangeFeed(db, options);
}

export interface MongoWriters {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  /** Resolves when all earlier calls have succeeded or failed. Never rejects. */
  readonly settled: () => Promise<void>;
}

export interface MongoWriterOptions extends MongoStoreOptions {
  /**
   * The lease under which this writes: see {@link acquireLease}. When it is lost, nothing more is stored and calls reject with a {@link LostLeaseError}. Create
   * new writers for each lease. Without a lease, nothing prevents two processes from writing: only for reading, or for a database that no other process uses.
   */
  readonly lease?: DatabaseLease;
}

/** The writer ports. The user needs the role `readWrite`. */
export function createMongoWriters(db: Db, options: MongoWriterOptions): MongoWriters {
  return writersOver(new Collections(db), options);
}

export function writersOver(collections: Collections, options: MongoWriterOptions): MongoWriters {
  const { clock, retentionMs = DEFAULT_RETENTION_MS, lease = null } = options;
  const commits = new Commits(collections, lease);
  const checks = new CheckWriter(commits, options);
  const writer = new MongoRecordWriter(commits, new PlainRecordWriter(commits, clock), checks);
  const collection = mongoCollectionReader(readingOver(collections, options), retentionMs);
  return { writer, collection, settled: () => writer.settled() };
}
