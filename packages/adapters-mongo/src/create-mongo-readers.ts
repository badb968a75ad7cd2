import { DAY, readersOfKinds, type Clock, type ClockDoubt, type RecordScan, type StoreReaders } from '@vitrine/core';
import type { Db } from 'mongodb';
import { MongoActivityReader } from './activity/mongo-activity-reader.js';
import type { MongoChangeFeed } from './changes/mongo-change-feed.js';
import { Collections } from './collections.js';
import { MongoRepositoryReader } from './readers/repository-reader.js';
import { commitReader, configurationReader, incidentReader, newsReader, recordReader, serviceReader, syncReader } from './readers/record-readers.js';
import { SILENT_QUARANTINE, type QuarantineMonitor } from './reading/decoding.js';
import { MongoReading } from './reading/mongo-reading.js';
import { MongoRecordScan } from './scan/mongo-record-scan.js';
import { MongoCheckReader } from './status/mongo-check-reader.js';

export interface MongoStoreOptions {
  readonly clock: Clock;
  /** Called for stored documents that cannot be decoded. Default: nothing is called. */
  readonly monitor?: QuarantineMonitor;
  /** How long raw checks are kept, in milliseconds; 400 days by default, and at least 366 days, because the longest published window has 365. */
  readonly retentionMs?: number;
  /** Called when the clock of a writer jumps, or does not match the stored times. */
  readonly onClockDoubt?: (doubt: ClockDoubt) => void;
  /** Reads see every change that this feed has told, also on members that lag behind. Default: none. */
  readonly changeFeed?: MongoChangeFeed;
  /** The server aborts a query after this many milliseconds; 1,500 by default. */
  readonly maxTimeMs?: number;
}

export const DEFAULT_RETENTION_MS = 400 * DAY;
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
    ...readersOfKinds((kind) => recordReader(reading, kind)),
    repositories: new MongoRepositoryReader(reading),
    commits: commitReader(reading),
    activity: new MongoActivityReader(reading),
    news: newsReader(reading),
    services: serviceReader(reading),
    checks: new MongoCheckReader(reading, retentionMs),
    incidents: incidentReader(reading),
    syncs: syncReader(reading),
    configurations: configurationReader(reading),
  };
}

/** Reads the records of a search index beside the database. To count many records takes longer than a page, so set `maxTimeMs` to some seconds. */
export function createMongoRecordScan(db: Db, options: MongoStoreOptions): RecordScan {
  return new MongoRecordScan(readingOver(new Collections(db), options));
}
