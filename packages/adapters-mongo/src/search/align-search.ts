import { RecordWords, type ApprovedRepositories, type IndexReport } from '@vitrine/core';
import type { Collections } from '../collections.js';
import type { Commits } from '../writers/commits.js';
import { clearSourceStates } from './clear-source-states.js';
import { newEntry } from './new-entry.js';
import { repositoryAndRecords } from './record-scan.js';
import { forgetReindex, reindexSearch } from './reindex-search.js';
import { storedNames } from './repository-names.js';
import { isFoundIn, StoredScope, type SearchScope } from './search-scope.js';
import { DamagedSegmentError, SegmentStore } from './segment-store.js';

/** What the work is done on. */
interface Entries {
  readonly collections: Collections;
  readonly commits: Commits;
}

/**
 * Brings the entries into line with the allowlist, as the writing port promises. What is done is remembered with the store, so a call that was cut
 * off is completed by the next one. Nobody else may write meanwhile.
 */
export async function alignSearch(entries: Entries, approved: ApprovedRepositories, signal: AbortSignal): Promise<IndexReport> {
  const { collections, commits } = entries;
  const stored = new StoredScope(collections, commits);
  const known = await stored.read();
  if (known !== null && isInLine(known, approved)) return { added: 0, removed: 0 };
  const scope = nextScope(known, approved);
  await stored.write(scope);
  // A rebuilding that was broken off was for another list.
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

/** Without a scope every record has its entry. */
function nextScope(known: SearchScope | null, { refs }: ApprovedRepositories): SearchScope {
  if (known === null) return { refs, complete: refs, isSwept: false };
  const wanted = new Set(refs);
  return { refs, complete: known.complete.filter((ref) => wanted.has(ref)), isSwept: known.isSwept && known.refs.every((ref) => wanted.has(ref)) };
}

async function removeOthers({ collections, commits }: Entries, scope: SearchScope, signal: AbortSignal): Promise<number> {
  const store = new SegmentStore(collections, commits);
  const removed = await store.keepOnly(isFoundIn(scope), signal);
  // What a call before has left that was cut off, and what a rebuilding has.
  await store.sweep();
  return removed;
}

async function addMissing({ collections, commits }: Entries, { refs, complete }: SearchScope, signal: AbortSignal): Promise<number> {
  const [done, store, words] = [new Set(complete), new SegmentStore(collections, commits), new RecordWords()];
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

/** Where a segment cannot be read back, only the records tell what search is to find. */
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
