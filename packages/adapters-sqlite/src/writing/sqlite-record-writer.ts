import { setImmediate as nextTurn } from 'node:timers/promises';
import { givenRecords, isOfDay, keyOfIdentity, PERMISSION, publishableBranch, sameValue, touchedRepositories, VouchedBatch } from '@vitrine/core';
import type {
  ApprovedRepositories,
  BranchChange,
  CallContext,
  ChangeSet,
  PutContext,
  PutOptions,
  PutReport,
  ReadContext,
  RecordChange,
  RecordIdentity,
  RecordWriter,
  RefusedRecord,
  RepositoryRef,
  StoredRecord,
} from '@vitrine/core';
import type { Turn } from '../lease/lease-table.js';
import { storedRepository } from '../readers/record-readers.js';
import { ROW_COLUMNS, rowOf } from '../records/reading.js';
import { type FoundRecord, recordIn } from './record-table.js';
import type { StoreWriter, WriterTables } from './store-writer.js';

/** How many records are written in one transaction. Other processes can write between two transactions. */
const BATCH_SIZE = 1_000;

/** Writes without a lease, or in one turn of it. Calls run in their order. */
export class SqliteRecordWriter implements RecordWriter {
  /** @param turn the turn in which everything is written; `null` for writes that need no lease @param onEnded hears how each write ended: `null` for success */
  constructor(
    private readonly writer: StoreWriter,
    private readonly turn: Turn | null,
    private readonly onEnded: (error: unknown) => void,
  ) {}

  put(records: readonly StoredRecord[], { signal, source = null, filledAt }: PutContext): Promise<PutReport> {
    return this.#inOrder(signal, async () => {
      const refused: RefusedRecord[] = [];
      this.writer.write(this.turn, ({ checks }) => checks.freezeOverdue());
      const stored = await this.#inBatches(records, signal, (batch, part, start) => {
        const given = givenRecords(part, start);
        refused.push(...given.refused);
        let count = 0;
        for (const { index, record } of given.plain) {
          const result = batch.versions.put(record, { source, filledAt });
          if (result === 'unknown-commit') refused.push({ index, reason: result });
          count += Number(result === 'stored');
        }
        batch.finish();
        return count + batch.tables.checks.put(given.checks, refused, batch.changed);
      });
      return { stored, unchanged: records.length - stored - refused.length, refused };
    });
  }

  remove(identities: readonly RecordIdentity[], { source = null, signal }: CallContext): Promise<number> {
    return this.#inOrder(signal, () =>
      this.#inBatches(identities, signal, (batch, part) => {
        const removed = part.filter((identity) => !isOfDay(identity) && batch.versions.remove(identity.kind, keyOfIdentity(identity), source));
        batch.finish();
        return removed.length + batch.tables.checks.remove(part.filter(isOfDay), batch.changed);
      }),
    );
  }

  withdraw(source: string, { signal }: ReadContext): Promise<number> {
    return this.#inOrder(signal, async () => {
      let [count, found]: [number, readonly FoundRecord[]] = [0, []];
      do {
        signal.throwIfAborted();
        await this.#inBatch((batch) => {
          found = batch.tables.records.vouchedBy(source, BATCH_SIZE);
          count += found.filter((one) => batch.versions.remove(one.kind, one.key, source, one)).length;
          batch.finish();
        });
      } while (found.length > 0);
      return count;
    });
  }

  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], { signal }: ReadContext): Promise<number> {
    return this.#inOrder(signal, () =>
      this.#inBatches(changes, signal, (batch, part) => {
        const moved = part.filter((change) => batch.moveCommit(ref, change));
        batch.finish();
        return moved.length;
      }),
    );
  }

  indexFor(approved: ApprovedRepositories, { signal }: ReadContext): Promise<void> {
    return this.#inOrder(signal, async () => {
      // Plain JavaScript can pass an allowlist, for which the index would lose all its entries.
      if (!PERMISSION.accepts(approved)) throw new TypeError('indexFor needs a permission. Call indexFor(allowlist.approved(), { signal }).');
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

  /** Returns the sum of all counts. @param change gets the items of one batch, and the index of the first of them. It returns a count */
  async #inBatches<Item>(
    items: readonly Item[],
    signal: AbortSignal,
    change: (batch: RecordBatch, part: readonly Item[], start: number) => number,
  ): Promise<number> {
    let count = 0;
    for (let start = 0; start < items.length; start += BATCH_SIZE) {
      signal.throwIfAborted();
      await this.#inBatch((batch) => (count += change(batch, items.slice(start, start + BATCH_SIZE), start)));
    }
    return count;
  }

  /** One transaction. The search entries of renamed repositories follow in others, because there may be many. */
  async #inBatch(change: (batch: RecordBatch) => void): Promise<void> {
    this.writer.write(this.turn, (tables, changed) => {
      change(new RecordBatch(tables, changed));
    });
    await nextTurn();
    while (this.writer.write(this.turn, ({ search }, changed) => search.renameNext(changed))) await nextTurn();
  }
}

const NOBODY: PutOptions = { source: null };

/** Changes that are stored together. Every method must run inside one transaction. */
class RecordBatch {
  readonly versions: VouchedBatch<FoundRecord>;

  constructor(
    readonly tables: WriterTables,
    readonly changed: ChangeSet,
  ) {
    this.versions = new VouchedBatch((kind, key) => tables.records.find(kind, key));
  }

  moveCommit(ref: RepositoryRef, { sha, branch }: BranchChange): boolean {
    const commit = recordIn(this.tables.records.find('commit', keyOfIdentity({ kind: 'commit', repositoryRef: ref, sha })));
    return commit?.kind === 'commit' && this.versions.put({ ...commit, branch: publishableBranch(branch) }, NOBODY) === 'stored';
  }

  /** Writes all changes. Call this once. */
  finish(): void {
    const { search, reading } = this.tables;
    const changes = this.versions.changes();
    const before = new Map(touchedRepositories(changes).map((ref) => [ref, storedRepository(reading, ref)]));
    for (const change of changes) this.#write(change);
    search.finish();
    for (const [ref, known] of before) if (!sameValue(known, storedRepository(reading, ref))) this.changed.facts(ref);
  }

  #write({ found, before, after, onlyVouches }: RecordChange<FoundRecord>): void {
    const { records, search } = this.tables;
    const record = after?.record ?? null;
    // Only what was found is removed.
    const id = after === null ? records.remove(found as FoundRecord) : records.put(found, after);
    if (onlyVouches) return;
    // What cannot be decoded may have an entry of other words.
    if (found !== null && before === null) search.replaced({ id, before: null, after: null });
    search.replaced({ id, before, after: record });
    this.changed.replaced(before, record);
  }
}

/** Clears the state of the sources of repositories that are not approved. Must run inside a transaction. */
function clearSourceStates(tables: WriterTables, approved: ApprovedRepositories, changed: ChangeSet): void {
  const batch = new RecordBatch(tables, changed);
  for (const row of tables.database.rows(`select ${ROW_COLUMNS} from record where kind = 'sync'`)) {
    const sync = tables.reading.decoder.record('sync', rowOf(row));
    if (sync !== null && sync.state !== null && !approved.admits(sync.repositoryRef)) batch.versions.put({ ...sync, state: null }, NOBODY);
  }
  batch.finish();
}
