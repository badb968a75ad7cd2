import {
  ChangeSet,
  NO_REPOSITORY,
  publishableBranch,
  publishableRecord,
  sameValue,
  scopeOf,
  SEARCHED_KINDS,
  withoutStatement,
  withStatement,
  type ApprovedRepositories,
  type PlainIdentity,
  type PlainRecord,
  type PutContext,
  type RecordIdentity,
  type RecordWriter,
  type SearchableRecord,
  type StoredRecord,
} from '@vitrine/core';
import type { MemoryStore } from '../memory-store.js';
import { answerNow, repositoriesOf } from '../readers/memory-readers.js';

/** Each call writes one batch, and readers see all of it or nothing. */
export function memoryRecordWriter(store: MemoryStore): RecordWriter {
  return {
    put: (records, context) =>
      answerNow(context, () => {
        store.checks.freezeOverdue();
        const results = inBatch(store, records, (record, changed) => putRecord(store, record, changed, context));
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
        const results = inBatch(store, moved, (commit, changed) =>
          putPlain(store, { ...commit, branch: branches.get(commit.sha) ?? null }, changed, NOBODY),
        );
        return results.filter((result) => result === 'stored').length;
      }),
    indexFor: (approved, context) =>
      answerNow(context, () => {
        announced(store, (changed) => {
          limitSearch(store, approved, changed);
          const remembering = store.all('sync').filter(({ state, repositoryRef }) => state !== null && !approved.admits(repositoryRef));
          for (const sync of remembering) putPlain(store, { ...sync, state: null }, changed, NOBODY);
        });
      }),
  };
}

/** From now on, search finds only records of these repositories. */
function limitSearch(store: MemoryStore, approved: ApprovedRepositories, changed: ChangeSet): void {
  const records = SEARCHED_KINDS.flatMap((kind): SearchableRecord[] => store.all(kind));
  const before = new Set(records.filter((record) => store.isSearched(scopeOf(record))));
  store.searched = approved;
  for (const record of records) if (store.isSearched(scopeOf(record)) !== before.has(record)) changed.indexed(record.kind, scopeOf(record));
}

/** Writes all items. A repository also counts as changed if its latest release or activity has changed. */
function inBatch<Item extends RecordIdentity | StoredRecord, Result>(
  store: MemoryStore,
  items: readonly Item[],
  write: (item: Item, changed: ChangeSet) => Result,
): Result[] {
  return announced(store, (changed) => {
    const refs = [...new Set(items.flatMap((item) => ('repositoryRef' in item && item.repositoryRef !== NO_REPOSITORY ? [item.repositoryRef] : [])))];
    const before = repositoriesOf(store, refs);
    const results = items.map((item) => write(item, changed));
    const after = repositoriesOf(store, refs);
    for (const ref of refs) if (!sameValue(before.get(ref), after.get(ref))) changed.facts(ref);
    return results;
  });
}

function announced<Result>(store: MemoryStore, write: (changed: ChangeSet) => Result): Result {
  const changed = new ChangeSet();
  const result = write(changed);
  store.changeFeed.append(changed.list());
  return result;
}

const NOBODY = { source: null };

/** Stores a record as it may be published. */
function putRecord(store: MemoryStore, record: StoredRecord, changed: ChangeSet, { source = null, filledAt }: Omit<PutContext, 'signal'>) {
  const published = publishableRecord(record);
  if (typeof published === 'string') return published;
  if (published.kind === 'check') return store.checks.put(structuredClone(published), changed);
  if (published.kind === 'status-day') return store.checks.putTally(structuredClone(published), changed);
  return putPlain(store, published, changed, { source, filledAt });
}

function putPlain(
  store: MemoryStore,
  given: PlainRecord,
  changed: ChangeSet,
  options: Parameters<typeof withStatement>[2],
): 'stored' | 'unchanged' | 'unknown-commit' {
  const stored = store.vouched(given);
  const vouched = withStatement(stored, given, options);
  if (vouched === null) return 'unknown-commit';
  // A copy, because the caller may change its object later.
  store.put(structuredClone(vouched), changed);
  return sameValue(vouched.record, stored?.record) ? 'unchanged' : 'stored';
}

/** Returns how many of the records are no longer stored because of this. */
function removeAll(store: MemoryStore, identities: readonly RecordIdentity[], source: string | null): number {
  const results = inBatch(store, identities, (identity, changed) => {
    if (identity.kind === 'check') return store.checks.remove(identity, changed);
    if (identity.kind === 'status-day') return store.checks.removeTally(identity, changed);
    return removePlain(store, identity, source, changed);
  });
  return results.filter((isRemoved) => isRemoved).length;
}

function removePlain(store: MemoryStore, identity: PlainIdentity, source: string | null, changed: ChangeSet): boolean {
  const stored = store.vouched(identity);
  if (stored === null) return false;
  const rest = withoutStatement(stored, source);
  if (rest === null) return store.remove(identity, changed);
  store.put(rest, changed);
  return false;
}
