import {
  ChangeSet,
  keepFirst,
  publishableBranch,
  sameValue,
  type BranchChange,
  type Instant,
  type PlainIdentity,
  type PlainRecord,
  type RecordIdentity,
  type Repository,
  type RepositoryRef,
  type StoreChange,
  type StoredRecord,
} from '@vitrine/core';
import { storedRepository } from '../readers/stored-repository.js';
import type { WriterTables } from './writer-tables.js';

/** Changes that are stored together. Every method must run inside one transaction. */
export class RecordBatch {
  readonly #tables: WriterTables;
  readonly #changed = new ChangeSet();
  /** Repositories whose facts may change, as they were before. */
  readonly #touched = new Map<RepositoryRef, Repository | null>();

  constructor(tables: WriterTables) {
    this.#tables = tables;
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

  /** Call this once, at the end. Returns what has changed. */
  finish(): readonly StoreChange[] {
    this.#tables.search.finish();
    this.#tables.checks.finish(this.#changed);
    for (const [ref, before] of this.#touched)
      if (!sameValue(before, storedRepository(this.#tables.reading, ref))) this.#changed.record('repository', ref);
    return this.#changed.list();
  }

  #putPlain(given: PlainRecord, filledAt?: Instant): boolean {
    const { records, search } = this.#tables;
    const found = records.find(given);
    const before = found?.record ?? null;
    const record = keepFirst(given, before, filledAt);
    if (found !== null && sameValue(record, before)) return false;
    this.#touch(record);
    if (found !== null && before === null) this.#discard(found.id);
    if (found === null || before === null) search.replaced({ id: records.insert(record), before: null, after: record });
    else {
      records.replace(found.id, before, record);
      search.replaced({ id: found.id, before, after: record });
    }
    this.#changed.replaced(before, record);
    return true;
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

  /** Removes a record that cannot be decoded, so that the new version takes its place. */
  #discard(id: number): void {
    this.#tables.records.remove(id, null);
    this.#tables.search.replaced({ id, before: null, after: null });
  }

  #touch(record: PlainRecord): void {
    if (record.kind !== 'repository' && record.kind !== 'commit' && record.kind !== 'release') return;
    const ref = record.repositoryRef;
    if (!this.#touched.has(ref)) this.#touched.set(ref, storedRepository(this.#tables.reading, ref));
  }
}
