import { RecordWords, type ApprovedRepositories, type IndexReport } from '@vitrine/core';
import type { Collections } from '../collections.js';
import type { Commits } from '../writers/commits.js';
import { clearSourceStates } from './clear-source-states.js';
import { newEntry } from './new-entry.js';
import { repositoryAndRecords } from './record-scan.js';
import { forgetReindex, reindexSearch } from './reindex-search.js';
import { storedNames } from './repository-names.js';
import { isFoundIn, StoredScope, type SearchScope } from './search-scope.js';
import type { SegmentStore } from './segment-store.js';
import { DamagedSegmentError } from './segments/damaged-segment-error.js';

/** The objects that this work needs. */
interface Entries {
  readonly collections: Collections;
  readonly commits: Commits;
  readonly store: SegmentStore;
}

/**
 * Updates the search entries to match the allowlist, as `indexFor` of the writer port promises. The progress is stored, so the next call completes an
 * interrupted one. No other process may write at the same time.
 */
export async function alignSearch(entries: Entries, approved: ApprovedRepositories, signal: AbortSignal): Promise<IndexReport> {
  const { collections, commits } = entries;
  const stored = new StoredScope(collections, commits);
  const known = await stored.read();
  if (known !== null && isInLine(known, approved)) return { added: 0, removed: 0 };
  const scope = nextScope(known, approved);
  await stored.write(scope);
  // An interrupted reindex was made for another allowlist.
  await forgetReindex(collections, commits);
  await clearSourceStates(commits, scope.refs);
  try {
    const removed = scope.isSwept ? 0 : await removeOthers(entries, scope, signal);
    await stored.swept();
    return { removed, added: await addMissing(entries, scope, signal) };
  } catch (error) {
    if (!(error instanceof DamagedSegmentError)) throw error;
    return { removed: 0, added: await rebuilt(entries, approved, signal) };
  }
}

function isInLine({ refs, complete, isSwept }: SearchScope, approved: ApprovedRepositories): boolean {
  const [known, done] = [new Set(refs), new Set(complete)];
  return isSwept && known.size === approved.refs.length && approved.refs.every((ref) => known.has(ref) && done.has(ref));
}

/** Without a stored scope, every record has an entry. */
function nextScope(known: SearchScope | null, { refs }: ApprovedRepositories): SearchScope {
  if (known === null) return { refs, complete: refs, isSwept: false };
  const wanted = new Set(refs);
  return { refs, complete: known.complete.filter((ref) => wanted.has(ref)), isSwept: known.isSwept && known.refs.every((ref) => wanted.has(ref)) };
}

async function removeOthers({ store }: Entries, scope: SearchScope, signal: AbortSignal): Promise<number> {
  const removed = await store.keepOnly(isFoundIn(scope), signal);
  // Remove segments that an interrupted call or reindex has left behind.
  await store.sweep();
  return removed;
}

async function addMissing({ collections, commits, store }: Entries, { refs, complete }: SearchScope, signal: AbortSignal): Promise<number> {
  const [done, words] = [new Set(complete), new RecordWords()];
  let added = 0;
  for (const ref of refs.filter((one) => !done.has(one))) {
    for await (const records of repositoryAndRecords(collections, ref)) {
      signal.throwIfAborted();
      const names = await storedNames(collections.of('repositories'), records);
      await store.add(records.map((record) => newEntry(words, record, names)));
      added += records.length;
    }
    await new StoredScope(collections, commits).completed(ref);
  }
  return added;
}

/** If a segment cannot be decoded, its entries must be rebuilt from the records. */
async function rebuilt({ collections, commits }: Entries, approved: ApprovedRepositories, signal: AbortSignal): Promise<number> {
  let added = 0;
  await reindexSearch(collections, commits, {
    approved,
    signal,
    onProgress: (_kind, entries) => {
      added = entries;
    },
  });
  return added;
}
