import { keyOfIdentity, type PlainIdentity, type PlainRecord } from '@vitrine/core';
import { COUNTED_KINDS, type CountedKind } from '../activity/activity-counts.js';
import type { ActivityWriter } from '../activity/activity-writer.js';
import type { SqliteDatabase, SqlValue } from '../database/sqlite-database.js';
import { listsOf, type ListName } from '../lists/list-names.js';
import { isListed, listTimeOf, ROW_COLUMNS, RowDecoder, rowOf, scopeOfPlain } from '../records/record-row.js';
import type { ScopeIds } from '../records/scope-ids.js';

/** A stored record, and its number. */
export interface FoundRecord {
  readonly id: number;
  /** `null` if it cannot be decoded. */
  readonly record: PlainRecord | null;
}

/** The most list numbers that are kept in memory. */
const KEPT_LISTS = 20_000;
const LISTING_COLUMNS = 5;

/** Writes records with their places in all lists. Every method must run inside a transaction. */
export class RecordTable {
  readonly #database: SqliteDatabase;
  readonly #scopes: ScopeIds;
  readonly #activity: ActivityWriter;
  readonly #decoder = new RowDecoder(null);
  readonly #lists = new Map<ListName, number>();

  /** @param activity gets each commit and release that is added to its list or removed from it */
  constructor(database: SqliteDatabase, scopes: ScopeIds, activity: ActivityWriter) {
    this.#database = database;
    this.#scopes = scopes;
    this.#activity = activity;
  }

  find(identity: PlainIdentity): FoundRecord | null {
    const { kind } = identity;
    const row = this.#database.row(`select ${ROW_COLUMNS}, id from record where kind = ? and key = ?`, kind, keyOfIdentity(identity));
    return row === null ? null : { id: Number(row[3]), record: this.#decoder.record(kind, rowOf(row)) };
  }

  insert(record: PlainRecord): number {
    const scope = this.#scopes.create(scopeOfPlain(record));
    const sha = record.kind === 'commit' ? record.sha : null;
    const values = [record.kind, keyOfIdentity(record), scope, listTimeOf(record), sha, JSON.stringify(record)];
    const inserted = this.#database.run('insert into record (kind, key, scope, time, sha, json) values (?, ?, ?, ?, ?, ?)', ...values);
    const id = Number(inserted.lastInsertRowid);
    this.#addToLists(id, scope, record, listNamesOf(record));
    return id;
  }

  /** Replaces a record by one with the same identity. Only its places that have changed are written. */
  replace(id: number, before: PlainRecord, record: PlainRecord): void {
    const time = listTimeOf(record);
    // A sync record keeps its identity when it feeds another repository.
    const scope = this.#scopes.create(scopeOfPlain(record));
    this.#database.run('update record set scope = ?, time = ?, json = ? where id = ?', scope, time, JSON.stringify(record), id);
    const isMoved = listTimeOf(before) !== time;
    const [had, has] = [new Set(listNamesOf(before)), new Set(listNamesOf(record))];
    this.#removeFromLists(
      scope,
      before,
      [...had].filter((name) => isMoved || !has.has(name)),
    );
    this.#addToLists(
      id,
      scope,
      record,
      [...has].filter((name) => isMoved || !had.has(name)),
    );
  }

  /** @param record the stored record; `null` if it cannot be decoded. Then its places are found by its number, which takes long. */
  remove(id: number, record: PlainRecord | null): void {
    if (record === null) this.#removeEverywhere(id);
    else this.#removeFromLists(this.#scopes.create(scopeOfPlain(record)), record, listNamesOf(record));
    this.#database.run('delete from record where id = ?', id);
  }

  /** After a transaction has failed, numbers that it gave may not exist. */
  forget(): void {
    this.#lists.clear();
  }

  #addToLists(id: number, scope: number, record: PlainRecord, names: readonly ListName[]): void {
    if (names.length === 0) return;
    const key = keyOfIdentity(record);
    const time = listTimeOf(record);
    const values = names.flatMap((name): SqlValue[] => [this.#listId(name), scope, time, key, id]);
    const row = `(${'?'.repeat(LISTING_COLUMNS).split('').join()})`;
    this.#database.run(`insert into listing (list, scope, time, key, record) values ${names.map(() => row).join()}`, ...values);
    for (const kind of names.filter(isCounted)) this.#activity.added(kind, scope, time ?? 0);
  }

  #removeFromLists(scope: number, record: PlainRecord, names: readonly ListName[]): void {
    for (const kind of names.filter(isCounted)) this.#activity.removed(kind, scope, listTimeOf(record) ?? 0);
    for (const name of names)
      this.#database.run(
        'delete from listing where list = ? and scope = ? and time = ? and key = ?',
        this.#listId(name),
        scope,
        listTimeOf(record),
        keyOfIdentity(record),
      );
  }

  /** The record cannot be decoded, so what it was counted as is only known from its places. */
  #removeEverywhere(id: number): void {
    for (const kind of COUNTED_KINDS)
      for (const [scope, time] of this.#database.rows('select scope, time from listing where record = ? and list = ?', id, this.#listId(kind)))
        this.#activity.removed(kind, Number(scope), Number(time));
    this.#database.run('delete from listing where record = ?', id);
  }

  #listId(name: ListName): number {
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const stored = this.#database.number('select id from list where name = ?', name);
    const id = stored || Number(this.#database.run('insert into list (name) values (?)', name).lastInsertRowid);
    if (this.#lists.size >= KEPT_LISTS) this.#lists.clear();
    this.#lists.set(name, id);
    return id;
  }
}

function listNamesOf(record: PlainRecord): readonly ListName[] {
  return isListed(record) ? listsOf(record) : [];
}

function isCounted(name: ListName): name is CountedKind {
  return COUNTED_KINDS.some((kind) => kind === name);
}
