import type { RecordStore } from '@vitrine/core';
import type { Db } from 'mongodb';
import { createMongoReaders } from './create-mongo-readers.js';
import { createMongoWriters, type MongoWriterOptions } from './create-mongo-writers.js';

/** All ports over one database, with the writers of {@link createMongoWriters}. `close` waits for running writes and stops merges in the background. The caller must close the connection. */
export function openMongoStore(db: Db, options: MongoWriterOptions): RecordStore {
  const writers = createMongoWriters(db, options);
  return {
    readers: createMongoReaders(db, options),
    writer: writers.writer,
    collection: writers.collection,
    close: () => writers.settled(AbortSignal.abort()),
  };
}
