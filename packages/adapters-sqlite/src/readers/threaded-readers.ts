import type { ActivityReader, CheckReader, SearchReader } from '@vitrine/core';
import { receivedHits } from '../search/sent-hits.js';
import { receivedDays, receivedEvidence } from '../status/sent-evidence.js';
import { RememberedDays } from '../status/remembered-days.js';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import { StatusStore } from '../status/status-store.js';
import { sentApproval } from '../threads/sent-approval.js';
import type { StoreThread } from '../threads/store-thread.js';
import type { ReaderCalls } from './reader-calls.js';
import type { SqliteReading } from './sqlite-reading.js';

/** Sends searches to the thread of readers. */
export function threadedSearchReader(thread: StoreThread<ReaderCalls>): SearchReader {
  return {
    search: async (approved, query, context) => receivedHits(await thread.call('search', { approved: sentApproval(approved), query }, context)),
  };
}

/** Sends what sums many checks to the thread of readers. A page of checks is read on the calling thread. */
export function threadedCheckReader(thread: StoreThread<ReaderCalls>, reading: SqliteReading): CheckReader {
  const checks = new SqliteCheckReader(reading);
  const store = new StatusStore(reading.database, reading.monitor);
  const remembered = new RememberedDays();
  return {
    evidence: async (query, context) => receivedEvidence(await thread.call('evidence', query, context)),
    days: async (query, context) => {
      const changes = await reading.answer(context, () => store.pastChanges);
      return remembered.days(query, changes, async (asked) => receivedDays(await thread.call('days', asked, context)));
    },
    list: (serviceKey, query, context) => checks.list(serviceKey, query, context),
  };
}

/** Sends the addition of daily numbers to the thread of readers. */
export function threadedActivityReader(thread: StoreThread<ReaderCalls>): ActivityReader {
  return { days: (approved, query, context) => thread.call('activity', { approved: sentApproval(approved), query }, context) };
}
