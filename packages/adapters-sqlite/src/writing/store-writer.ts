import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ChangeSet,
  publishableRecord,
  UnavailableError,
  type BranchChange,
  type PutReport,
  type ReadContext,
  type RecordIdentity,
  type RefusedRecord,
  type RepositoryRef,
  type StoredRecord,
} from '@vitrine/core';
import { writeChanges } from '../changes/change-table.js';
import { isSqliteError, type SqliteDatabase } from '../database/sqlite-database.js';
import { requireInPlace, writeProblemOf } from '../folder/store-folder-error.js';
import { LeaseTable, LostLeaseError } from '../lease/lease-table.js';
import { clearSourceStates, RecordBatch } from './record-batch.js';
import {
  WriterTables,
  type IndexRequest,
  type PutRequest,
  type StoreWriterOptions,
  type WithdrawRequest,
  type WriteRequest,
} from './writer-tables.js';

/** How many records are written in one transaction. Other processes can write between two transactions. */
const BATCH_SIZE = 1_000;

/** Writes to the file. Everything that a transaction changes appears together or not at all; what readers see was durable before. Calls run in their order. */
export class StoreWriter {
  #tables: WriterTables | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param open opens a connection that only this writer uses */
  constructor(
    private readonly open: () => SqliteDatabase,
    private readonly options: StoreWriterOptions,
  ) {}

  put(request: PutRequest, { signal }: ReadContext): Promise<PutReport> {
    return this.#inOrder(signal, () => this.#put(request, signal));
  }

  remove(
    request: WriteRequest & { readonly identities: readonly RecordIdentity[]; readonly source: string | null },
    { signal }: ReadContext,
  ): Promise<number> {
    const { identities, source } = request;
    return this.#inOrder(signal, () => this.#counted(request, identities, signal, (batch, identity) => batch.remove(identity, source)));
  }

  withdraw(request: WithdrawRequest, { signal }: ReadContext): Promise<number> {
    return this.#inOrder(signal, () => this.#withdraw(request, signal));
  }

  moveCommits(
    request: WriteRequest & { readonly ref: RepositoryRef; readonly changes: readonly BranchChange[] },
    { signal }: ReadContext,
  ): Promise<number> {
    const { ref, changes } = request;
    return this.#inOrder(signal, () => this.#counted(request, changes, signal, (batch, change) => batch.moveCommit(ref, change)));
  }

  indexFor(request: IndexRequest, { signal }: ReadContext): Promise<void> {
    return this.#inOrder(signal, () => this.#indexFor(request, signal));
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

  #inOrder<Result>(signal: AbortSignal, write: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new UnavailableError('The store is closed.'));
    const written = this.#last.then(() => {
      signal.throwIfAborted();
      return write();
    });
    this.#last = written.catch(() => undefined);
    return written;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
  }

  #disconnect(): void {
    this.#tables?.database.close();
    this.#tables = null;
  }

  async #put(request: PutRequest, signal: AbortSignal): Promise<PutReport> {
    const { records, source } = request;
    const options = { source, filledAt: request.filledAt ?? undefined };
    const refused: RefusedRecord[] = [];
    let stored = 0;
    this.#write(request, ({ checks }) => {
      checks.freezeOverdue();
    });
    await this.#inBatches(request, records, signal, (batch, record, index) => {
      const result = putInto(batch, record, options);
      if (result === 'stored') stored += 1;
      else if (result !== 'unchanged') refused.push({ index, reason: result });
    });
    return { stored, unchanged: records.length - stored - refused.length, refused };
  }

  async #withdraw(request: WithdrawRequest, signal: AbortSignal): Promise<number> {
    let count = 0;
    for (let step = this.#withdrawNext(request); step !== null; step = this.#withdrawNext(request)) {
      count += step;
      await nextTurn();
      await this.#rename(request);
      signal.throwIfAborted();
    }
    return count;
  }

  /** The number of records that this step has removed; `null` if the source vouches for no more records. */
  #withdrawNext(request: WithdrawRequest): number | null {
    return this.#write(request, (tables, changed) => {
      const found = tables.records.vouchedBy(request.source, BATCH_SIZE);
      const batch = new RecordBatch(tables, changed);
      const removed = found.filter((one) => batch.withdraw(one, request.source));
      batch.finish();
      return found.length === 0 ? null : removed.length;
    });
  }

  async #counted<Item>(
    request: WriteRequest,
    items: readonly Item[],
    signal: AbortSignal,
    change: (batch: RecordBatch, item: Item) => boolean,
  ): Promise<number> {
    let count = 0;
    await this.#inBatches(request, items, signal, (batch, item) => (count += Number(change(batch, item))));
    return count;
  }

  async #inBatches<Item>(
    request: WriteRequest,
    items: readonly Item[],
    signal: AbortSignal,
    change: (batch: RecordBatch, item: Item, index: number) => void,
  ): Promise<void> {
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      signal.throwIfAborted();
      this.#write(request, (tables, changed) => {
        const batch = new RecordBatch(tables, changed);
        for (const [offset, item] of items.slice(start, start + BATCH_SIZE).entries()) change(batch, item, start + offset);
        batch.finish();
      });
      await nextTurn();
      await this.#rename(request);
    }
  }

  /** Writes the search entries of renamed repositories, in transactions of their own, because there may be many. */
  async #rename(request: WriteRequest): Promise<void> {
    while (this.#write(request, ({ search }, changed) => search.renameNext(changed))) await nextTurn();
  }

  async #indexFor(request: IndexRequest, signal: AbortSignal): Promise<void> {
    const { approved } = request;
    while (this.#write(request, ({ search }, changed) => search.indexNext(approved, changed))) {
      await nextTurn();
      signal.throwIfAborted();
    }
    this.#write(request, (tables, changed) => {
      clearSourceStates(tables, approved, changed);
    });
  }

  /** Runs one transaction, and announces its changes. */
  #write<Result>({ turn }: WriteRequest, work: (tables: WriterTables, changed: ChangeSet) => Result): Result {
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

type PutResult = ReturnType<RecordBatch['put']> | Extract<ReturnType<typeof publishableRecord>, string>;

function putInto(batch: RecordBatch, record: StoredRecord, options: Parameters<RecordBatch['put']>[1]): PutResult {
  const published = publishableRecord(record);
  return typeof published === 'string' ? published : batch.put(published, options);
}
