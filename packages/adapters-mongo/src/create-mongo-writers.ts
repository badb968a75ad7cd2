import type { CollectionReader, RecordWriter } from '@vitrine/core';
import type { Db } from 'mongodb';
import { Collections, READ_BY_WRITERS } from './collections.js';
import type { Lease } from './connection/held-lease.js';
import { DEFAULT_RETENTION_MS, readingOver, type MongoStoreOptions } from './create-mongo-readers.js';
import { MongoCollectionReader } from './readers/mongo-collection-reader.js';
import { MongoCheckRecords } from './status/check-records.js';
import { CheckWriter } from './status/check-writer.js';
import { StatusStore } from './status/status-store.js';
import { Commits } from './writers/commits.js';
import { MongoRecordWriter } from './writers/mongo-record-writer.js';
import { PlainRecordWriter } from './writers/plain-record-writer.js';

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
  readonly lease?: Lease;
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
  const collection = new MongoCollectionReader(reading, new MongoCheckRecords(reading, retentionMs));
  return { writer, collection, settled: () => writer.settled() };
}
