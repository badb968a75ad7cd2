import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFoundUntil, isSearchable, matchRecord, searchPositionOf } from '@vitrine/core';
import type {
  ApprovedRepositories,
  FoundPage,
  Page,
  ReadContext,
  ScopeRef,
  SearchableRecord,
  SearchEntry,
  SearchPosition,
  SearchQuery,
} from '@vitrine/core';
import { readFrom } from '../database/sqlite-database.js';
import { listTimeOf, type SqliteReading } from '../records/reading.js';
import { type EntryRow, EntryRows, type EntrySource, TYPES_AHEAD } from './entry-rows.js';
import { RepositoryNames } from './entry-table.js';
import { matchesOf } from './entry-words.js';

/** How long a search may keep its thread from other calls, in milliseconds. Only one read of the index may take longer. */
const SLICE_MS = 4;

/** Searches in the index of the store. Meant for a separate thread, because a search may take some milliseconds. */
export function sqliteSearch({ database, scopes, decoder }: SqliteReading) {
  return ({ scopes: searched }: Pick<ApprovedRepositories, 'scopes'>, query: SearchQuery, { signal }: ReadContext): Promise<FoundPage> => {
    const names = new RepositoryNames(database);
    let sliceEnd = performance.now() + SLICE_MS;
    const recordsOf = async (rows: readonly EntryRow[]) => {
      if (performance.now() >= sliceEnd) {
        await nextTurn();
        sliceEnd = performance.now() + SLICE_MS;
      }
      const records = rows.map((row) => decoder.record(row.kind as SearchableRecord['kind'], row));
      return records.map((record) => (record !== null && isSearchable(record) ? record : null));
    };
    const source = { database, scopes, hasRecords: true };
    return searchPage({ source, scopes: searched, nameFor: (record) => names.nameFor(record), recordsOf }, query, signal);
  };
}

/** Reads a few more entries than the page needs, so that an entry that is not a hit seldom costs another read. */
const SPARE_ENTRIES = 3;
/** Entries that one read returns at most, if many entries before them were no hits. */
const MAX_ENTRIES = 512;

const TERM_SQL = 'select term from search_terms where term >= ? limit 1';

export interface Searched {
  readonly source: EntrySource;
  /** The repositories whose records may be found, and `-` if records of no repository may be found. */
  readonly scopes: readonly ScopeRef[];
  /** The repository name whose words count for a record besides its own fields; `null` if there is none. */
  readonly nameFor: (record: SearchableRecord) => string | null;
  /** The records of some entries; `null` for those that cannot be read, or may not be shown. Other work can run meanwhile. */
  readonly recordsOf: (rows: readonly EntryRow[]) => Promise<readonly (SearchableRecord | null)[]>;
}

/** An entry whose words are all in title fields (0), or another entry (1). */
type TierRow = EntryRow & { readonly tier: 0 | 1 };
type TierEntries = Pick<TierRow, 'tier'> & { readonly entries: EntryRows };

/** Finds one page of hits. Rejects with an `UnavailableError` if the index cannot be read, and with the reason of the signal when it aborts. */
export async function searchPage(searched: Searched, query: SearchQuery, signal: AbortSignal): Promise<Page<SearchEntry, SearchPosition>> {
  const { limit, types } = query;
  const found: SearchEntry[] = [];
  signal.throwIfAborted();
  const tiers = types.length === 0 ? [] : readFrom(() => tiersOf(searched, query));
  for (let size = limit + 1 + SPARE_ENTRIES; found.length <= limit; size = Math.min(2 * size, MAX_ENTRIES)) {
    signal.throwIfAborted();
    const rows = readFrom(() => nextRows(tiers, size));
    if (rows.length === 0) break;
    const records = await searched.recordsOf(rows);
    found.push(...readFrom(() => rows.flatMap((row, index) => hitOf(row, records[index] ?? null, searched, query) ?? [])));
  }
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.position ?? null) : null };
}

function tiersOf({ source, scopes }: Searched, { words, types, after, to }: SearchQuery): TierEntries[] {
  const matches = matchesOf(words, (prefix, limit) => wordsFrom(source, prefix, limit));
  const past = matches(types);
  const typesAhead = types.filter((type) => TYPES_AHEAD.has(type));
  const ahead = typesAhead.length === 0 ? null : matches(typesAhead);
  const tiers = after?.tier === 1 ? ([1] as const) : ([0, 1] as const);
  return tiers.map((tier) => ({
    tier,
    entries: new EntryRows(source, {
      match: { ahead: ahead?.[tier] ?? null, past: past[tier] },
      scopes,
      to,
      after: after?.tier === tier ? after : null,
    }),
  }));
}

/** The next entries; empty after the last. One read of the index seldom has enough, and the records of each step cost a query beside another store. */
function nextRows(tiers: TierEntries[], size: number): readonly TierRow[] {
  const rows: TierRow[] = [];
  for (let [first] = tiers; first !== undefined && rows.length < size - SPARE_ENTRIES; [first] = tiers) {
    const { tier, entries } = first;
    const next = entries.next(size - rows.length);
    if (next.length === 0) tiers.shift();
    else rows.push(...next.map((row) => ({ ...row, tier })));
  }
  return rows;
}

/** The core's own rule judges each record, so the index never shows a record that does not match. If its time has changed, another entry will have its new place. */
function hitOf(row: TierRow, record: SearchableRecord | null, { nameFor }: Searched, { words, to }: SearchQuery): SearchEntry | null {
  if (record === null || listTimeOf(record) !== row.time || !isFoundUntil(record, to)) return null;
  // The name of the repository does not count as a title. It is read only if a word is missing in the fields of the record.
  const match = matchRecord(record, null, words) ?? matchRecord(record, nameFor(record), words);
  return match?.tier === row.tier ? { position: { tier: row.tier, ...searchPositionOf(record) }, record } : null;
}

/** Reads each word with one search in the index: the words that continue a word come directly after it. */
function wordsFrom({ database }: EntrySource, prefix: string, limit: number): readonly string[] {
  const words: string[] = [];
  for (let start = prefix; words.length < limit; start = `${words.at(-1) ?? ''}0`) {
    const word = database.row(TERM_SQL, start)?.[0];
    if (typeof word !== 'string' || !word.startsWith(prefix)) break;
    words.push(word);
  }
  return words;
}
