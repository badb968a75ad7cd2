import { type CheckReader, type Clock, DAY, type QuarantineMonitor, type StoredRecord } from '@vitrine/core';
import { emptied } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { Collections } from '../../src/collections.js';
import type { DatabaseLease } from '../../src/connection/lease.js';
import { MongoReading, SILENT_QUARANTINE } from '../../src/reading/mongo-reading.js';
import { CheckWriter } from '../../src/status/check-writer.js';
import { mongoCheckReader } from '../../src/status/mongo-check-reader.js';
import { Commits } from '../../src/writers/commits.js';
import { contentsOf, type Contents } from './contents.js';

export const RETENTION_MS = 400 * DAY;

export function checkReading(db: Db, clock: Clock, monitor: QuarantineMonitor = SILENT_QUARANTINE): MongoReading {
  return new MongoReading(new Collections(db), clock, monitor, 20_000);
}

export function checkWriter(db: Db, clock: Clock): CheckWriter {
  return checkWriterOver(new Collections(db), clock);
}

export function checkWriterOver(collections: Collections, clock: Clock, lease: DatabaseLease | null = null): CheckWriter {
  return new CheckWriter(new Commits(collections, lease), { clock, retentionMs: RETENTION_MS });
}

export function checkReader(db: Db, clock: Clock, monitor?: QuarantineMonitor): CheckReader {
  return mongoCheckReader(checkReading(db, clock, monitor), RETENTION_MS);
}

export function checkItems(records: readonly StoredRecord[]): Parameters<CheckWriter['put']>[0] {
  return records.flatMap((record, index) => (record.kind === 'check' || record.kind === 'status-day' ? [{ index, record }] : []));
}

export const CHECK_COLLECTIONS = ['status_checks', 'status_days', 'status_hours', 'status_trails'] as const;

export const emptyChecks = (db: Db): Promise<Db> => emptied(db, CHECK_COLLECTIONS);

/** All documents of checks. */
export function derivedDocuments(db: Db): Promise<Contents> {
  return contentsOf(db, CHECK_COLLECTIONS);
}
