import { dirname } from 'node:path';
import { ChangeSet, DEFAULT_RETENTION_MS, LostLeaseError, Retention, UnavailableError } from '@vitrine/core';
import type { Clock, ClockDoubt, RecordStoreOptions } from '@vitrine/core';
import { writeChanges } from '../changes/sqlite-change-feed.js';
import { FORMAT } from '../database/open-database.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { connectTo, type OpenFiles } from '../folder/store-files.js';
import { newer, requireInPlace, writeProblemOf } from '../folder/store-folder-error.js';
import { LeaseTable, type Turn } from '../lease/lease-table.js';
import { SqliteReading } from '../records/reading.js';
import { SearchWriter } from '../search/search-writer.js';
import { CheckWriter } from '../status/check-writer.js';
import { RecordTable } from './record-table.js';

const CACHE_KIB = 32_768;

/** The connection that writes. Everything that a transaction changes appears together or not at all; what readers see was durable before. */
export class StoreWriter {
  #tables: WriterTables | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  readonly #retention: Retention;

  /** @param onChanged called when readers see that a transaction has changed something, before its call resolves */
  constructor(
    private readonly files: OpenFiles,
    private readonly options: RecordStoreOptions,
    private readonly onChanged: () => void,
  ) {
    const { clock, retentionMs = DEFAULT_RETENTION_MS, onClockDoubt } = options;
    // An error of the listener must not end the transaction.
    const onDoubt = (doubt: ClockDoubt): void => void setImmediate(() => onClockDoubt?.(doubt));
    this.#retention = new Retention(retentionMs, () => ({ wall: clock.now(), elapsed: elapsedOf(clock) }), onDoubt);
  }

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
        this.#requireKnownFormat(tables);
        if (turn !== null && !new LeaseTable(tables.database).isCurrent(turn)) throw new LostLeaseError();
        const found = work(tables, changed);
        writeChanges(tables.database, changed.list(), this.options.clock.now());
        this.#requireInPlace();
        return found;
      }),
    );
    if (changed.list().length > 0) this.onChanged();
    return result;
  }

  /** Uses the leases at once: no transaction of another call is open meanwhile. Rejects as writes do. */
  leases<Result>(use: (leases: LeaseTable) => Result): Promise<Result> {
    return new Promise((resolve) => {
      if (this.#isClosed) throw new UnavailableError('The store is closed.');
      this.#requireInPlace();
      resolve(
        this.#inTables((tables) => {
          this.#requireKnownFormat(tables);
          return use(new LeaseTable(tables.database));
        }),
      );
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    this.#disconnect();
  }

  #disconnect(): void {
    this.#tables?.database.close();
    this.#tables = null;
  }

  #requireInPlace(): void {
    requireInPlace(this.files.file, this.files.identity);
  }

  /** A process of a newer version may have opened the file meanwhile. What this version writes would be incomplete there. */
  #requireKnownFormat({ database }: WriterTables): void {
    const format = database.number('pragma user_version');
    if (format > FORMAT) throw newer(dirname(this.files.file), format, FORMAT);
  }

  #inTables<Result>(use: (tables: WriterTables) => Result): Result {
    try {
      this.#tables ??= tablesOf(connectTo(this.files, CACHE_KIB), this.options.clock, this.#retention);
      return use(this.#tables);
    } catch (error) {
      // What the tables have in memory may not be stored, and after an error of the disk a connection may be in any state. The next write opens a new one.
      this.#disconnect();
      throw writeProblemOf(error, this.files.file) ?? error;
    }
  }
}

export type WriterTables = ReturnType<typeof tablesOf>;

function tablesOf(database: SqliteDatabase, clock: Clock, retention: Retention) {
  const reading = new SqliteReading(database, clock, null);
  const records = new RecordTable(database, reading.scopes);
  return { database, reading, records, search: new SearchWriter(database), checks: new CheckWriter(database, clock, retention) };
}

export function elapsedOf(clock: Clock): number {
  return clock.elapsed?.() ?? performance.now();
}
