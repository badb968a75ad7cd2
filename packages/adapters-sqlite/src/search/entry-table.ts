import { entryWords, nameOfRef, RecordWords, searchedRepositoryOf, searchFieldsOf, searchTimeOf } from '@vitrine/core';
import type { RepositoryRef, SearchableRecord } from '@vitrine/core';
import type { SqliteDatabase, SqlRow } from '../database/sqlite-database.js';
import { backwardSecond, entryWordsOf, firstPlace, SERIAL_BITS } from './entry-words.js';

const PLACE = `place >> ${SERIAL_BITS}, place & ${2 ** SERIAL_BITS - 1}`;
const FIND_SQL = `select ${PLACE} from search_entry where record = ?`;
const INSERT_SQL = 'insert into search_entry (place, record) values (?, ?) on conflict (place) do nothing';
const LAST_SQL = `select ${PLACE} from search_entry where place >= ? and place < ? order by place desc limit 1`;

/** Writes entries and their words. Every method must run inside a transaction; the words are written by {@link EntryTable.finish}. */
export class EntryTable {
  readonly #words = new RecordWords();
  readonly #added = new Map<bigint, string>();

  constructor(
    private readonly database: SqliteDatabase,
    readonly names = new RepositoryNames(database),
  ) {}

  /** Adds the entry of a record that has none. */
  add(id: number, record: SearchableRecord): void {
    this.addWords(id, secondOf(record), this.wordsOf(record));
  }

  /** Adds an entry with these words. @param second of its time, as {@link backwardSecond} returns it */
  addWords(id: number, second: number, words: string): void {
    let place = firstPlace(second);
    // Most seconds have one entry.
    if (this.database.run(INSERT_SQL, place, id).changes === 0) {
      const last = this.database.row(LAST_SQL, place, firstPlace(second + 1));
      // In a damaged file, the place can be taken although no row has it.
      place = (last === null ? place : placeOf(last)) + 1n;
      this.database.run(INSERT_SQL, place, id);
    }
    this.#added.set(place, words);
  }

  /** Replaces the entry of a record, if it has one, by that of another version. */
  replace(id: number, before: SearchableRecord, record: SearchableRecord): void {
    if (secondOf(before) !== secondOf(record) || !sameTexts(before, record)) this.rewrite(id, record);
  }

  rewrite(id: number, record: SearchableRecord): void {
    if (this.remove(id)) this.add(id, record);
  }

  remove(id: number): boolean {
    const row = this.database.row(FIND_SQL, id);
    if (row === null) return false;
    const place = placeOf(row);
    if (!this.#added.delete(place)) this.database.run('delete from search_words where rowid = ?', place);
    this.database.run('delete from search_entry where record = ?', id);
    return true;
  }

  /** Writes the words. FTS5 writes to its file whenever a rowid is lower than the one before, so they are written in this order. */
  finish(): void {
    const added = [...this.#added].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#added.clear();
    for (const [place, words] of added) this.database.run('insert into search_words (rowid, words) values (?, ?)', place, words);
  }

  wordsOf(record: SearchableRecord): string {
    return entryWordsOf(this.#words, record, this.names.nameFor(record));
  }
}

/** The second of the place of a record, as {@link backwardSecond} returns it. */
export function secondOf(record: SearchableRecord): number {
  return backwardSecond(searchTimeOf(record));
}

function sameTexts(a: SearchableRecord, b: SearchableRecord): boolean {
  return JSON.stringify(searchFieldsOf(a, null)) === JSON.stringify(searchFieldsOf(b, null));
}

function placeOf([second, serial]: SqlRow): bigint {
  return firstPlace(Number(second)) + BigInt(Number(serial));
}

/**
 * The tables of the search index. `search_words` holds the words of each entry, under the place of the entry as its rowid. Words are read only to be compared, so the
 * table stores no text (`content=''`) and no positions (`detail=none`). The prefixes include the letter before each word, so they stand for two to four letters.
 * FTS5 merges its segments only when there are eight of about the same size, because with four writing takes a tenth longer.
 */
export const ENTRY_TABLES = `
create virtual table search_words using fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'ascii', detail = none, prefix = '3 4 5'
);
insert into search_words (search_words, rank) values ('automerge', 8);
create virtual table search_terms using fts5vocab (search_words, instance);
create table search_entry (
  place integer primary key,
  record integer not null unique references record (id) deferrable initially deferred
) strict;
create table search_scope (ref text primary key, is_complete integer not null) strict, without rowid;
create table search_state (is_limited integer not null, is_swept integer not null) strict;
insert into search_state values (0, 1);
`;

/** The tables of the index of an embedded store. */
export const SEARCH_TABLES = `${ENTRY_TABLES}create table search_renamed (scope integer primary key references scope (id), done integer not null) strict;
create index record_scope on record (scope);
`;

const NAME_SQL = `select json ->> 'fullName' from record where kind = 'repository' and key = ? and json_valid(json)`;

/** The repository names whose words count for records: in the spelling of the stored repository, or else that of the ref. Each is read once. */
export class RepositoryNames {
  readonly #known = new Map<RepositoryRef, string>();

  constructor(
    private readonly database: SqliteDatabase,
    private readonly sql = NAME_SQL,
  ) {}

  /** The repository name whose words count for a record besides its own fields; `null` if there is none. */
  nameFor(record: SearchableRecord): string | null {
    const ref = searchedRepositoryOf(record);
    return ref === null ? null : this.nameOf(ref);
  }

  nameOf(ref: RepositoryRef): string {
    let name = this.#known.get(ref);
    if (name === undefined) {
      const stored = this.database.row(this.sql, ref)?.[0];
      name = typeof stored === 'string' ? stored : nameOfRef(ref);
      this.#known.set(ref, name);
    }
    return name;
  }

  forget(): void {
    this.#known.clear();
  }
}

export function isSameName(before: string, after: string): boolean {
  return before === after || entryWords(before).sort().join(' ') === entryWords(after).sort().join(' ');
}
