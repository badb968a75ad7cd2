import {
  publishableBranch,
  sameValue,
  type BranchChange,
  type Instant,
  type RecordIdentity,
  type RepositoryRef,
  type StoredRecord,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { CheckPlan } from './check-plan.js';
import { RecordPlan } from './record-plan.js';

/** Changes that are written together. */
export class WriteBatch {
  readonly #store: MemoryStore;
  readonly #records: RecordPlan;
  readonly #checks: CheckPlan;

  constructor(store: MemoryStore) {
    this.#store = store;
    this.#records = new RecordPlan(store, store.decoder);
    this.#checks = new CheckPlan(store.checks, store.tails, store.present());
  }

  /** @param filledAt as in `PutContext` */
  put(record: StoredRecord, filledAt?: Instant): 'stored' | 'unchanged' | 'frozen-day' | 'open-day' {
    if (record.kind === 'check') return this.#checks.put(record);
    if (record.kind === 'status-day') return this.#checks.putTally(record);
    return this.#records.put(record, filledAt) ? 'stored' : 'unchanged';
  }

  remove(identity: RecordIdentity): boolean {
    if (identity.kind === 'check') return this.#checks.remove(identity);
    if (identity.kind === 'status-day') return this.#checks.removeTally(identity);
    return this.#records.remove(identity);
  }

  moveCommit(ref: RepositoryRef, { sha, branch }: BranchChange): boolean {
    const commit = this.#records.find({ kind: 'commit', repositoryRef: ref, sha });
    return commit?.kind === 'commit' && this.#records.put({ ...commit, branch: publishableBranch(branch) });
  }

  /** Appends the changes to the log, and then applies them in memory. */
  async write(): Promise<void> {
    await this.#store.commit([...this.#records.changes(), ...this.#checks.changes()], (changed) => {
      const { facts } = this.#store;
      const repositories = [...this.#records.touched].map((ref) => ({ ref, before: facts.repository(ref) }));
      this.#records.apply(changed);
      this.#checks.apply(changed);
      for (const { ref, before } of repositories) {
        facts.derive(ref);
        if (!sameValue(before, facts.repository(ref))) changed.record('repository', ref);
      }
    });
  }
}
