import type { IndexedBesideStore } from '@vitrine/core';
import { MongoChangeFeed } from './changes/mongo-change-feed.js';
import type { Db } from 'mongodb';
import { createMongoReaders, createMongoRecordScan, DEFAULT_RETENTION_MS, type MongoStoreOptions } from './create-mongo-readers.js';
import { createMongoWriters, type MongoWriterOptions } from './create-mongo-writers.js';

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
