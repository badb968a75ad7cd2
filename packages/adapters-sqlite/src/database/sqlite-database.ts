import { UnavailableError } from '@vitrine/core';
import Database from 'libsql';
import { asBytes, decodedRow } from './readable-rows.js';

/** A value that may be bound. The driver ends the process if it gets a boolean. */
export type SqlValue = string | number | bigint | Uint8Array | null;
/** The columns of a result row. */
export type SqlRow = readonly unknown[];

/** What does not match, such as a pragma, returns no stored text. */
const IS_QUERY = /^\s*(?:select|with)\b/i;
/** The number of prepared statements that are kept. */
const KEPT_STATEMENTS = 300;

interface Statement {
  /** Whether its rows are those of {@link asBytes}. */
  readonly isSafe: boolean;
  run(values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  get(values: readonly SqlValue[]): unknown;
  all(values: readonly SqlValue[]): unknown[];
}

/** One connection to a SQLite file. All calls are synchronous; {@link isSqliteError} recognises their errors. */
export class SqliteDatabase {
  readonly file: string;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();
  #isClosed = false;

  constructor(file: string) {
    this.file = file;
    this.#database = new Database(file);
  }

  /** Runs SQL without parameters; several statements are allowed. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number | bigint } {
    return this.#prepared(sql).run(values);
  }

  /** The first row; `null` if there is none. */
  row(sql: string, ...values: readonly SqlValue[]): SqlRow | null {
    const statement = this.#prepared(sql);
    const row = (statement.get(values) as SqlRow | undefined) ?? null;
    return row !== null && statement.isSafe ? decodedRow(row) : row;
  }

  rows(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    const statement = this.#prepared(sql);
    const rows = statement.all(values) as SqlRow[];
    return statement.isSafe ? rows.map(decodedRow) : rows;
  }

  /** The first column of the first row as a number; 0 if there is no row. */
  number(sql: string, ...values: readonly SqlValue[]): number {
    return Number(this.row(sql, ...values)?.[0] ?? 0);
  }

  /** Runs writes that are stored together or not at all. Waits for the write lock first, so what is read inside does not change before the end. */
  transaction<Result>(write: () => Result): Result {
    this.exec('begin immediate');
    try {
      const result = write();
      this.exec('commit');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      // Statements are kept in the order of their last use.
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
    const statement = this.#prepare(sql);
    if (this.#statements.size >= KEPT_STATEMENTS) this.#statements.delete(this.#statements.keys().next().value ?? '');
    this.#statements.set(sql, statement);
    return statement;
  }

  #prepare(sql: string): Statement {
    const prepared = this.#database.prepare(sql);
    const isSafe = prepared.reader && IS_QUERY.test(sql);
    const used = isSafe ? this.#database.prepare(asBytes(sql, prepared.columns().length)) : prepared;
    if (used.reader) used.raw();
    return { isSafe, run: (values) => used.run(values), get: (values) => used.get(values), all: (values) => used.all(values) };
  }

  #rollBack(): void {
    // After some errors, SQLite has rolled back already.
    if (this.#database.inTransaction) this.exec('rollback');
  }
}
