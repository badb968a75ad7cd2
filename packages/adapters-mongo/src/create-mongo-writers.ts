import type { CollectionReader, RecordWriter } from '@vitrine/core';
import type { Db } from 'mongodb';
import { Collections } from './collections.js';
import { DEFAULT_RETENTION_MS, readingOver, type MongoStoreOptions } from './create-mongo-readers.js';
import { MongoCollectionReader } from './readers/mongo-collection-reader.js';
import { SearchEntryWriter } from './search/search-entry-writer.js';
import { MongoCheckRecords } from './status/check-records.js';
import { CheckWriter } from './status/check-writer.js';
import { StatusStore } from './status/status-store.js';
import { MongoRecordWriter } from './writers/mongo-record-writer.js';
import { PlainRecordWriter } from './writers/plain-record-writer.js';

export interface MongoWriters {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  /** Resolves when everything that was asked before is written or has failed. */
  settled(): Promise<void>;
}

/** What a collector needs. Its user has the role `readWrite`, and it holds the lease: see {@link acquireLease}. */
export function createMongoWriters(db: Db, options: MongoStoreOptions): MongoWriters {
  return writersOver(new Collections(db), options);
}

export function writersOver(collections: Collections, options: MongoStoreOptions): MongoWriters {
  const { clock, retentionMs = DEFAULT_RETENTION_MS, onClockDoubt } = options;
  const plain = new PlainRecordWriter(collections, new SearchEntryWriter(collections), clock);
  const writer = new MongoRecordWriter(collections, plain, new CheckWriter(new StatusStore(collections), { clock, retentionMs, onClockDoubt }));
  const reading = readingOver(collections, options);
  const collection = new MongoCollectionReader(reading, new MongoCheckRecords(reading, retentionMs));
  return { writer, collection, settled: () => writer.settled() };
}
