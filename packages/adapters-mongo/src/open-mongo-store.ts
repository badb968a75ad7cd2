import type { CollectionReader, IndexedBesideStore, RecordWriter } from '@vitrine/core';
import type { Db } from 'mongodb';
import { MongoChangeFeed } from './changes/mongo-change-feed.js';
import { Collections, READ_BY_WRITERS } from './collections.js';
import type { DatabaseLease } from './connection/held-lease.js';
import { createMongoReaders, createMongoRecordScan, DEFAULT_RETENTION_MS, readingOver, type MongoStoreOptions } from './create-mongo-readers.js';
import { MongoCollectionReader } from './readers/mongo-collection-reader.js';
import { CheckWriter } from './status/check-writer.js';
import { StatusStore } from './status/status-store.js';
import { Commits } from './writers/commits.js';
import { MongoRecordWriter } from './writers/mongo-record-writer.js';
import { PlainRecordWriter } from './writers/plain-record-writer.js';

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
export function createMongoChangeFeed(
  db: Db,
  { clock, retentionMs = DEFAULT_RETENTION_MS }: Pick<MongoStoreOptions, 'clock' | 'retentionMs'>,
): MongoChangeFeed {
  return new MongoChangeFeed(db, { clock, retentionMs });
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
  return writersOver(new Collections(db, READ_BY_WRITERS), options, new Collections(db));
}

/** @param listed the collections that lists of stored data are read from; they may differ from those that writes are based on */
export function writersOver(collections: Collections, options: MongoWriterOptions, listed = collections): MongoWriters {
  const { clock, retentionMs = DEFAULT_RETENTION_MS, lease = null, onClockDoubt } = options;
  const commits = new Commits(collections, lease);
  const plain = new PlainRecordWriter(collections, commits, clock);
  const writer = new MongoRecordWriter(commits, plain, new CheckWriter(new StatusStore(collections, commits), { clock, retentionMs, onClockDoubt }));
  const reading = readingOver(listed, options);
  const collection = new MongoCollectionReader(reading, retentionMs);
  return { writer, collection, settled: () => writer.settled() };
}
