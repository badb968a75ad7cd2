import { vouchedRecord, type PlainRecord, type VouchedRecord, type Voucher } from '@vitrine/core';
import { NumberedNames, type SqliteDatabase } from '../database/sqlite-database.js';

/** The value of `record.source` if several sources vouch for a record. Each of them then has a row in `statement`. No source has this number. */
export const SEVERAL_SOURCES = 0;

/** Records for which the source or no source vouches. */
export const OF_SOURCE_SQL = `(r.source is null or r.source = ?1 or r.source = ${SEVERAL_SOURCES}
  and exists (select 1 from statement s where s.record = r.id and s.source = ?1))`;

/** The most names that are kept in memory. */
const KEPT_NAMES = 10_000;

const STATEMENTS_SQL = 'select c.name, s.says from statement s join source c on c.id = s.source where s.record = ?';

/** Which sources vouch for records. The number of a source is never given to another one, so names are kept. */
export class Vouchers {
  readonly #numbers: NumberedNames;
  readonly #names = new Map<number, string>();

  constructor(private readonly database: SqliteDatabase) {
    this.#numbers = new NumberedNames(database, 'source');
  }

  /** The number of a source; `null` if it has never vouched for a record. */
  numberOf(source: string): number | null {
    return this.#numbers.find(source);
  }

  /** A stored record with the statements of its sources. @param column its `record.source` */
  of(record: PlainRecord, id: number, column: unknown): VouchedRecord {
    if (typeof column !== 'number') return { record, statements: [] };
    if (column !== SEVERAL_SOURCES) return { record, statements: [{ source: this.#nameOf(column), record }] };
    const rows = this.database.rows(STATEMENTS_SQL, id);
    return vouchedRecord(
      record,
      rows.map(([name, says]) => ({ source: String(name), says: parsed(says) })),
    );
  }

  /** The value of `record.source`. Most records have one source, and then this number is all that is stored of it. Call this inside a transaction. */
  columnOf(vouchers: readonly Voucher[]): number | null {
    const [first] = vouchers;
    if (first === undefined) return null;
    return vouchers.length === 1 ? this.#numbers.create(first.source) : SEVERAL_SOURCES;
  }

  /** Replaces the vouchers of a record, inside a transaction. @param column the value in its row */
  replace(record: number, column: number | null, vouchers: readonly Voucher[]): void {
    this.remove(record, column);
    if (vouchers.length < 2) return;
    for (const { source, says } of vouchers)
      this.database.run('insert into statement (record, source, says) values (?, ?, ?)', record, this.#numbers.create(source), JSON.stringify(says));
  }

  remove(record: number, column: number | null): void {
    if (column === SEVERAL_SOURCES) this.database.run('delete from statement where record = ?', record);
  }

  #nameOf(source: number): string {
    const known = this.#names.get(source);
    if (known !== undefined) return known;
    const stored = this.database.row('select name from source where id = ?', source)?.[0];
    const name = typeof stored === 'string' ? stored : '';
    if (this.#names.size >= KEPT_NAMES) this.#names.clear();
    this.#names.set(source, name);
    return name;
  }
}

/** A statement that cannot be read counts as one that agrees with the record, until its source says it again. */
function parsed(says: unknown): Voucher['says'] {
  try {
    const value: unknown = JSON.parse(String(says));
    return typeof value === 'object' && value !== null ? (value as Voucher['says']) : {};
  } catch {
    return {};
  }
}
