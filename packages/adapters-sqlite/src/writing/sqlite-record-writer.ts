import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ApprovedRepositories,
  type BranchChange,
  type CallContext,
  type ChangeSet,
  givenRecords,
  isOfDay,
  type PlainIdentity,
  type PlainRecord,
  publishableBranch,
  type PutContext,
  type PutReport,
  type ReadContext,
  type RecordIdentity,
  type RecordWriter,
  type RefusedRecord,
  type Repository,
  type RepositoryRef,
  sameValue,
  sameVouchers,
  type StoredRecord,
  type VouchedRecord,
  withoutStatement,
  withStatement,
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
          const result = batch.put(record, { source, filledAt });
          if (result === 'unknown-commit') refused.push({ index, reason: result });
          count += Number(result === 'stored');
        }
        return count + batch.tables.checks.put(given.checks, refused, batch.changed);
      });
      return { stored, unchanged: records.length - stored - refused.length, refused };
    });
  }

  remove(identities: readonly RecordIdentity[], { source = null, signal }: CallContext): Promise<number> {
    return this.#inOrder(signal, () =>
      this.#inBatches(identities, signal, (batch, part) => {
        const removed = part.filter((identity) => !isOfDay(identity) && batch.remove(identity, source));
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
          count += found.filter((one) => batch.withdraw(one, source)).length;
        });
      } while (found.length > 0);
      return count;
    });
  }

  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], { signal }: ReadContext): Promise<number> {
    return this.#inOrder(signal, () =>
      this.#inBatches(changes, signal, (batch, part) => part.filter((change) => batch.moveCommit(ref, change)).length),
    );
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
      const batch = new RecordBatch(tables, changed);
      change(batch);
      batch.finish();
    });
    await nextTurn();
    while (this.writer.write(this.turn, ({ search }, changed) => search.renameNext(changed))) await nextTurn();
  }
}

type PutOptions = Parameters<typeof withStatement>[2];

const NOBODY: PutOptions = { source: null };

/** Changes that are stored together. Every method must run inside one transaction. */
export class RecordBatch {
  /** Repositories whose facts may change, as they were before. */
  readonly #touched = new Map<RepositoryRef, Repository | null>();

  /** @param changed receives the changes of the batch */
  constructor(
    readonly tables: WriterTables,
    readonly changed: ChangeSet,
  ) {}

  put(given: PlainRecord, options: PutOptions = NOBODY): 'stored' | 'unchanged' | 'unknown-commit' {
    const found = this.tables.records.find(given);
    const vouched = withStatement(found?.stored ?? null, given, options);
    if (vouched === null) return 'unknown-commit';
    return this.#store(found, vouched) ? 'stored' : 'unchanged';
  }

  /** Returns whether this removed a stored record. @param source the source that no longer says it; `null`: all its sources */
  remove(identity: PlainIdentity, source: string | null): boolean {
    const found = this.tables.records.find(identity);
    return found !== null && this.withdraw(found, source);
  }

  /** The same as {@link remove} for a record that the table has found. */
  withdraw(found: FoundRecord, source: string | null): boolean {
    const { stored } = found;
    const rest = stored === null ? null : withoutStatement(stored, source);
    if (rest === null) this.#delete(found);
    else if (rest !== stored) this.#store(found, rest);
    return rest === null;
  }

  moveCommit(ref: RepositoryRef, { sha, branch }: BranchChange): boolean {
    const commit = this.tables.records.find({ kind: 'commit', repositoryRef: ref, sha })?.stored?.record;
    return commit?.kind === 'commit' && this.put({ ...commit, branch: publishableBranch(branch) }) === 'stored';
  }

  /** Call this once, at the end. */
  finish(): void {
    this.tables.search.finish();
    for (const [ref, before] of this.#touched) if (!sameValue(before, storedRepository(this.tables.reading, ref))) this.changed.facts(ref);
  }

  /** Returns whether readers see a change. */
  #store(found: FoundRecord | null, vouched: VouchedRecord): boolean {
    const { records, search } = this.tables;
    const before = recordIn(found);
    if (sameValue(vouched.record, before)) {
      // Only the sources may have changed.
      const stored = found?.stored ?? null;
      if (stored !== null && !sameVouchers(vouched, stored)) records.put(found, vouched);
      return false;
    }
    this.#touch(vouched.record);
    // What cannot be decoded may have an entry of other words.
    if (found !== null && before === null) search.replaced({ id: found.id, before: null, after: null });
    search.replaced({ id: records.put(found, vouched), before, after: vouched.record });
    this.changed.replaced(before, vouched.record);
    return true;
  }

  #delete(found: FoundRecord): void {
    const { records, search } = this.tables;
    const record = recordIn(found);
    if (record !== null) this.#touch(record);
    records.remove(found);
    search.replaced({ id: found.id, before: record, after: null });
    this.changed.replaced(record, null);
  }

  #touch(record: PlainRecord): void {
    if (record.kind !== 'repository' && record.kind !== 'commit' && record.kind !== 'release') return;
    const ref = record.repositoryRef;
    if (!this.#touched.has(ref)) this.#touched.set(ref, storedRepository(this.tables.reading, ref));
  }
}

/** Clears the state of the sources of repositories that are not approved. Must run inside a transaction. */
function clearSourceStates(tables: WriterTables, approved: ApprovedRepositories, changed: ChangeSet): void {
  const batch = new RecordBatch(tables, changed);
  for (const row of tables.database.rows(`select ${ROW_COLUMNS} from record where kind = 'sync'`)) {
    const sync = tables.reading.decoder.record('sync', rowOf(row));
    if (sync !== null && sync.state !== null && !approved.admits(sync.repositoryRef)) batch.put({ ...sync, state: null });
  }
  batch.finish();
}
