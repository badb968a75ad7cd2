import type { CollectionReader, RecordWriter } from '@vitrine/core';
import type { Db } from 'mongodb';
import { Collections, READ_BY_WRITERS } from './collections.js';
import type { Lease } from './connection/held-lease.js';
import { DEFAULT_RETENTION_MS, readingOver, type MongoStoreOptions } from './create-mongo-readers.js';
import { MongoCollectionReader } from './readers/mongo-collection-reader.js';
import { SearchEntryWriter } from './search/search-entry-writer.js';
import { MongoCheckRecords } from './status/check-records.js';
import { CheckWriter } from './status/check-writer.js';
import { StatusStore } from './status/status-store.js';
import { Commits } from './writers/commits.js';
import { MongoRecordWriter } from './writers/mongo-record-writer.js';
import { PlainRecordWriter } from './writers/plain-record-writer.js';

export interface MongoWriters {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  /**
   * Resolves when all earlier calls have succeeded or failed, and no search segments are being merged in the background. Never rejects.
   *
   * @param signal stops a running merge when it aborts. Nothing is lost: the next writer merges these segments
   */
  readonly settled: (signal?: AbortSignal) => Promise<void>;
}

export interface MongoWriterOptions extends MongoStoreOptions {
  /**
   * The lease under which this writes: see {@link acquireLease}. When it is lost, nothing more is stored and calls reject with a {@link LostLeaseError}. Create
   * new writers for each lease. Without a lease, nothing prevents two processes from writing: only for reading, or for a database that no other process uses.
   */
  readonly lease?: Lease;
  /** Called when search segments could not be merged in the background. Search stays correct; the next write tries again. Default: nothing is called. */
  readonly onMergeFailure?: (error: unknown) => void;
}

/** The writer ports. The user needs the role `readWrite`. */
export function createMongoWriters(db: Db, options: MongoWriterOptions): MongoWriters {
  return writersOver(new Collections(db, READ_BY_WRITERS), options, new Collections(db));
}

/** @param listed the collections that lists of stored data are read from; they may differ from those that writes are based on */
export function writersOver(collections: Collections, options: MongoWriterOptions, listed = collections): MongoWriters {
  const { clock, retentionMs = DEFAULT_RETENTION_MS, lease = null, onClockDoubt, onMergeFailure } = options;
  const commits = new Commits(collections, lease);
  const entries = new SearchEntryWriter(collections, commits, { onMergeFailure });
  const plain = new PlainRecordWriter(collections, commits, entries, clock);
  const writer = new MongoRecordWriter(commits, plain, new CheckWriter(new StatusStore(collections, commits), { clock, retentionMs, onClockDoubt }));
  const reading = readingOver(listed, options);
  const collection = new MongoCollectionReader(reading, new MongoCheckRecords(reading, retentionMs));
  return {
    writer,
    collection,
    settled: async (signal) => {
      await writer.settled();
      await entries.settled(signal);
    },
  };
}
