import type { ActivityDay, ActivityQuery, DaysQuery, PresentChecks, PresentQuery, SearchQuery, StatusDay, SumsQuery, Tally } from '@vitrine/core';
import { SqliteActivityReader } from '../activity/sqlite-activity-reader.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { sentHits, type SentHits } from '../search/sent-hits.js';
import { SqliteSearchReader } from '../search/sqlite-search-reader.js';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import type { Handlers } from '../threads/call-server.js';
import type { StoreEvent } from '../threads/messages.js';
import { receivedApproval, type SentApproval } from '../threads/sent-approval.js';
import { checkStore, type StoreCheck } from './check-store.js';
import { copyDatabase } from './copy-database.js';
import { SqliteReading } from './sqlite-reading.js';

/** The reads of a server that can take more than a few milliseconds. A thread runs them. */
export interface ReaderCalls {
  search(request: { readonly approved: SentApproval; readonly query: SearchQuery }): SentHits;
  sums(request: SumsQuery): ReadonlyMap<string, readonly Tally[]>;
  present(request: PresentQuery): ReadonlyMap<string, PresentChecks>;
  days(request: DaysQuery): ReadonlyMap<string, readonly StatusDay[]>;
  activity(request: { readonly approved: SentApproval; readonly query: ActivityQuery }): readonly ActivityDay[];
  /** Copies the store into an empty file. */
  backup(file: string): null;
  /** Reads all records and names damaged ones. */
  check(request: null): StoreCheck;
}

/** The reads for a status. Many searches at once must not make it wait. */
export const URGENT_READS = ['sums', 'present', 'days', 'activity'] as const satisfies readonly (keyof ReaderCalls)[];

/** No read of this thread depends on the present time: queries bring it. */
const NO_CLOCK = { now: () => 0 };

export function readerHandlers(database: SqliteDatabase, send: (event: StoreEvent) => void): Handlers<ReaderCalls> {
  const reading = new SqliteReading(database, NO_CLOCK, {
    quarantined: (kind, id, reason) => {
      send({ kind, id, reason });
    },
  });
  const [search, checks, activity] = [new SqliteSearchReader(reading), new SqliteCheckReader(reading), new SqliteActivityReader(reading)];
  return {
    search: async ({ approved, query }, signal) => sentHits(await search.search(receivedApproval(approved), query, { signal })),
    sums: (query, signal) => checks.sums(query, { signal }),
    present: (query, signal) => checks.present(query, { signal }),
    days: (query, signal) => checks.days(query, { signal }),
    activity: ({ approved, query }, signal) => activity.days(receivedApproval(approved), query, { signal }),
    backup: (file) => copyDatabase(database, file),
    check: () => checkStore(database),
  };
}
