import { keyOfIdentity, remembered, timeOf, vouchedRecord, vouchersOf } from '@vitrine/core';
import type { FoundVersion, Instant, PlainRecord, VouchedRecord, Voucher } from '@vitrine/core';
import { changeActivity, COUNTED_KINDS, type CountedKind } from '../activity/sqlite-activity-reader.js';
import { NumberedNames, type SqliteDatabase, type SqlRow, type SqlValue } from '../database/sqlite-database.js';
import { type ListName, listsOf } from '../lists/list-page.js';
import { isListed, isObject, listTimeOf, ROW_COLUMNS, RowDecoder, rowOf, type ScopeIds, scopeOfPlain, storedJson } from '../records/reading.js';

export interface FoundRecord extends FoundVersion {
  readonly id: number;
  readonly kind: PlainRecord['kind'];
  readonly key: string;
  /** Which source vouches for it, as the row says it. */
  readonly source: number | null;
}

export function recordIn(found: FoundRecord | null): PlainRecord | null {
  return found?.stored?.record ?? null;
}

/** The value of `record.source` if several sources vouch for a record. Each of them then has a row in `statement`. No source has this number. */
const SEVERAL_SOURCES = 0;
const ENTER_SQL = 'insert into listing (list, scope, time, key, record) values';
const LISTING_ROW = '(?, ?, ?, ?, ?)';
const LEAVE_SQL = 'delete from listing where list = ? and scope = ? and time = ? and key = ?';
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

  find(kind: PlainRecord['kind'], key: string): FoundRecord | null {
    const row = this.database.row(FIND_SQL, kind, key);
    return row === null ? null : this.#foundIn(row);
  }

  /** Some of the records for which a source vouches; none if there are no more. */
  vouchedBy(source: string, limit: number): readonly FoundRecord[] {
    const number = this.#vouchers.numbers.find(source);
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
    this.#moveInLists(id, scope, before, record);
    return id;
  }

  /** If the record cannot be decoded, its places are found by its number, which takes long. Returns its number. */
  remove(found: FoundRecord): number {
    const { id, source } = found;
    const record = recordIn(found);
    this.#vouchers.remove(id, source);
    if (record === null) this.#removeEverywhere(id);
    else this.#moveInLists(id, this.scopes.create(scopeOfPlain(record)), record, null);
    this.database.run('delete from record where id = ?', id);
    return id;
  }

  #foundIn(row: SqlRow): FoundRecord {
    const [id, source, kind] = [Number(row[3]), row[4], String(row[5]) as PlainRecord['kind']];
    const columns = rowOf(row);
    const record = this.#decoder.record(kind, columns);
    const stored = record === null ? null : this.#vouchers.of(record, id, source);
    return { id, kind, key: columns.key, stored, source: typeof source === 'number' ? source : null };
  }

  /** From the lists of the version before to those of the new one; `null` for none. */
  #moveInLists(id: number, scope: number, before: PlainRecord | null, after: PlainRecord | null): void {
    const [had, has] = [placesOf(before), placesOf(after)];
    const isIn = (places: readonly Place[], { name, time }: Place): boolean => places.some((one) => one.name === name && one.time === time);
    const [left, entered] = [had.filter((place) => !isIn(has, place)), has.filter((place) => !isIn(had, place))];
    for (const { name, time, key } of left) this.database.run(LEAVE_SQL, this.#lists.create(name), scope, time, key);
    const values = entered.flatMap(({ name, time, key }): SqlValue[] => [this.#lists.create(name), scope, time, key, id]);
    if (entered.length > 0) this.database.run(`${ENTER_SQL} ${entered.map(() => LISTING_ROW).join()}`, ...values);
    for (const { name, time } of left) if (isCounted(name)) changeActivity(this.database, name, { scope, time }, -1);
    for (const { name, time } of entered) if (isCounted(name)) changeActivity(this.database, name, { scope, time }, 1);
  }

  /** The record cannot be decoded, so its former counts are only known from its places. */
  #removeEverywhere(id: number): void {
    for (const kind of COUNTED_KINDS)
      for (const [scope, time] of this.database.rows('select scope, time from listing where record = ? and list = ?', id, this.#lists.create(kind)))
        changeActivity(this.database, kind, { scope: Number(scope), time: Number(time) }, -1);
    this.database.run('delete from listing where record = ?', id);
  }
}

interface Place {
  readonly name: ListName;
  readonly time: Instant;
  readonly key: string;
}

function placesOf(record: PlainRecord | null): readonly Place[] {
  if (record === null || !isListed(record)) return [];
  const [time, key] = [timeOf(record), keyOfIdentity(record)];
  return listsOf(record).map((name) => ({ name, time, key }));
}

function isCounted(name: ListName): name is CountedKind {
  return COUNTED_KINDS.some((kind) => kind === name);
}

export const OF_SOURCE_SQL = `(r.source is null or r.source = ?1 or r.source = ${SEVERAL_SOURCES}
  and exists (select 1 from statement s where s.record = r.id and s.source = ?1))`;

const KEPT_NAMES = 10_000;

const STATEMENTS_SQL = 'select c.name, s.says from statement s join source c on c.id = s.source where s.record = ?';

/** Which sources vouch for records. The number of a source is never given to another one, so names are kept. */
export class Vouchers {
  readonly numbers: NumberedNames;
  readonly #nameOf = remembered(KEPT_NAMES, (id: number) => {
    const name = this.database.row('select name from source where id = ?', id)?.[0];
    return typeof name === 'string' ? name : '';
  });

  constructor(private readonly database: SqliteDatabase) {
    this.numbers = new NumberedNames(database, 'source');
  }

  /** A stored record with the statements of its sources. @param column its `record.source` */
  of(record: PlainRecord, id: number, column: unknown): VouchedRecord {
    if (typeof column !== 'number') return { record, statements: [] };
    if (column !== SEVERAL_SOURCES) return { record, statements: [{ source: this.#nameOf(column), record }] };
    const rows = this.database.rows(STATEMENTS_SQL, id);
    return vouchedRecord(
      record,
      // A statement that cannot be read counts as one that agrees with the record, until its source says it again.
      rows.map(([name, says]) => ({ source: String(name), says: storedJson(says, isObject) ?? {} })),
    );
  }

  /** The value of `record.source`. Most records have one source, and then this number is all that is stored of it. Call this inside a transaction. */
  columnOf(vouchers: readonly Voucher[]): number | null {
    const [first] = vouchers;
    if (first === undefined) return null;
    return vouchers.length === 1 ? this.numbers.create(first.source) : SEVERAL_SOURCES;
  }

  /** Replaces the vouchers of a record, inside a transaction. @param column the value in its row */
  replace(record: number, column: number | null, vouchers: readonly Voucher[]): void {
    this.remove(record, column);
    if (vouchers.length < 2) return;
    for (const { source, says } of vouchers)
      this.database.run('insert into statement (record, source, says) values (?, ?, ?)', record, this.numbers.create(source), JSON.stringify(says));
  }

  remove(record: number, column: number | null): void {
    if (column === SEVERAL_SOURCES) this.database.run('delete from statement where record = ?', record);
  }
}
