import { DAY, type CollectionReader, type RecordWriter } from '@vitrine/core';
import type { Db } from 'mongodb';
import { Collections } from './collections.js';
import { mongoReading, type MongoReaderOptions } from './create-mongo-readers.js';
import { MongoCollectionReader } from './readers/mongo-collection-reader.js';
import { SearchEntryWriter } from './search/search-entry-writer.js';
import { MongoRecordWriter } from './writers/mongo-record-writer.js';
import { PlainRecordWriter } from './writers/plain-record-writer.js';

export const DEFAULT_RETENTION_MS = 400 * DAY;

export interface MongoWriterOptions extends MongoReaderOptions {
  /** How long raw checks are kept, in milliseconds; 400 days by default, and at least the longest published window of 365 days and a day. */
  readonly retentionMs?: number;
}

export interface MongoWriters {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  /** Resolves when everything that was asked before is written or has failed. */
  settled(): Promise<void>;
}

/** What a collector needs. Its user has the role `readWrite`, and it holds the lease: see {@link acquireLease}. */
export function createMongoWriters(db: Db, options: MongoWriterOptions): MongoWriters {
  const collections = new Collections(db);
  const checks = { put: () => Promise.resolve({ stored: 0, refused: [] }), remove: () => Promise.resolve(0), async *records() {} };
  const writer = new MongoRecordWriter(collections, new PlainRecordWriter(collections, new SearchEntryWriter(collections), options.clock), checks);
  return { writer, collection: new MongoCollectionReader(mongoReading(db, options), checks), settled: () => writer.settled() };
}
