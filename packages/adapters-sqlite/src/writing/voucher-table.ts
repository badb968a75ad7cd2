import type { Voucher } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { SEVERAL_SOURCES } from '../records/stored-vouchers.js';

/** The most source numbers that are kept in memory. */
const KEPT_SOURCES = 10_000;

/** Writes which sources vouch for a record. Every method must run inside a transaction. */
export class VoucherTable {
  readonly #database: SqliteDatabase;
  readonly #sources = new Map<string, number>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** The value of `record.source`. Most records have one source, and then this number is all that is stored of it. */
  columnOf(vouchers: readonly Voucher[]): number | null {
    const [first] = vouchers;
    if (first === undefined) return null;
    return vouchers.length === 1 ? this.#create(first.source) : SEVERAL_SOURCES;
  }

  /** Replaces the vouchers of a record. @param column the value in its row */
  replace(record: number, column: number | null, vouchers: readonly Voucher[]): void {
    if (column === SEVERAL_SOURCES) this.remove(record, column);
    if (vouchers.length < 2) return;
    for (const { source, says } of vouchers)
      this.#database.run('insert into statement (record, source, says) values (?, ?, ?)', record, this.#create(source), JSON.stringify(says));
  }

  remove(record: number, column: number | null): void {
    if (column === SEVERAL_SOURCES) this.#database.run('delete from statement where record = ?', record);
  }

  /** After a transaction has failed, numbers that it gave may not exist. */
  forget(): void {
    this.#sources.clear();
  }

  #create(name: string): number {
    const known = this.#sources.get(name);
    if (known !== undefined) return known;
    const stored = this.#database.number('select id from source where name = ?', name);
    const id = stored || Number(this.#database.run('insert into source (name) values (?)', name).lastInsertRowid);
    if (this.#sources.size >= KEPT_SOURCES) this.#sources.clear();
    this.#sources.set(name, id);
    return id;
  }
}
