import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  givenRecords,
  isOfDay,
  type ApprovedRepositories,
  type BranchChange,
  type CallContext,
  type PutContext,
  type PutReport,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type RefusedRecord,
  type RepositoryRef,
  type StoredRecord,
} from '@vitrine/core';
import type { Turn } from '../lease/lease-table.js';
import { clearSourceStates, RecordBatch } from './record-batch.js';
import type { StoreWriter } from './store-writer.js';

/** How many records are written in one transaction. Other processes can write between two transactions. */
const BATCH_SIZE = 1_000;

/** Writes without a lease, or in one turn of it. Calls run in their order. */
export class SqliteRecordWriter implements RecordWriter {
  /**
   * @param turn the turn in which everything is written; `null` for writes that need no lease
   * @param onEnded hears how each write ended: `null` for success
   */
  constructor(
    private readonly writer: StoreWriter,
    private readonly turn: Turn | null,
    private readonly onEnded: (error: unknown) => void,
  ) {}

  put(records: readonly StoredRecord[], { signal, source = null, filledAt }: PutContext): Promise<PutReport> {
    return this.#inOrder(signal, async () => {
      const refused: RefusedRecord[] = [];
      let stored = 0;
      this.writer.write(this.turn, ({ checks }) => checks.freezeOverdue());
      await this.#inBatches(records, signal, (batch, part, start) => {
        const given = givenRecords(part, start);
        refused.push(...given.refused);
        for (const { index, record } of given.plain) {
          const result = batch.put(record, { source, filledAt });
          if (result === 'unknown-commit') refused.push({ index, reason: result });
          stored += Number(result === 'stored');
        }
        stored += batch.putChecks(given.checks, refused);
      });
      return { stored, unchanged: records.length - stored - refused.length, refused };
    });
  }

  remove(identities: readonly RecordIdentity[], { source = null, signal }: CallContext): Promise<number> {
    return this.#counted(identities, signal, (batch, part) => {
      const removed = part.filter((identity) => !isOfDay(identity) && batch.remove(identity, source));
      return removed.length + batch.removeChecks(part.filter(isOfDay));
    });
  }

  withdraw(source: string, { signal }: ReadContext): Promise<number> {
    return this.#inOrder(signal, async () => {
      let count = 0;
      for (let step = this.#withdrawNext(source); step !== null; step = this.#withdrawNext(source)) {
        count += step;
        await nextTurn();
        await this.#rename();
        signal.throwIfAborted();
      }
      return count;
    });
  }

  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], { signal }: ReadContext): Promise<number> {
    return this.#counted(changes, signal, (batch, part) => part.filter((change) => batch.moveCommit(ref, change)).length);
  }

  indexFor(approved: ApprovedRepositories, { signal }: ReadContext): Promise<void> {
    return this.#inOrder(signal, async () => {
      while (this.writer.write(this.turn, ({ search }, changed) => search.indexNext(approved, changed))) {
        await nextTurn();
        signal.throwIfAborted();
      }
      this.writer.write(this.turn, (tables, changed) => clearSourceStates(tables, approved, changed));
    });
  }

  async #inOrder<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await this.writer.inOrder(signal, call);
      this.onEnded(null);
      return result;
    } catch (error) {
      this.onEnded(error);
      throw error;
    }
  }

  /** The number of records that this step has removed; `null` if the source vouches for no more records. */
  #withdrawNext(source: string): number | null {
    return this.writer.write(this.turn, (tables, changed) => {
      const found = tables.records.vouchedBy(source, BATCH_SIZE);
      const batch = new RecordBatch(tables, changed);
      const removed = found.filter((one) => batch.withdraw(one, source));
      batch.finish();
      return found.length === 0 ? null : removed.length;
    });
  }

  #counted<Item>(items: readonly Item[], signal: AbortSignal, change: (batch: RecordBatch, part: readonly Item[]) => number): Promise<number> {
    return this.#inOrder(signal, async () => {
      let count = 0;
      await this.#inBatches(items, signal, (batch, part) => (count += change(batch, part)));
      return count;
    });
  }

  /** @param change gets the items of one batch, and the index of the first of them */
  async #inBatches<Item>(
    items: readonly Item[],
    signal: AbortSignal,
    change: (batch: RecordBatch, part: readonly Item[], start: number) => void,
  ): Promise<void> {
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      signal.throwIfAborted();
      this.writer.write(this.turn, (tables, changed) => {
        const batch = new RecordBatch(tables, changed);
        change(batch, items.slice(start, start + BATCH_SIZE), start);
        batch.finish();
      });
      await nextTurn();
      await this.#rename();
    }
  }

  /** Writes the search entries of renamed repositories, in transactions of their own, because there may be many. */
  async #rename(): Promise<void> {
    while (this.writer.write(this.turn, ({ search }, changed) => search.renameNext(changed))) await nextTurn();
  }
}
