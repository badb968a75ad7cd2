import {
  publishableBranch,
  sameValue,
  sameVouchers,
  withoutStatement,
  withStatement,
  type ApprovedRepositories,
  type BranchChange,
  type ChangeSet,
  type Check,
  type DayIdentity,
  type GivenRecord,
  type PlainIdentity,
  type PlainRecord,
  type RefusedRecord,
  type Repository,
  type RepositoryRef,
  type StatusDay,
  type VouchedRecord,
} from '@vitrine/core';
import { storedRepository } from '../readers/record-readers.js';
import { ROW_COLUMNS, rowOf } from '../records/decoding.js';
import { type FoundRecord, recordIn } from './record-table.js';
import type { WriterTables } from './store-writer.js';

type PutOptions = Parameters<typeof withStatement>[2];

const NOBODY: PutOptions = { source: null };

/** Changes that are stored together. Every method must run inside one transaction. */
export class RecordBatch {
  /** Repositories whose facts may change, as they were before. */
  readonly #touched = new Map<RepositoryRef, Repository | null>();

  /** @param changed receives the changes of the batch */
  constructor(
    private readonly tables: WriterTables,
    private readonly changed: ChangeSet,
  ) {}

  put(given: PlainRecord, options: PutOptions = NOBODY): 'stored' | 'unchanged' | 'unknown-commit' {
    const found = this.tables.records.find(given);
    const vouched = withStatement(found?.stored ?? null, given, options);
    if (vouched === null) return 'unknown-commit';
    return this.#store(found, vouched) ? 'stored' : 'unchanged';
  }

  /** Returns whether the record was stored, and is no longer. @param source the source that is withdrawn; `null` for all */
  remove(identity: PlainIdentity, source: string | null): boolean {
    const found = this.tables.records.find(identity);
    return found !== null && this.withdraw(found, source);
  }

  /** Returns how many are new or changed. @param refused receives those that are not accepted */
  putChecks(items: readonly GivenRecord<Check | StatusDay>[], refused: RefusedRecord[]): number {
    return this.tables.checks.put(items, refused, this.changed);
  }

  /** Returns how many were stored. */
  removeChecks(identities: readonly DayIdentity[]): number {
    return this.tables.checks.remove(identities, this.changed);
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
    if (sameValue(vouched.record, before)) return this.#vouch(found, vouched);
    this.#touch(vouched.record);
    // What cannot be decoded may have an entry of other words.
    if (found !== null && before === null) search.replaced({ id: found.id, before: null, after: null });
    search.replaced({ id: records.put(found, vouched), before, after: vouched.record });
    this.changed.replaced(before, vouched.record);
    return true;
  }

  /** Only the sources of a stored record may have changed. */
  #vouch(found: FoundRecord | null, vouched: VouchedRecord): false {
    const stored = found?.stored ?? null;
    if (stored !== null && !sameVouchers(vouched, stored)) this.tables.records.put(found, vouched);
    return false;
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
export function clearSourceStates(tables: WriterTables, approved: ApprovedRepositories, changed: ChangeSet): void {
  const batch = new RecordBatch(tables, changed);
  for (const row of tables.database.rows(`select ${ROW_COLUMNS} from record where kind = 'sync'`)) {
    const sync = tables.reading.decoder.record('sync', rowOf(row));
    if (sync !== null && sync.state !== null && !approved.admits(sync.repositoryRef)) batch.put({ ...sync, state: null });
  }
  batch.finish();
}
