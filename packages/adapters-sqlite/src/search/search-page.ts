import type { Page, ScopeRef, SearchEntry, SearchPosition, SearchQuery } from '@vitrine/core';
import type { SqliteReading } from '../readers/sqlite-reading.js';
import { EntryRows } from './entry-rows.js';
import { Hits } from './hits.js';
import { matchesOf, type Matches } from './query-terms.js';

/** Reads a few more entries than the page needs, so that an entry that is not a hit seldom costs another read. */
const SPARE_ENTRIES = 3;
/** Entries that one read returns at most, if many entries before them were no hits. */
const MAX_ENTRIES = 512;

const TERM_SQL = 'select term from search_terms where term >= ? limit 1';

/**
 * Finds one page of hits. It yields after each read of the index, so that a caller can run other work, or stop it.
 *
 * @param scopes the repositories whose records may be found, and `-` if records of no repository may be found
 */
export function* searchPage(
  reading: SqliteReading,
  scopes: readonly ScopeRef[],
  query: SearchQuery,
): Generator<void, Page<SearchEntry, SearchPosition>, void> {
  const found: SearchEntry[] = [];
  if (query.types.length > 0) {
    const matches = matchesOf(query.words, query.types, (prefix, limit) => wordsFrom(reading, prefix, limit));
    for (const tier of query.after?.tier === 1 ? ([1] as const) : ([0, 1] as const)) yield* collect(reading, scopes, query, { matches, tier, found });
  }
  const items = found.slice(0, query.limit);
  return { items, next: found.length > query.limit ? (items.at(-1)?.position ?? null) : null };
}

interface Collecting {
  readonly matches: Matches;
  readonly tier: 0 | 1;
  readonly found: SearchEntry[];
}

/** Collects the hits of a tier, until there is one more than the page holds. */
function* collect(
  reading: SqliteReading,
  scopes: readonly ScopeRef[],
  { words, limit, after, to }: SearchQuery,
  { matches, tier, found }: Collecting,
): Generator<void> {
  const entries = new EntryRows(reading, { match: matches[tier], scopes, to, after: after?.tier === tier ? after : null });
  const hits = new Hits(reading, words);
  for (let size = limit + 1 - found.length + SPARE_ENTRIES; found.length <= limit; size = Math.min(2 * size, MAX_ENTRIES)) {
    const rows = entries.next(size);
    yield;
    if (rows.length === 0) return;
    for (const row of rows) {
      const hit = found.length > limit ? null : hits.hitOf(row, tier);
      if (hit !== null) found.push(hit);
    }
  }
}

/** Reads each word with one search in the index: the words that continue a word come directly after it. */
function wordsFrom({ database }: SqliteReading, prefix: string, limit: number): readonly string[] {
  const words: string[] = [];
  for (let start = prefix; words.length < limit; start = `${words.at(-1) ?? ''}0`) {
    const word = database.row(TERM_SQL, start)?.[0];
    if (typeof word !== 'string' || !word.startsWith(prefix)) break;
    words.push(word);
  }
  return words;
}
