import type { RecordStore } from '@vitrine/core';
import type { Db } from 'mongodb';
import { createMongoReaders } from './create-mongo-readers.js';
import { createMongoWriters, type MongoWriterOptions } from './create-mongo-writers.js';

/** Every port over one database, writers as {@link createMongoWriters} makes them; closing waits for what is being written, and leaves the connection to whoever made it. */
export function openMongoStore(db: Db, options: MongoWriterOptions): RecordStore {
  const writers = createMongoWriters(db, options);
  return { readers: createMongoReaders(db, options), writer: writers.writer, collection: writers.collection, close: () => writers.settled() };
}
