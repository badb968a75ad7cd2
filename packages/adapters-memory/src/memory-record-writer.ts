import {
  ChangeSet,
  publishableRecord,
  type ApprovedRepositories,
  type BranchChange,
  type IndexReport,
  type PutContext,
  type PutReport,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type RefusedRecord,
  type RepositoryRef,
  type StoredRecord,
} from '@vitrine/core';
import type { MemoryStore } from './memory-store.js';
import { throwIfAborted } from './readers/answer-now.js';
import { WriteBatch } from './writing/write-batch.js';

/** How many records are written to the log together. Other work of the process can run between two batches. */
const BATCH_SIZE = 1_024;

/** Writes one batch after the other: first to the log and then to the indexes, so that nobody reads a record that could still be lost. */
export class MemoryRecordWriter implements RecordWriter {
  readonly #store: MemoryStore;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  put(records: readonly StoredRecord[], context: PutContext): Promise<PutReport> {
    return this.#inTurn(async () => {
      await this.#store.freezeOverdueDays();
      const refused: RefusedRecord[] = [];
      let stored = 0;
      await this.#inBatches(records, context, (batch, record, index) => {
        const published = publishableRecord(record);
        const result = typeof published === 'string' ? published : batch.put(published, context.filledAt);
        if (result === 'stored') stored += 1;
        else if (result !== 'unchanged') refused.push({ index, reason: result });
      });
      return { stored, unchanged: records.length - stored - refused.length, refused };
    });
  }

  remove(identities: readonly RecordIdentity[], context: ReadContext): Promise<number> {
    return this.#inTurn(() => this.#counted(identities, context, (batch, identity) => batch.remove(identity)));
  }

  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], context: ReadContext): Promise<number> {
    return this.#inTurn(() => this.#counted(changes, context, (batch, change) => batch.moveCommit(ref, change)));
  }

  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<IndexReport> {
    return this.#inTurn(async () => {
      const report = await this.#indexedFor(approved, context);
      const remembered = [...this.#store.syncs.values()].filter((sync) => sync.state !== null && !approved.admits(sync.repositoryRef));
      await this.#inBatches(remembered, context, (batch, sync) => batch.put({ ...sync, state: null }));
      return report;
    });
  }

  /** Announces what search finds or no longer finds, also if the call was interrupted. */
  async #indexedFor(approved: ApprovedRepositories, { signal }: ReadContext): Promise<IndexReport> {
    const changed = new ChangeSet();
    try {
      return await this.#store.records.indexer.indexFor(approved, changed, signal);
    } finally {
      this.#store.changes.announce(changed.list());
    }
  }

  /** Resolves when all earlier calls have succeeded or failed. */
  async settled(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  #inTurn<Result>(write: () => Promise<Result>): Promise<Result> {
    const recovered = async (): Promise<Result> => {
      await this.#store.recover();
      return write();
    };
    const result = this.#last.then(recovered, recovered);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #counted<Item>(items: readonly Item[], context: ReadContext, plan: (batch: WriteBatch, item: Item) => boolean): Promise<number> {
    let count = 0;
    await this.#inBatches(items, context, (batch, item) => (count += Number(plan(batch, item))));
    return count;
  }

  async #inBatches<Item>(items: readonly Item[], context: ReadContext, plan: (batch: WriteBatch, item: Item, index: number) => void): Promise<void> {
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      throwIfAborted(context);
      const batch = new WriteBatch(this.#store);
      for (const [offset, item] of items.slice(start, start + BATCH_SIZE).entries()) plan(batch, item, start + offset);
      await batch.write();
    }
  }
}
