import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  publishableRecord,
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

  put(records: readonly StoredRecord[], { source = null, filledAt, signal }: PutContext): Promise<PutReport> {
    return this.#inOrder(signal, async () => {
      const refused: RefusedRecord[] = [];
      let stored = 0;
      this.writer.write(this.turn, ({ checks }) => {
        checks.freezeOverdue();
      });
      await this.#inBatches(records, signal, (batch, record, index) => {
        const published = publishableRecord(record);
        const result = typeof published === 'string' ? published : batch.put(published, { source, filledAt });
        if (result === 'stored') stored += 1;
        else if (result !== 'unchanged') refused.push({ index, reason: result });
      });
      return { stored, unchanged: records.length - stored - refused.length, refused };
    });
  }

  remove(identities: readonly RecordIdentity[], { source = null, signal }: CallContext): Promise<number> {
    return this.#counted(identities, signal, (batch, identity) => batch.remove(identity, source));
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
    return this.#counted(changes, signal, (batch, change) => batch.moveCommit(ref, change));
  }

  indexFor(approved: ApprovedRepositories, { signal }: ReadContext): Promise<void> {
    return this.#inOrder(signal, async () => {
      while (this.writer.write(this.turn, ({ search }, changed) => search.indexNext(approved, changed))) {
        await nextTurn();
        signal.throwIfAborted();
      }
      this.writer.write(this.turn, (tables, changed) => {
        clearSourceStates(tables, approved, changed);
      });
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

  #counted<Item>(items: readonly Item[], signal: AbortSignal, change: (batch: RecordBatch, item: Item) => boolean): Promise<number> {
    return this.#inOrder(signal, async () => {
      let count = 0;
      await this.#inBatches(items, signal, (batch, item) => (count += Number(change(batch, item))));
      return count;
    });
  }

  async #inBatches<Item>(
    items: readonly Item[],
    signal: AbortSignal,
    change: (batch: RecordBatch, item: Item, index: number) => void,
  ): Promise<void> {
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      signal.throwIfAborted();
      this.writer.write(this.turn, (tables, changed) => {
        const batch = new RecordBatch(tables, changed);
        for (const [offset, item] of items.slice(start, start + BATCH_SIZE).entries()) change(batch, item, start + offset);
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
