import { keyOfIdentity, vouchersOf, type PlainIdentity, type PlainRecord, type VouchedRecord } from '@vitrine/core';
import { changeActivity, COUNTED_KINDS, type CountedKind } from '../activity/sqlite-activity-reader.js';
import { NumberedNames, type SqliteDatabase, type SqlRow, type SqlValue } from '../database/sqlite-database.js';
import { listsOf, type ListName } from '../lists/list-page.js';
import type { ScopeIds } from '../readers/sqlite-reading.js';
import { isListed, listTimeOf, ROW_COLUMNS, RowDecoder, rowOf, scopeOfPlain } from '../records/decoding.js';
import { SEVERAL_SOURCES, Vouchers } from '../records/vouchers.js';

/** A stored record, and its number. */
export interface FoundRecord {
  readonly id: number;
  /** `null` if it cannot be decoded. */
  readonly stored: VouchedRecord | null;
  /** Which source vouches for it, as the row says it. */
  readonly source: number | null;
}

const LISTING_ROW = '(?, ?, ?, ?, ?)';
const COLUMNS = `${ROW_COLUMNS}, id, source, kind`;
const FIND_SQL = `select ${COLUMNS} from record where kind = ? and key = ?`;
/** Records of one source alone, and those that it shares. The index holds only positive numbers. */
const VOUCHED_SQL = [
  `select ${COLUMNS} from record where source = ? and source > ${SEVERAL_SOURCES} limit ?`,
  `select ${COLUMNS} from record where id in (select record from statement where source = ? limit ?)`,
];

/** Writes records with their places in all lists. Every method must run inside a transaction. */
export class RecordTable {
  readonly #decoder = new RowDecoder(null);
  readonly #vouchers: Vouchers;
  readonly #lists: NumberedNames<ListName>;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly scopes: ScopeIds,
  ) {
    this.#vouchers = new Vouchers(database);
    this.#lists = new NumberedNames(database, 'list');
  }

  find(identity: PlainIdentity): FoundRecord | null {
    const row = this.database.row(FIND_SQL, identity.kind, keyOfIdentity(identity));
    return row === null ? null : this.#foundIn(row);
  }

  /** Some of the records for which a source vouches; none if there are no more. */
  vouchedBy(source: string, limit: number): readonly FoundRecord[] {
    const number = this.#vouchers.numberOf(source);
    for (const sql of number === null ? [] : VOUCHED_SQL) {
      const rows = this.database.rows(sql, number, limit);
      if (rows.length > 0) return rows.map((row) => this.#foundIn(row));
    }
    return [];
  }

  insert(vouched: VouchedRecord): number {
    const { record } = vouched;
    const vouchers = vouchersOf(vouched);
    const scope = this.scopes.create(scopeOfPlain(record));
    const sha = record.kind === 'commit' ? record.sha : null;
    const source = this.#vouchers.columnOf(vouchers);
    const values = [record.kind, keyOfIdentity(record), scope, listTimeOf(record), sha, JSON.stringify(record), source];
    const inserted = this.database.run('insert into record (kind, key, scope, time, sha, json, source) values (?, ?, ?, ?, ?, ?, ?)', ...values);
    const id = Number(inserted.lastInsertRowid);
    this.#vouchers.replace(id, null, vouchers);
    this.#addToLists(id, scope, record, listNamesOf(record));
    return id;
  }

  /** Changes only who vouches for a record. */
  vouch({ id, source }: FoundRecord, vouched: VouchedRecord): void {
    const vouchers = vouchersOf(vouched);
    this.#vouchers.replace(id, source, vouchers);
    this.database.run('update record set source = ? where id = ?', this.#vouchers.columnOf(vouchers), id);
  }

  /** Replaces a record by one with the same identity. Only its places that have changed are written. */
  replace(found: FoundRecord, before: PlainRecord, vouched: VouchedRecord): void {
    const { id } = found;
    const { record } = vouched;
    const vouchers = vouchersOf(vouched);
    this.#vouchers.replace(id, found.source, vouchers);
    const time = listTimeOf(record);
    // A sync record keeps its identity when it feeds another repository.
    const scope = this.scopes.create(scopeOfPlain(record));
    const source = this.#vouchers.columnOf(vouchers);
    this.database.run('update record set scope = ?, time = ?, json = ?, source = ? where id = ?', scope, time, JSON.stringify(record), source, id);
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

  /** If the record cannot be decoded, its places are found by its number, which takes long. */
  remove({ id, stored, source }: FoundRecord): void {
    const record = stored?.record ?? null;
    this.#vouchers.remove(id, source);
    if (record === null) this.#removeEverywhere(id);
    else this.#removeFromLists(this.scopes.create(scopeOfPlain(record)), record, listNamesOf(record));
    this.database.run('delete from record where id = ?', id);
  }

  #foundIn(row: SqlRow): FoundRecord {
    const [id, source, kind] = [Number(row[3]), row[4], String(row[5]) as PlainRecord['kind']];
    const record = this.#decoder.record(kind, rowOf(row));
    const stored = record === null ? null : this.#vouchers.of(record, id, source);
    return { id, stored, source: typeof source === 'number' ? source : null };
  }

  #addToLists(id: number, scope: number, record: PlainRecord, names: readonly ListName[]): void {
    if (names.length === 0) return;
    const key = keyOfIdentity(record);
    const time = listTimeOf(record);
    const values = names.flatMap((name): SqlValue[] => [this.#lists.create(name), scope, time, key, id]);
    this.database.run(
      `insert into listing (list, scope, time, key, record) values ${Array<string>(names.length).fill(LISTING_ROW).join()}`,
      ...values,
    );
    for (const kind of names.filter(isCounted)) changeActivity(this.database, kind, { scope, time: time ?? 0 }, 1);
  }

  #removeFromLists(scope: number, record: PlainRecord, names: readonly ListName[]): void {
    for (const kind of names.filter(isCounted)) changeActivity(this.database, kind, { scope, time: listTimeOf(record) ?? 0 }, -1);
    for (const name of names)
      this.database.run(
        'delete from listing where list = ? and scope = ? and time = ? and key = ?',
        this.#lists.create(name),
        scope,
        listTimeOf(record),
        keyOfIdentity(record),
      );
  }

  /** The record cannot be decoded, so its former counts are only known from its places. */
  #removeEverywhere(id: number): void {
    for (const kind of COUNTED_KINDS)
      for (const [scope, time] of this.database.rows('select scope, time from listing where record = ? and list = ?', id, this.#lists.create(kind)))
        changeActivity(this.database, kind, { scope: Number(scope), time: Number(time) }, -1);
    this.database.run('delete from listing where record = ?', id);
  }
}

function listNamesOf(record: PlainRecord): readonly ListName[] {
  return isListed(record) ? listsOf(record) : [];
}

function isCounted(name: ListName): name is CountedKind {
  return COUNTED_KINDS.some((kind) => kind === name);
}
