import {
  type ApprovedRepositories,
  ChangeSet,
  type FoundVersion,
  keyOfIdentity,
  publishableBranch,
  publishableRecord,
  type PutContext,
  type PutOptions,
  type RecordIdentity,
  type RecordWriter,
  sameValue,
  scopeOf,
  type SearchableRecord,
  SEARCHED_KINDS,
  type StoredRecord,
  touchedRepositories,
  VouchedBatch,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow, repositoriesOf } from '../readers/memory-readers.js';

type Batch = VouchedBatch<FoundVersion>;

const NOBODY: PutOptions = { source: null };

/** Each call writes one batch, and readers see all of it or nothing. */
export function memoryRecordWriter(store: MemoryStore): RecordWriter {
  return {
    put: (records, context) =>
      answerNow(context, () => {
        store.checks.freezeOverdue();
        const results = inBatch(store, (batch, changed) => records.map((record) => putRecord(store, record, { batch, changed }, context)));
        const refused = results.flatMap((reason, index) => (reason === 'stored' || reason === 'unchanged' ? [] : [{ index, reason }]));
        const stored = results.filter((result) => result === 'stored').length;
        return { stored, unchanged: results.length - stored - refused.length, refused };
      }),
    remove: (identities, context) => answerNow(context, () => removeAll(store, identities, context.source ?? null)),
    withdraw: (source, context) => answerNow(context, () => removeAll(store, store.vouchedBy(source), source)),
    moveCommits: (ref, changes, context) =>
      answerNow(context, () => {
        const branches = new Map(changes.map(({ sha, branch }) => [sha, publishableBranch(branch)]));
        const moved = store.all('commit').filter(({ repositoryRef, sha }) => repositoryRef === ref && branches.has(sha));
        return inBatch(
          store,
          (batch) => moved.filter((commit) => batch.put({ ...commit, branch: branches.get(commit.sha) ?? null }, NOBODY) === 'stored').length,
        );
      }),
    indexFor: (approved, context) =>
      answerNow(context, () =>
        inBatch(store, (batch, changed) => {
          limitSearch(store, approved, changed);
          const remembering = store.all('sync').filter(({ state, repositoryRef }) => state !== null && !approved.admits(repositoryRef));
          for (const sync of remembering) batch.put({ ...sync, state: null }, NOBODY);
        }),
      ),
  };
}

/** From now on, search finds only records of these repositories. */
function limitSearch(store: MemoryStore, approved: ApprovedRepositories, changed: ChangeSet): void {
  const records = SEARCHED_KINDS.flatMap((kind): SearchableRecord[] => store.all(kind));
  const before = new Set(records.filter((record) => store.isSearched(scopeOf(record))));
  store.searched = approved;
  for (const record of records) if (store.isSearched(scopeOf(record)) !== before.has(record)) changed.indexed(record.kind, scopeOf(record));
}

/** A repository also counts as changed if its latest release or activity has changed. */
function inBatch<Result>(store: MemoryStore, write: (batch: Batch, changed: ChangeSet) => Result): Result {
  const changed = new ChangeSet();
  const batch: Batch = new VouchedBatch((kind, key) => store.found(kind, key));
  const result = write(batch, changed);
  const changes = batch.changes();
  const refs = touchedRepositories(changes);
  const before = repositoriesOf(store, refs);
  for (const { kind, key, after } of changes) {
    // A copy, because the caller may change its object later.
    if (after !== null) store.put(structuredClone(after), changed);
    else store.remove(kind, key, changed);
  }
  const after = repositoriesOf(store, refs);
  for (const ref of refs) if (!sameValue(before.get(ref), after.get(ref))) changed.facts(ref);
  store.changeFeed.append(changed.list());
  return result;
}

interface Changing {
  readonly batch: Batch;
  readonly changed: ChangeSet;
}

function putRecord(store: MemoryStore, record: StoredRecord, { batch, changed }: Changing, { source = null, filledAt }: PutContext) {
  const published = publishableRecord(record);
  if (typeof published === 'string') return published;
  if (published.kind === 'check') return store.checks.put(structuredClone(published), changed);
  if (published.kind === 'status-day') return store.checks.putTally(structuredClone(published), changed);
  return batch.put(published, { source, filledAt });
}

/** Returns how many of the records are no longer stored because of this. */
function removeAll(store: MemoryStore, identities: readonly RecordIdentity[], source: string | null): number {
  return inBatch(store, (batch, changed) => {
    const removed = identities.filter((identity) => {
      if (identity.kind === 'check') return store.checks.remove(identity, changed);
      if (identity.kind === 'status-day') return store.checks.removeTally(identity, changed);
      return batch.remove(identity.kind, keyOfIdentity(identity), source);
    });
    return removed.length;
  });
}
