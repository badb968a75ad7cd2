import { ChangeSet, type Clock, type ClockDoubt, LostLeaseError, UnavailableError } from '@vitrine/core';
import { writeChanges } from '../changes/sqlite-change-feed.js';
import { isSqliteError, type SqliteDatabase } from '../database/sqlite-database.js';
import { type FileIdentity, requireInPlace, writeProblemOf } from '../folder/store-folder-error.js';
import { LeaseTable, type Turn } from '../lease/lease-table.js';
import { SqliteReading } from '../readers/sqlite-reading.js';
import { SearchWriter } from '../search/search-writer.js';
import { CheckWriter } from '../status/check-writer.js';
import { RecordTable } from './record-table.js';

/** The connection that writes. Everything that a transaction changes appears together or not at all; what readers see was durable before. */
export class StoreWriter {
  #tables: WriterTables | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param open opens a connection that only this writer uses */
  constructor(
    private readonly open: () => SqliteDatabase,
    private readonly options: StoreWriterOptions,
  ) {}

  /** Runs a call when all earlier ones have ended. */
  inOrder<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new UnavailableError('The store is closed.'));
    const ended = this.#last.then(() => {
      signal.throwIfAborted();
      return call();
    });
    this.#last = ended.catch(() => undefined);
    return ended;
  }

  /** Runs one transaction, and announces its changes. @param turn the turn in which the caller may write; `null` for writes that need no lease */
  write<Result>(turn: Turn | null, work: (tables: WriterTables, changed: ChangeSet) => Result): Result {
    const changed = new ChangeSet();
    const result = this.#inTables((tables) =>
      tables.database.transaction(() => {
        if (turn !== null && !new LeaseTable(tables.database).isCurrent(turn)) throw new LostLeaseError();
        const found = work(tables, changed);
        writeChanges(tables.database, changed.list(), this.options.clock.now());
        this.#requireInPlace();
        return found;
      }),
    );
    if (changed.list().length > 0) this.options.onChanged();
    return result;
  }

  /** Uses the leases at once: no transaction of another call is open meanwhile. Rejects as writes do. */
  leases<Result>(use: (leases: LeaseTable) => Result): Promise<Result> {
    return new Promise((resolve) => {
      this.#requireOpen();
      this.#requireInPlace();
      resolve(this.#inTables(({ database }) => use(new LeaseTable(database))));
    });
  }

  /** Resolves when all calls have ended and the connection is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    this.#disconnect();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
  }

  #disconnect(): void {
    this.#tables?.database.close();
    this.#tables = null;
  }

  #requireInPlace(): void {
    requireInPlace(this.options.file, this.options.identity);
  }

  #inTables<Result>(use: (tables: WriterTables) => Result): Result {
    try {
      this.#tables ??= new WriterTables(this.open(), this.options);
      return use(this.#tables);
    } catch (error) {
      this.#tables?.forget();
      // After an error of the disk, a connection may be in any state. The next write opens a new one.
      if (isSqliteError(error)) this.#disconnect();
      throw writeProblemOf(error, this.options.file) ?? error;
    }
  }
}

interface WriterOptions {
  readonly clock: Clock;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
  readonly onClockDoubt: (doubt: ClockDoubt) => void;
}

/** Everything that a batch writes to, over one connection. */
export class WriterTables {
  readonly reading: SqliteReading;
  readonly records: RecordTable;
  readonly search: SearchWriter;
  readonly checks: CheckWriter;

  constructor(
    readonly database: SqliteDatabase,
    options: WriterOptions,
  ) {
    this.reading = new SqliteReading(database, options.clock, null);
    this.records = new RecordTable(database, this.reading.scopes);
    this.search = new SearchWriter(database);
    this.checks = new CheckWriter(database, options);
  }

  /** Call this when a transaction has failed. It forgets cached values that may not be stored. */
  forget(): void {
    this.reading.scopes.forget();
    this.records.forget();
    this.search.forget();
    this.checks.forget();
  }
}

export interface StoreWriterOptions extends WriterOptions {
  readonly file: string;
  readonly identity: FileIdentity;
  /** Called when readers see that a transaction has changed something, before its call resolves. */
  readonly onChanged: () => void;
}
