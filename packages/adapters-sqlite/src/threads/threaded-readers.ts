import type { ActivityReader, ApprovedRepositories, CheckReader, SearchReader } from '@vitrine/core';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import type { ReaderCalls, ReaderEvent, SentApproval } from './reader-calls.js';
import type { StoreThread } from './store-thread.js';

/** What is present of more services has thousands of hours. */
const FEW_SERVICES = 10;

/** Sends searches, sums, lists of many days and reads of many services to the thread. The other reads of a status take a few milliseconds on the calling thread. */
export function threadedReaders(
  thread: StoreThread<ReaderCalls, ReaderEvent>,
  reading: SqliteReading,
): { readonly search: SearchReader; readonly activity: ActivityReader; readonly checks: CheckReader } {
  const checks = new SqliteCheckReader(reading);
  return {
    search: { search: (approved, query, context) => thread.call('search', { approved: sent(approved), query }, context) },
    activity: { days: (approved, query, context) => thread.call('activity', { approved: sent(approved), query }, context) },
    checks: {
      sums: (query, context) => thread.call('sums', query, context),
      days: (query, context) => thread.call('days', query, context),
      present: (query, context) =>
        query.serviceKeys !== null && query.serviceKeys.length <= FEW_SERVICES
          ? checks.present(query, context)
          : thread.call('present', query, context),
      hours: (serviceKey, window, context) => checks.hours(serviceKey, window, context),
      list: (serviceKey, query, context) => checks.list(serviceKey, query, context),
    },
  };
}

function sent({ scopes, refs }: ApprovedRepositories): SentApproval {
  return { scopes, refs };
}
