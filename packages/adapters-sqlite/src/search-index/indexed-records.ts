import { createHash } from 'node:crypto';
import { keyOfIdentity, nameOfRef, RecordWords, scopeOfRecord, searchTimeOf, type RepositoryRef, type SearchableRecord } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { ScopeIds } from '../readers/sqlite-reading.js';
import { listTimeOf } from '../records/decoding.js';
import { EntryTable, isSameName, RepositoryNames } from '../search/entry-table.js';
import { backwardSecond, entryWordsOf } from '../search/entry-words.js';

const HASH_BYTES = 8;
const FIND_SQL = 'select id, scope, time, hex(words) from record where hash = ? and kind = ? and key = ?';
const INSERT_SQL = 'insert into record (hash, kind, key, scope, time, words) values (?, ?, ?, ?, ?, ?)';
const UPDATE_SQL = 'update record set scope = ?, time = ?, words = ? where id = ?';

/** The records of the index: their keys and their words. All methods that write run inside a transaction, which {@link IndexedRecords.finish} ends. */
export class IndexedRecords {
  readonly scopes: ScopeIds;
  readonly entries: EntryTable;
  readonly #words = new RecordWords();
  readonly names: RepositoryNames;
  #count: number | null = null;

  constructor(private readonly database: SqliteDatabase) {
    this.scopes = new ScopeIds(database);
    this.entries = new EntryTable(database);
    this.names = new RepositoryNames(database, 'select name from scope where ref = ?');
  }

  /** How many records have an entry. */
  get count(): number {
    return (this.#count ??= this.database.number('select count(*) from search_entry'));
  }

  /** Writes the entry of the present version of a record. Returns `false` if other entries of its repository have words of another name of it. */
  put(record: SearchableRecord): boolean {
    const [key, scope, time, second] = [keyOfIdentity(record), this.scopes.create(scopeOfRecord(record)), listTimeOf(record), secondOf(record)];
    const text = entryWordsOf(this.#words, record, this.names.nameFor(record));
    const words = createHash('sha256').update(`${second} ${text}`).digest().subarray(0, HASH_BYTES);
    const hash = hashOf(record.kind, key);
    const known = this.database.row(FIND_SQL, hash, record.kind, key);
    if (known === null) {
      this.entries.addWords(Number(this.database.run(INSERT_SQL, hash, record.kind, key, scope, time, words).lastInsertRowid), second, text);
      this.#changeCount(1);
    } else if (known[3] !== words.toString('hex').toUpperCase()) {
      this.database.run(UPDATE_SQL, scope, time, words, Number(known[0]));
      this.entries.remove(Number(known[0]));
      this.entries.addWords(Number(known[0]), second, text);
    } else if (known[1] !== scope || known[2] !== time) this.database.run(UPDATE_SQL, scope, time, words, Number(known[0]));
    return record.kind !== 'repository' || this.#rename(record.repositoryRef, record.fullName);
  }

  /** Removes a record that may have an entry. Returns as {@link IndexedRecords.put} does. */
  remove(kind: SearchableRecord['kind'], key: string): boolean {
    const known = this.database.row(FIND_SQL, hashOf(kind, key), kind, key);
    if (known === null) return true;
    this.removeEntry(Number(known[0]));
    return kind !== 'repository' || this.#rename(key as RepositoryRef, nameOfRef(key as RepositoryRef));
  }

  removeEntry(id: number): void {
    this.entries.remove(id);
    this.database.run('delete from record where id = ?', id);
    this.#changeCount(-1);
  }

  /** Forgets everything. */
  clear(): void {
    this.database.exec(`
      delete from record; delete from search_entry; delete from fill;
      insert into search_words (search_words) values ('delete-all');
      update scope set name = null; update search_scope set is_complete = 0; update search_state set is_swept = 1;
    `);
    this.names.forget();
    this.#count = 0;
  }

  finish(): void {
    this.entries.finish();
  }

  #changeCount(by: 1 | -1): void {
    if (this.#count !== null) this.#count += by;
  }

  #rename(ref: RepositoryRef, name: string): boolean {
    const before = this.names.nameOf(ref);
    this.database.run('update scope set name = ? where ref = ?', name, ref);
    if (name !== before) this.names.forget();
    return isSameName(before, name);
  }
}

/** 32 bits, so that few records share one. */
function hashOf(kind: SearchableRecord['kind'], key: string): number {
  return createHash('sha256').update(`${kind} ${key}`).digest().readUInt32BE();
}

function secondOf(record: SearchableRecord): number {
  return backwardSecond(searchTimeOf(record));
}
