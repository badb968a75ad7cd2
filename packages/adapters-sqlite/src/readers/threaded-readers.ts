import type { ActivityReader, CheckReader, SearchReader } from '@vitrine/core';
import type { ReaderCalls } from './reader-calls.js';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import { sentApproval } from '../threads/messages.js';
import type { StoreThread } from '../threads/store-thread.js';
import type { SqliteReading } from './sqlite-reading.js';

/** Sends searches to the thread of readers. */
export function threadedSearchReader(thread: StoreThread<ReaderCalls>): SearchReader {
  return {
    search: (approved, query, context) => thread.call('search', { approved: sentApproval(approved), query }, context),
  };
}

/** What is present of more services has thousands of hours. */
const FEW_SERVICES = 10;

/** Runs sums, lists of many days and reads of many services in the reader thread. The other reads of a status take a few milliseconds on the calling thread. */
export function threadedCheckReader(thread: StoreThread<ReaderCalls>, reading: SqliteReading): CheckReader {
  const checks = new SqliteCheckReader(reading);
  return {
    sums: (query, context) => thread.call('sums', query, context),
    days: (query, context) => thread.call('days', query, context),
    present: (query, context) =>
      query.serviceKeys !== null && query.serviceKeys.length <= FEW_SERVICES
        ? checks.present(query, context)
        : thread.call('present', query, context),
    hours: (serviceKey, window, context) => checks.hours(serviceKey, window, context),
    list: (serviceKey, query, context) => checks.list(serviceKey, query, context),
  };
}

/** Sends the addition of daily numbers to the thread of readers. */
export function threadedActivityReader(thread: StoreThread<ReaderCalls>): ActivityReader {
  return { days: (approved, query, context) => thread.call('activity', { approved: sentApproval(approved), query }, context) };
}
