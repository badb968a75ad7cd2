import { compareText, type ScopeRef, type SearchQuery, type SearchType } from '@vitrine/core';
import type { SqliteDatabase, SqlRow, SqlValue } from '../database/sqlite-database.js';
import { type RecordRow, rowOf, type ScopeIds } from '../records/reading.js';
import { backwardSecond, type EntryPosition, firstPlace, SERIAL_BITS, TIMELESS_SECOND } from './entry-words.js';

/** Where entries are read: in the file of the store, or in an index beside another store. */
export interface EntrySource {
  readonly database: SqliteDatabase;
  readonly scopes: ScopeIds;
  /** Whether the table `record` contains the records. An index beside another store contains only their keys. */
  readonly hasRecords: boolean;
}

export interface EntryRow extends RecordRow {
  readonly kind: string;
  readonly second: number;
  /** The bytes of the key as hexadecimal digits: a damaged key is no position. */
  readonly keyBytes: string;
}

interface PlacedMatch {
  /** Among entries that come before all of the past: only those of {@link TYPES_AHEAD}; `null` for none. */
  readonly ahead: string | null;
  readonly past: string;
}

interface EntryQuestion {
  readonly match: PlacedMatch;
  readonly scopes: readonly ScopeRef[];
  readonly to: SearchQuery['to'];
  readonly after: EntryPosition | null;
}

interface Range {
  readonly from: bigint;
  readonly end: bigint;
}

interface WithinSecond {
  readonly second: number;
  readonly after: readonly [time: number, kind: string, keyBytes: string] | null;
}

const FROM = `from search_words cross join search_entry e on e.place = search_words.rowid cross join record r on r.id = e.record
  where search_words match ?1 and search_words.rowid >= ?2 and search_words.rowid < ?3
  and r.scope in (select value from json_each(?4)) and (r.time is null or r.time <= ?5 or r.kind = 'incident')`;
const COLUMNS = 'r.key, r.time, r.kind';
/** FTS5 finds entries in the order of their places, so nothing is sorted. */
const rangeSql = (json: string): string =>
  `select ${json}, ${COLUMNS}, search_words.rowid >> ${SERIAL_BITS}, hex(r.key) ${FROM} order by search_words.rowid limit ?6`;
const TIME = 'coalesce(r.time, 0)';
/** What is sorted contains no JSON, because there may be many entries. */
const secondSql = (json: string): string => `select ${json}, ${COLUMNS}, p.second, hex(r.key) from (
    select r.id, search_words.rowid >> ${SERIAL_BITS} as second ${FROM} and (${TIME} < ?7 or (${TIME} = ?7 and (r.kind > ?8 or (r.kind = ?8 and r.key > cast(unhex(?9) as text)))))
    order by ${TIME} desc, r.kind, r.key limit ?6
  ) p cross join record r on r.id = p.id`;
const STORE_SQL = { range: rangeSql('r.json'), second: secondSql('r.json') };
const INDEX_SQL = { range: rangeSql("''"), second: secondSql("''") };
/** Repositories, services, and what is planned. A repository may have many commits of the future. They are not even read. */
export const TYPES_AHEAD: ReadonlySet<SearchType> = new Set(['repository', 'status-service', 'incident']);
const BEFORE_ALL = [Number.MAX_SAFE_INTEGER, '', ''] as const;
const END = 2n ** 63n - 1n;

/** Reads entries in the order of hits, in batches. */
export class EntryRows {
  readonly #database: SqliteDatabase;
  readonly #sql: typeof STORE_SQL;
  readonly #values: readonly SqlValue[];
  readonly #match: PlacedMatch;
  readonly #now: bigint;
  #ranges: readonly Range[];
  #within: WithinSecond | null;

  constructor(source: EntrySource, { match, scopes, to, after }: EntryQuestion) {
    this.#database = source.database;
    this.#sql = source.hasRecords ? STORE_SQL : INDEX_SQL;
    this.#match = match;
    this.#values = [JSON.stringify(source.scopes.ofAll(scopes)), to];
    const second = after === null ? TIMELESS_SECOND : backwardSecond(after.time);
    this.#within = after === null ? null : { second, after: rowPosition(after) };
    this.#now = firstPlace(Math.max(backwardSecond(to), TIMELESS_SECOND + 1));
    const from = firstPlace(after === null ? second : second + 1);
    const past = { from: from < this.#now ? this.#now : from, end: END };
    this.#ranges = from < this.#now ? [{ from, end: this.#now }, past] : [past];
  }

  /** The next entries; empty after the last. It may return fewer than `limit` although there are more. */
  next(limit: number): readonly EntryRow[] {
    while (this.#within !== null || this.#ranges.length > 0) {
      const rows = this.#within === null ? this.#nextSeconds(limit) : this.#nextOfSecond(this.#within, limit);
      if (rows.length > 0) return rows;
    }
    return [];
  }

  /** The entries of several seconds. The last second may have more entries than were read, so it is read again. */
  #nextSeconds(limit: number): readonly EntryRow[] {
    const [range, ...others] = this.#ranges;
    if (range === undefined) return [];
    const rows = this.#read(this.#sql.range, range, limit);
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) {
      this.#ranges = others;
      return rows.toSorted(compareRows);
    }
    const complete = rows.filter(({ second }) => second !== last.second);
    const isOneSecond = complete.length === 0;
    if (isOneSecond) this.#within = { second: last.second, after: null };
    this.#ranges = [{ ...range, from: firstPlace(isOneSecond ? last.second + 1 : last.second) }, ...others];
    return complete.toSorted(compareRows);
  }

  /** Entries of one second. SQLite sorts them, because there may be many. */
  #nextOfSecond({ second, after }: WithinSecond, limit: number): readonly EntryRow[] {
    const range = { from: firstPlace(second), end: firstPlace(second + 1) };
    const rows = this.#read(this.#sql.second, range, limit, ...(after ?? BEFORE_ALL)).toSorted(compareRows);
    const last = rows.at(-1);
    this.#within = last === undefined || rows.length < limit ? null : { second, after: [last.time ?? 0, last.kind, last.keyBytes] };
    return rows;
  }

  #read(sql: string, { from, end }: Range, limit: number, ...position: readonly SqlValue[]): readonly EntryRow[] {
    const match = from < this.#now ? this.#match.ahead : this.#match.past;
    if (match === null) return [];
    return this.#database.rows(sql, match, from, end, ...this.#values, limit, ...position).map(entryRow);
  }
}

function entryRow([json, key, time, kind, second, keyBytes]: SqlRow): EntryRow {
  return { ...rowOf([json, key, time]), kind: String(kind), second: Number(second), keyBytes: String(keyBytes) };
}

/** A position in terms of the columns of `record`. The types of search and the kinds of records sort in the same order. */
function rowPosition({ time, type, id }: EntryPosition): WithinSecond['after'] {
  const rowTime = backwardSecond(time) === TIMELESS_SECOND ? 0 : time;
  if (type === 'status-service') return [rowTime, 'service', hexOf(id)];
  // The key of a repository may have the id of its forge after the name.
  return [rowTime, type, hexOf(type === 'repository' ? `${id}#\u{10ffff}` : id)];
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

function compareRows(a: EntryRow, b: EntryRow): number {
  return a.second - b.second || (b.time ?? 0) - (a.time ?? 0) || compareText(a.kind, b.kind) || compareText(a.key, b.key);
}
