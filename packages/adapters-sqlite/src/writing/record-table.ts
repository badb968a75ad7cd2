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

/** `null` if there is none, or if it cannot be decoded. */
export function recordIn(found: FoundRecord | null): PlainRecord | null {
  return found?.stored?.record ?? null;
}

const LISTING_ROW = '(?, ?, ?, ?, ?)';
const COLUMNS = `${ROW_COLUMNS}, id, source, kind`;
const FIND_SQL = `select ${COLUMNS} from record where kind = ? and key = ?`;
const PUT_SQL = `insert into record (kind, key, scope, time, sha, json, source) values (?, ?, ?, ?, ?, ?, ?)
  on conflict (kind, key) do update set scope = excluded.scope, time = excluded.time, json = excluded.json, source = excluded.source returning id`;
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

  /** Stores a record in place of the found one. Only its places in lists that have changed are written. Returns its number. */
  put(found: FoundRecord | null, vouched: VouchedRecord): number {
    const { record } = vouched;
    const before = recordIn(found);
    if (found !== null && before === null) this.#removeEverywhere(found.id);
    const vouchers = vouchersOf(vouched);
    // A sync record keeps its identity when it feeds another repository.
    const scope = this.scopes.create(scopeOfPlain(record));
    const [time, sha] = [listTimeOf(record), record.kind === 'commit' ? record.sha : null];
    const source = this.#vouchers.columnOf(vouchers);
    const id = this.database.number(PUT_SQL, record.kind, keyOfIdentity(record), scope, time, sha, JSON.stringify(record), source);
    this.#vouchers.replace(id, found?.source ?? null, vouchers);
    if (before === null) this.#addToLists(id, scope, record, listNamesOf(record));
    else this.#moveInLists(id, scope, before, record);
    return id;
  }

  /** If the record cannot be decoded, its places are found by its number, which takes long. */
  remove(found: FoundRecord): void {
    const { id, source } = found;
    const record = recordIn(found);
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

  #moveInLists(id: number, scope: number, before: PlainRecord, record: PlainRecord): void {
    const isMoved = listTimeOf(before) !== listTimeOf(record);
    const [had, has] = [listNamesOf(before), listNamesOf(record)];
    const [left, entered] = [had.filter((name) => isMoved || !has.includes(name)), has.filter((name) => isMoved || !had.includes(name))];
    this.#removeFromLists(scope, before, left);
    this.#addToLists(id, scope, record, entered);
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
