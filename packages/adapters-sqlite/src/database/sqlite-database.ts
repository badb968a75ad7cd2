import { isUtf8 } from 'node:buffer';
import { UnavailableError } from '@vitrine/core';
import Database from 'libsql';

/** A value that may be bound. The driver ends the process if it gets a boolean. */
export type SqlValue = string | number | bigint | Uint8Array | null;
export type SqlRow = readonly unknown[];

/** What does not match, such as a pragma, returns no stored text. */
const IS_QUERY = /^\s*(?:select|with)\b/i;
const KEPT_STATEMENTS = 300;

interface Statement {
  /** Whether its rows are those of {@link asBytes}. */
  readonly isSafe: boolean;
  readonly prepared: Database.Statement;
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
    return this.#prepared(sql).prepared.run(values);
  }

  row(sql: string, ...values: readonly SqlValue[]): SqlRow | null {
    const statement = this.#prepared(sql);
    const row = (statement.prepared.get(values) as SqlRow | undefined) ?? null;
    return row !== null && statement.isSafe ? decodedRow(row) : row;
  }

  rows(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    const statement = this.#prepared(sql);
    const rows = statement.prepared.all(values) as SqlRow[];
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
    return { isSafe, prepared: used };
  }

  #rollBack(): void {
    // After some errors, SQLite has rolled back already.
    if (this.#database.inTransaction) this.exec('rollback');
  }
}

/** The most columns whose kinds fit in the bits of one number. */
const MOST_COLUMNS = 30;

/** The same query with all text as bytes, and the kinds of its columns as bits: the driver ends the process if it reads text that is not UTF-8, which damage can put into any column. */
function asBytes(sql: string, columns: number): string {
  const names = Array.from({ length: Math.min(columns, MOST_COLUMNS) }, (_, index) => `c${index}`);
  const values = names.map((name) => `iif(typeof(${name}) = 'text', cast(${name} as blob), ${name})`);
  const kinds = names.map((name, index) => `(typeof(${name}) = 'text') * ${1 << index}`);
  return `with row(${names.join(', ')}) as (${sql}) select ${values.join(', ')}, ${kinds.join(' + ')} from row`;
}

/** The row of the original query. Text that is not UTF-8 begins with U+FFFD, so it is neither JSON nor a known name, and readers skip its record. */
function decodedRow(row: readonly unknown[]): readonly unknown[] {
  const values = row.slice(0, -1);
  const kinds = Number(row.at(-1));
  for (let index = 0; 1 << index <= kinds; index++) if ((kinds & (1 << index)) !== 0) values[index] = textOf(values[index] as Uint8Array);
  return values;
}

function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : `\u{fffd}${buffer.toString('utf8')}`;
}

/** The name of SQLite's result code, such as `SQLITE_CORRUPT`; `null` for another error. A failure to open the file has an empty code, and a message of the driver. */
export function sqliteCodeOf(error: unknown): string | null {
  const { code, message } = Object(error) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && code.startsWith('SQLITE_')) return code;
  return typeof message === 'string' && message.startsWith('ConnectionFailed(') ? 'SQLITE_CANTOPEN' : null;
}

export function isSqliteError(error: unknown): error is Error {
  return sqliteCodeOf(error) !== null;
}

/** Runs a read. Throws an `UnavailableError` if SQLite cannot answer. */
export function readFrom<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    throw Object.assign(new UnavailableError('The store cannot be read.'), { cause: error });
  }
}

/** The most numbers that are kept in memory. Names can be long. */
const KEPT_NUMBERS = 20_000;

/** The numbers that stand for names in other tables. A number is never given to another name, so known ones are kept. */
export class NumberedNames<Name extends string = string> {
  readonly #known = new Map<Name, number>();

  /** @param table with the column `id` */
  constructor(
    private readonly database: SqliteDatabase,
    private readonly table: string,
    private readonly column = 'name',
    private readonly keptNumbers = KEPT_NUMBERS,
  ) {}

  find(name: Name): number | null {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const id = this.database.number(`select id from ${this.table} where ${this.column} = ?`, name);
    return id === 0 ? null : this.#keep(name, id);
  }

  /** Gives the name a number if it has none. Call this inside a transaction. If it fails, the number does not exist: make new {@link NumberedNames}. */
  create(name: Name): number {
    return (
      this.find(name) ?? this.#keep(name, Number(this.database.run(`insert into ${this.table} (${this.column}) values (?)`, name).lastInsertRowid))
    );
  }

  #keep(name: Name, id: number): number {
    if (this.#known.size >= this.keptNumbers) this.#known.clear();
    this.#known.set(name, id);
    return id;
  }
}
