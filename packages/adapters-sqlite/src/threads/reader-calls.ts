import { createRequire } from 'node:module';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { ApprovedRepositories, QuarantineMonitor, ReadContext, StoreReaders } from '@vitrine/core';
import { sqliteActivityDays } from '../activity/sqlite-activity-reader.js';
import { NEW_INCARNATION_SQL } from '../changes/sqlite-change-feed.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { connectTo, type OpenFiles } from '../folder/store-files.js';
import { checkStore } from '../readers/check-store.js';
import { SqliteReading } from '../records/reading.js';
import { sqliteSearch } from '../search/sqlite-search-reader.js';
import { sqliteCheckReader } from '../status/sqlite-check-reader.js';
import { serveCalls, type StoreThread } from './store-thread.js';

/** Sends searches, and what reads many days or services, to the thread. The other reads take a few milliseconds on the calling thread. */
export function threadedReaders(
  thread: StoreThread<ReaderCalls, ReaderEvent>,
  reading: SqliteReading,
): Pick<StoreReaders, 'search' | 'activity' | 'checks'> {
  return {
    search: { search: (approved, query, context) => thread.call('search', [sent(approved), query], context) },
    activity: { days: (approved, query, context) => thread.call('activity', [sent(approved), query], context) },
    checks: {
      ...sqliteCheckReader(reading),
      sums: (query, context) => thread.call('sums', [query], context),
      days: (query, context) => thread.call('days', [query], context),
      present: (query, context) => thread.call('present', [query], context),
    },
  };
}

/** The repositories of a permission. A structured clone of the permission itself would be none. */
function sent({ scopes, refs }: ApprovedRepositories): Pick<ApprovedRepositories, 'scopes' | 'refs'> {
  return { scopes, refs };
}

/** No read of this thread depends on the present time: queries bring it. */
const NO_CLOCK = { now: () => 0 };

/** The reads that can take more than a few milliseconds. A thread runs them. */
function readerCalls(database: SqliteDatabase, monitor: QuarantineMonitor) {
  const reading = new SqliteReading(database, NO_CLOCK, monitor);
  return {
    ...sqliteCheckReader(reading),
    search: sqliteSearch(reading),
    activity: sqliteActivityDays(reading),
    backup: (file: string, _: ReadContext) => copyDatabase(database, file),
    check: (_: ReadContext) => checkStore(database),
  };
}

export type ReaderCalls = ReturnType<typeof readerCalls>;

/** The reads for a status. Many searches at once must not make it wait. */
export const URGENT_READS: readonly (keyof ReaderCalls)[] = ['sums', 'present', 'days', 'activity'];

/** What a read reports while it runs: a stored record that cannot be used. */
export type ReaderEvent = Parameters<QuarantineMonitor['quarantined']>;

/** Copies the store into an empty file, as it is at the start. Other connections can write meanwhile. */
function copyDatabase(database: SqliteDatabase, file: string): void {
  database.run('vacuum into ?', file);
  const copy = new SqliteDatabase(file);
  try {
    copy.run(NEW_INCARNATION_SQL);
  } finally {
    copy.close();
  }
}

const CACHE_KIB = 16_384;

/** Opens a separate connection, and runs on it the calls that arrive at the port. */
export function serveReads(files: OpenFiles, port: MessagePort): void {
  const database = connectTo(files, CACHE_KIB);
  const quarantined = (...event: ReaderEvent): void => port.postMessage({ event });
  serveCalls(port, readerCalls(database, { quarantined }), URGENT_READS, () => database.close());
}

/** package.json says where it is: in the published package, or in the sources. */
const WORKER = createRequire(import.meta.url).resolve('#store-worker');

export function startWorker({ file, identity, isTemporary }: OpenFiles): Worker {
  return new Worker(WORKER, { name: 'vitrine reader', workerData: { file, identity, isTemporary } satisfies OpenFiles });
}
