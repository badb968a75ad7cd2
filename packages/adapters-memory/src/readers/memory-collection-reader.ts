import { LISTED_KINDS, type CollectionReader, type Instant, type ReadContext, type RepositoryRef, type StoredRecord, type Sync } from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow, throwIfAborted } from './answer-now.js';

export class MemoryCollectionReader implements CollectionReader {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  commitBranches(ref: RepositoryRef, context: ReadContext): Promise<ReadonlyMap<string, string | null>> {
    return answerNow(context, () => {
      const branches = new Map<string, string | null>();
      for (const record of this.#ofScope('commit', ref)) if (record.kind === 'commit') branches.set(record.sha, record.branch);
      return branches;
    });
  }

  releaseIds(ref: RepositoryRef, context: ReadContext): Promise<ReadonlySet<string>> {
    return answerNow(context, () => new Set(this.#ofScope('release', ref).flatMap((record) => (record.kind === 'release' ? [record.id] : []))));
  }

  sync(id: string, context: ReadContext): Promise<Sync | null> {
    return answerNow(context, () => this.#store.syncs.get(id) ?? null);
  }

  async *records(context: ReadContext): AsyncIterable<StoredRecord> {
    for (const part of this.#parts()) {
      // Each part is what is stored when it is reached, in turns that leave the event loop free.
      await Promise.resolve();
      throwIfAborted(context);
      yield* part;
    }
  }

  *#parts(): Iterable<readonly StoredRecord[]> {
    const { records, syncs } = this.#store;
    for (const kind of ['repository', 'service', ...LISTED_KINDS] as const) yield records.all(kind);
    yield [...syncs.values()];
    yield* this.#daysAndChecks();
  }

  *#daysAndChecks(): Iterable<readonly StoredRecord[]> {
    for (const service of [...this.#store.checks.services()]) {
      const days = Array.from({ length: service.days.length }, (_, index) => service.days.at(index));
      // Of a day that is too old by a clock that is not believed yet both: whoever imports them takes the one or the other.
      const isOld = (day: Instant): boolean => this.#store.checks.isFrozen(day, this.#store.clock.now());
      yield days.flatMap((day) => (isOld(day) ? service.tallies.of(day) : service.tallies.frozen(day)) ?? []);
      for (const day of days) {
        const checks = service.openDay(day);
        if (checks !== null) yield Array.from({ length: checks.length }, (_, index) => checks.checkAt(index));
      }
    }
  }

  #ofScope(kind: 'commit' | 'release', ref: RepositoryRef): StoredRecord[] {
    const { table } = this.#store.records;
    return [...this.#store.records.kind(kind).lists.slots(ref)].flatMap((slot) => table.record(slot) ?? []);
  }
}
