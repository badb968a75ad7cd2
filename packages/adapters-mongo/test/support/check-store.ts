import { DAY, type Clock, type RecordStore, type StoredRecord } from '@vitrine/core';
import type { Db } from 'mongodb';
import { Collections } from '../../src/collections.js';
import { MongoReading } from '../../src/reading/mongo-reading.js';
import { SILENT_QUARANTINE, type QuarantineMonitor } from '../../src/reading/quarantine.js';
import { CheckWriter } from '../../src/status/check-writer.js';
import { MongoCheckReader } from '../../src/status/mongo-check-reader.js';
import { MongoCheckRecords } from '../../src/status/check-records.js';
import { StatusStore } from '../../src/status/status-store.js';

export const RETENTION_MS = 400 * DAY;

export function checkReading(db: Db, clock: Clock, monitor: QuarantineMonitor = SILENT_QUARANTINE): MongoReading {
  return new MongoReading(new Collections(db), clock, monitor, 20_000);
}

export function checkWriter(db: Db, clock: Clock): CheckWriter {
  return new CheckWriter(new StatusStore(new Collections(db)), clock, RETENTION_MS);
}

export function checkReader(db: Db, clock: Clock, monitor?: QuarantineMonitor): MongoCheckReader {
  return new MongoCheckReader(checkReading(db, clock, monitor), RETENTION_MS);
}

export function checkItems(records: readonly StoredRecord[]): Parameters<CheckWriter['put']>[0] {
  return records.flatMap((record, index) => (record.kind === 'check' || record.kind === 'status-day' ? [{ index, record }] : []));
}

const CHECK_COLLECTIONS = ['status_checks', 'status_days', 'status_trails', 'status_pending'] as const;

/** Empties the collections: far quicker than a database for each case. */
export async function emptyChecks(db: Db): Promise<Db> {
  await Promise.all(CHECK_COLLECTIONS.map((name) => db.collection(name).deleteMany({})));
  return db;
}

/** A store of nothing but checks. */
export function openCheckStore(db: Db, clock: Clock): RecordStore {
  const writer = checkWriter(db, clock);
  const store = {
    readers: { checks: checkReader(db, clock) },
    writer: {
      put: async (records, context) => {
        const { stored, refused } = await writer.put(checkItems(records), context);
        return { stored, unchanged: records.length - stored - refused.length, refused };
      },
      remove: (identities, context) => writer.remove(identities as Parameters<CheckWriter['remove']>[0], context),
    },
    collection: new MongoCheckRecords(checkReading(db, clock), RETENTION_MS),
    close: () => Promise.resolve(),
  } satisfies { readers: object; writer: Partial<RecordStore['writer']>; collection: Partial<RecordStore['collection']>; close(): Promise<void> };
  return store as unknown as RecordStore;
}

/** All documents of checks, without the numbers that only say that something has changed. */
export async function derivedDocuments(db: Db): Promise<readonly unknown[]> {
  const documents = await Promise.all(CHECK_COLLECTIONS.map((name) => db.collection(name).find().sort({ _id: 1 }).toArray()));
  return documents
    .flat()
    .map(({ hoursRevision: _hours, daysRevision: _days, ...document }) => document)
    .filter(({ days }) => !(Array.isArray(days) && days.length === 0));
}
