import type {
  ActivityDay,
  ActivityQuery,
  DaysQuery,
  FoundPage,
  PresentChecks,
  PresentQuery,
  SearchQuery,
  StatusDay,
  SumsQuery,
  Tally,
} from '@vitrine/core';
import { SqliteActivityReader } from '../activity/activity-counts.js';
import { NEW_INCARNATION_SQL } from '../changes/change-table.js';
import { openDatabase } from '../database/open-database.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import { requireInPlace, type FileIdentity } from '../folder/store-folder-error.js';
import { SqliteSearchReader } from '../search/sqlite-search-reader.js';
import { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import { CallServer, type Handlers } from '../threads/call-server.js';
import { receivedApproval, type FromThread, type SentApproval, type StoreEvent } from '../threads/messages.js';
import { checkStore, type StoreCheck } from './check-store.js';
import { SqliteReading } from './sqlite-reading.js';

/** The reads of a server that can take more than a few milliseconds. A thread runs them. */
export interface ReaderCalls {
  search(request: { readonly approved: SentApproval; readonly query: SearchQuery }): FoundPage;
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

function readerHandlers(database: SqliteDatabase, send: (event: StoreEvent) => void): Handlers<ReaderCalls> {
  const reading = new SqliteReading(database, NO_CLOCK, {
    quarantined: (kind, id, reason) => {
      send({ kind, id, reason });
    },
  });
  const [search, checks, activity] = [new SqliteSearchReader(reading), new SqliteCheckReader(reading), new SqliteActivityReader(reading)];
  return {
    search: ({ approved, query }, signal) => search.search(receivedApproval(approved), query, { signal }),
    sums: (query, signal) => checks.sums(query, { signal }),
    present: (query, signal) => checks.present(query, { signal }),
    days: (query, signal) => checks.days(query, { signal }),
    activity: ({ approved, query }, signal) => activity.days(receivedApproval(approved), query, { signal }),
    backup: (file) => copyDatabase(database, file),
    check: () => checkStore(database),
  };
}

/** Copies the store into an empty file, as it is at the start. Other connections can write meanwhile. */
function copyDatabase(database: SqliteDatabase, file: string): null {
  database.run('vacuum into ?', file);
  const copy = new SqliteDatabase(file);
  try {
    copy.run(NEW_INCARNATION_SQL);
  } finally {
    copy.close();
  }
  return null;
}

/** What a thread needs to know about its store. */
export interface ServedStore {
  readonly file: string;
  /** The files that the store has opened. Their path may name others meanwhile. */
  readonly identity: FileIdentity;
  readonly isTemporary: boolean;
}

/** The pages that the connection keeps in memory, in KiB. */
const CACHE_KIB = 16_384;

/** Opens a separate connection and runs calls on it. */
export function startServing(
  { file, identity, isTemporary }: ServedStore,
  post: (message: FromThread) => void,
  onEnd: () => void,
): CallServer<unknown> {
  requireInPlace(file, identity);
  const database = openDatabase(file, { isTemporary, cacheKiB: CACHE_KIB });
  const handlers = readerHandlers(database, (event) => {
    post({ event });
  });
  const end = (): void => {
    database.close();
    onEnd();
  };
  return new CallServer(handlers, post, end, URGENT_READS);
}
