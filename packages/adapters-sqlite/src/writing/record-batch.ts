import {
  keepFirst,
  publishableBranch,
  sameValue,
  type BranchChange,
  type ChangeSet,
  type Instant,
  type PlainIdentity,
  type PlainRecord,
  type RecordIdentity,
  type Repository,
  type RepositoryRef,
  type StoredRecord,
} from '@vitrine/core';
import { storedRepository } from '../readers/stored-repository.js';
import type { FoundRecord } from './record-table.js';
import type { WriterTables } from './writer-tables.js';

/** Changes that are stored together. Every method must run inside one transaction. */
export class RecordBatch {
  readonly #tables: WriterTables;
  readonly #changed: ChangeSet;
  /** Repositories whose facts may change, as they were before. */
  readonly #touched = new Map<RepositoryRef, Repository | null>();

  /** @param changed gets what the batch changes */
  constructor(tables: WriterTables, changed: ChangeSet) {
    this.#tables = tables;
    this.#changed = changed;
  }

  /** @param filledAt as in `PutContext` */
  put(record: StoredRecord, filledAt?: Instant): 'stored' | 'unchanged' | 'frozen-day' | 'open-day' {
    if (record.kind === 'check') return this.#tables.checks.put(record);
    if (record.kind === 'status-day') return this.#tables.checks.putTally(record);
    return this.#putPlain(record, filledAt) ? 'stored' : 'unchanged';
  }

  remove(identity: RecordIdentity): boolean {
    if (identity.kind === 'check') return this.#tables.checks.remove(identity);
    if (identity.kind === 'status-day') return this.#tables.checks.removeTally(identity);
    return this.#removePlain(identity);
  }

  moveCommit(ref: RepositoryRef, { sha, branch }: BranchChange): boolean {
    const commit = this.#tables.records.find({ kind: 'commit', repositoryRef: ref, sha })?.record;
    return commit?.kind === 'commit' && this.#putPlain({ ...commit, branch: publishableBranch(branch) });
  }

  /** Call this once, at the end. */
  finish(): void {
    this.#tables.activity.finish();
    this.#tables.search.finish();
    this.#tables.checks.finish(this.#changed);
    for (const [ref, before] of this.#touched)
      if (!sameValue(before, storedRepository(this.#tables.reading, ref))) this.#changed.record('repository', ref);
  }

  #putPlain(given: PlainRecord, filledAt?: Instant): boolean {
    const found = this.#tables.records.find(given);
    const before = found?.record ?? null;
    const record = keepFirst(given, before, filledAt);
    if (before !== null && sameValue(record, before)) return false;
    this.#touch(record);
    if (found === null || before === null) this.#insert(record, found);
    else this.#replace(found.id, before, record);
    this.#changed.replaced(before, record);
    return true;
  }

  /** @param damaged the stored version that cannot be decoded; `null` if there is none */
  #insert(record: PlainRecord, damaged: FoundRecord | null): void {
    const { records, search } = this.#tables;
    if (damaged !== null) {
      records.remove(damaged.id, null);
      search.replaced({ id: damaged.id, before: null, after: null });
    }
    search.replaced({ id: records.insert(record), before: null, after: record });
  }

  #replace(id: number, before: PlainRecord, record: PlainRecord): void {
    this.#tables.records.replace(id, before, record);
    this.#tables.search.replaced({ id, before, after: record });
  }

  #removePlain(identity: PlainIdentity): boolean {
    const { records, search } = this.#tables;
    const found = records.find(identity);
    if (found === null) return false;
    const { id, record } = found;
    if (record !== null) this.#touch(record);
    records.remove(id, record);
    search.replaced({ id, before: record, after: null });
    this.#changed.replaced(record, null);
    return true;
  }

  #touch(record: PlainRecord): void {
    if (record.kind !== 'repository' && record.kind !== 'commit' && record.kind !== 'release') return;
    const ref = record.repositoryRef;
    if (!this.#touched.has(ref)) this.#touched.set(ref, storedRepository(this.#tables.reading, ref));
  }
}
