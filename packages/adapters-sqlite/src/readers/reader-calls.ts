import type {
  ActivityDay,
  ActivityQuery,
  Check,
  CheckedDay,
  DaysQuery,
  Finding,
  RepositoryRef,
  SearchQuery,
  ServiceDay,
  StatusDay,
  SumsQuery,
  Tally,
  TimePosition,
} from '@vitrine/core';
import { SqliteActivityReader } from '../activity/sqlite-activity-reader.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { sentHits, type SentHits } from '../search/sent-hits.js';
import { SqliteSearchReader } from '../search/sqlite-search-reader.js';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import type { Handlers } from '../threads/call-server.js';
import type { StoreEvent } from '../threads/messages.js';
import { receivedApproval, type SentApproval } from '../threads/sent-approval.js';
import { copyDatabase } from './copy-database.js';
import { StoredRecords, type BranchPart, type OfRepository, type PartRequest, type RecordPart, type ReleasePart } from './stored-records.js';
import { SqliteReading } from './sqlite-reading.js';

/** The reads that take more than a few milliseconds. The thread of readers runs them. */
export interface ReaderCalls {
  search(request: { readonly approved: SentApproval; readonly query: SearchQuery }): SentHits;
  sums(request: SumsQuery): ReadonlyMap<string, readonly Tally[]>;
  days(request: DaysQuery): ReadonlyMap<string, readonly StatusDay[]>;
  activity(request: { readonly approved: SentApproval; readonly query: ActivityQuery }): readonly ActivityDay[];
  /** A part of a repository's branches. `after` is what the part before returned as `next`. */
  commitBranches(request: OfRepository & { readonly after: TimePosition | null }): BranchPart;
  releaseIds(request: OfRepository): ReadonlySet<string>;
  /** A part of a repository's releases. `after` is what the part before returned as `next`. */
  releasesOf(request: { readonly ref: RepositoryRef; readonly after: TimePosition | null }): ReleasePart;
  checkedDays(request: null): ReadonlyMap<string, readonly CheckedDay[]>;
  checksOf(request: ServiceDay): readonly Check[];
  findings(request: OfRepository): readonly Finding[];
  /** A part of all records. */
  recordsAfter(request: PartRequest): RecordPart;
  /** Copies the store into an empty file. */
  backup(file: string): null;
}

/** The reads for a status. Many searches at once must not make it wait. */
export const URGENT_READS = ['sums', 'days', 'activity'] as const satisfies readonly (keyof ReaderCalls)[];

/** No read of this thread depends on the present time: queries bring it. */
const NO_CLOCK = { now: () => 0 };

export function readerHandlers(database: SqliteDatabase, send: (event: StoreEvent) => void): Handlers<ReaderCalls> {
  const reading = new SqliteReading(database, NO_CLOCK, {
    quarantined: (kind, id, reason) => {
      send({ type: 'quarantined', kind, id, reason });
    },
  });
  const [search, checks, activity] = [new SqliteSearchReader(reading), new SqliteCheckReader(reading), new SqliteActivityReader(reading)];
  const records = new StoredRecords(reading, checks);
  return {
    search: async ({ approved, query }, signal) => sentHits(await search.search(receivedApproval(approved), query, { signal })),
    sums: (query, signal) => checks.sums(query, { signal }),
    days: (query, signal) => checks.days(query, { signal }),
    activity: ({ approved, query }, signal) => activity.days(receivedApproval(approved), query, { signal }),
    commitBranches: (request, signal) => reading.answer({ signal }, () => records.commitBranches(request, request.after)),
    releaseIds: (request, signal) => reading.answer({ signal }, () => records.releaseIds(request)),
    releasesOf: ({ ref, after }, signal) => reading.answer({ signal }, () => records.releasesOf(ref, after)),
    checkedDays: (_request, signal) => reading.answer({ signal }, () => checks.checkedDays()),
    checksOf: (day, signal) => reading.answer({ signal }, () => checks.checksOf(day)),
    findings: (request, signal) => reading.answer({ signal }, () => records.findings(request)),
    recordsAfter: (request, signal) => reading.answer({ signal }, () => records.after(request)),
    backup: (file) => copyDatabase(database, file),
  };
}
