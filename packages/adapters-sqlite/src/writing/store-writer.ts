import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ChangeSet,
  publishableRecord,
  type ApprovedRepositories,
  type IndexReport,
  type PutReport,
  type RefusedRecord,
  type StoredRecord,
} from '@vitrine/core';
import { writeChanges } from '../changes/change-writer.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { isSqliteError } from '../database/sqlite-error.js';
import { requireInPlace } from '../folder/file-identity.js';
import { writeProblemOf } from '../folder/folder-problem.js';
import { LeaseTable } from '../lease/lease-table.js';
import { LostLeaseError } from '../lease/lost-lease-error.js';
import type { Handlers } from '../threads/call-server.js';
import type { StoreEvent } from '../threads/messages.js';
import { receivedApproval } from '../threads/sent-approval.js';
import { clearSourceStates } from './clear-source-states.js';
import { RecordBatch } from './record-batch.js';
import { SentClock } from './sent-clock.js';
import type { PutRequest, WriteRequest, WriterCalls } from './writer-calls.js';
import { WriterTables, type WriterOptions } from './writer-tables.js';

/** How many records are written in one transaction. Other processes can write between two transactions. */
const BATCH_SIZE = 1_000;

/** Writes to the file. Everything that a transaction changes appears together or not at all; what readers see was durable before. */
export class StoreWriter {
  readonly #open: () => SqliteDatabase;
  readonly #options: WriterOptions;
  readonly #send: (event: StoreEvent) => void;
  readonly #clock = new SentClock();
  #tables: WriterTables | null = null;

  constructor(open: () => SqliteDatabase, options: WriterOptions, send: (event: StoreEvent) => void) {
    this.#open = open;
    this.#options = options;
    this.#send = send;
  }

  handlers(): Handlers<WriterCalls> {
    return {
      put: (request, signal) => this.#put(request, signal),
      remove: (request, signal) => this.#counted(request, request.identities, signal, (batch, identity) => batch.remove(identity, request.source)),
      withdraw: (request, signal) => this.#withdraw(request, signal),
      moveCommits: (request, signal) => this.#counted(request, request.changes, signal, (batch, change) => batch.moveCommit(request.ref, change)),
      indexFor: (request, signal) => this.#indexFor(request, signal),
      takeLease: ({ name, holder, lastsMs }) => this.#withLeases((leases) => leases.take(name, holder, lastsMs)),
      renewLease: ({ turn, lastsMs }) => this.#withLeases((leases) => leases.renew(turn, lastsMs)),
      releaseLease: ({ turn }) =>
        this.#withLeases((leases) => {
          leases.release(turn);
          return null;
        }),
    };
  }

  close(): void {
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

  async #withdraw(request: Parameters<WriterCalls['withdraw']>[0], signal: AbortSignal): Promise<number> {
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
  #withdrawNext(request: Parameters<WriterCalls['withdraw']>[0]): number | null {
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

  async #indexFor(request: Parameters<WriterCalls['indexFor']>[0], signal: AbortSignal): Promise<IndexReport> {
    const approved = receivedApproval(request.approved);
    const total = { added: 0, removed: 0 };
    for (let step = this.#indexNext(request, approved); step !== null; step = this.#indexNext(request, approved)) {
      total.added += step.added;
      total.removed += step.removed;
      await nextTurn();
      signal.throwIfAborted();
    }
    this.#write(request, (tables, changed) => {
      clearSourceStates(tables, approved, changed);
    });
    return total;
  }

  #indexNext(request: WriteRequest, approved: ApprovedRepositories): IndexReport | null {
    return this.#write(request, ({ search }, changed) => search.indexNext(approved, changed));
  }

  /** Runs one transaction, and tells what it has changed. */
  #write<Result>({ at, turn }: WriteRequest, work: (tables: WriterTables, changed: ChangeSet) => Result): Result {
    this.#clock.set(at);
    const changed = new ChangeSet();
    const result = this.#inTables((tables) =>
      tables.database.transaction(() => {
        if (turn !== null && !new LeaseTable(tables.database).isCurrent(turn)) throw new LostLeaseError();
        const found = work(tables, changed);
        writeChanges(tables.database, changed.list(), at.wall);
        this.#requireInPlace();
        return found;
      }),
    );
    if (changed.list().length > 0) this.#send({ type: 'changed' });
    return result;
  }

  #withLeases<Result>(use: (leases: LeaseTable) => Result): Result {
    this.#requireInPlace();
    return this.#inTables(({ database }) => use(new LeaseTable(database)));
  }

  #requireInPlace(): void {
    requireInPlace(this.#options.file, this.#options.identity);
  }

  #inTables<Result>(use: (tables: WriterTables) => Result): Result {
    try {
      this.#tables ??= new WriterTables(this.#open(), this.#clock, this.#options, this.#send);
      return use(this.#tables);
    } catch (error) {
      this.#tables?.forget();
      // After an error of the disk, a connection may be in any state. The next write opens a new one.
      if (isSqliteError(error)) this.close();
      throw writeProblemOf(error, this.#options.file) ?? error;
    }
  }
}

type PutResult = ReturnType<RecordBatch['put']> | Extract<ReturnType<typeof publishableRecord>, string>;

function putInto(batch: RecordBatch, record: StoredRecord, options: Parameters<RecordBatch['put']>[1]): PutResult {
  const published = publishableRecord(record);
  return typeof published === 'string' ? published : batch.put(published, options);
}
