import { RecordWords, scopeOfRecord, SEARCH_TYPES, type ApprovedRepositories, type PlainRecord } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { Collections } from '../collections.js';
import { STORED_KINDS } from '../documents/documents.js';
import type { Commits } from '../writers/commits.js';
import { clearSourceStates } from './clear-source-states.js';
import { newEntry } from './new-entry.js';
import { recordsAfter } from './record-scan.js';
import { storedNames } from './repository-names.js';
import { isFoundIn, StoredScope } from './search-scope.js';
import { SegmentLists } from './segment-lists.js';
import { SegmentStore } from './segment-store.js';

const KINDS = [
  'repository',
  'service',
  'commit',
  'release',
  'finding',
  'mission',
  'news',
  'article',
] as const satisfies readonly PlainRecord['kind'][];

const LISTS = 'search_segments';
/** Prefix of the new lists, which are stored next to the current lists, and of the progress. */
const NEXT = 'next ';
const PROGRESS_ID = 'next';

export interface ReindexSearchOptions {
  /** The repositories whose records get entries; without it, all repositories. */
  readonly approved?: ApprovedRepositories | undefined;
  readonly signal: AbortSignal;
  /** @param entries the number of entries written so far, including those of an interrupted run */
  readonly onProgress: (kind: PlainRecord['kind'], entries: number) => void;
}

/**
 * Rebuilds the search entries from the records. Readers use the old entries until the new ones are complete. An interrupted run continues,
 * unless a writer has written since. No writer may run at the same time.
 */
export async function reindexSearch(
  collections: Collections,
  commits: Commits,
  { approved, signal, onProgress }: ReindexSearchOptions,
): Promise<void> {
  const lists = collections.of(LISTS);
  const store = new SegmentStore(collections, commits, { prefix: NEXT });
  const words = new RecordWords();
  const isFound = isFoundIn(approved ?? null);
  const list = approved?.refs.join(' ') ?? null;
  let progress = progressOf(await lists.findOne({ _id: PROGRESS_ID }), list);
  if (progress.entries === 0) await forgetReindex(collections, commits);
  for (const [index, kind] of [...KINDS.entries()].slice(progress.kind)) {
    const after: string = index === progress.kind ? progress.after : '';
    for await (const { records, last } of recordsAfter(collections, STORED_KINDS[kind], after)) {
      signal.throwIfAborted();
      const names = await storedNames(collections.of('repositories'), records);
      const found = records.filter((record) => isFound(scopeOfRecord(record)));
      await store.add(found.map((record) => newEntry(words, record, names)));
      await store.settled();
      progress = { kind: index, after: last, entries: progress.entries + found.length };
      await commits.write(LISTS, [{ replaceOne: { filter: { _id: PROGRESS_ID }, replacement: { ...progress, list }, upsert: true } }]);
      onProgress(kind, progress.entries);
    }
  }
  signal.throwIfAborted();
  await inScope({ collections, commits, approved }, () => putInPlace(collections, commits));
  await forgetReindex(collections, commits);
  await store.sweep();
}

interface Scoped {
  readonly collections: Collections;
  readonly commits: Commits;
  readonly approved: ApprovedRepositories | undefined;
}

/** Stores the scope of the new entries. If the work is interrupted, the stored scope says that all entries must be checked. */
async function inScope({ collections, commits, approved }: Scoped, work: () => Promise<void>): Promise<void> {
  const stored = new StoredScope(collections, commits);
  const refs = approved?.refs ?? (await stored.read())?.refs;
  if (refs !== undefined) await stored.write({ refs, complete: [], isSwept: false });
  await work();
  if (approved === undefined) return stored.forget();
  await clearSourceStates(commits, approved.refs);
  await stored.write({ refs: approved.refs, complete: approved.refs, isSwept: true });
}

/** If there is no record of a type, there is no new list, so an empty one replaces the old list. Safe to repeat. */
async function putInPlace(collections: Collections, commits: Commits): Promise<void> {
  const lists = collections.of(LISTS);
  const [read, next] = [new SegmentLists(lists, commits), new SegmentLists(lists, commits, NEXT)];
  const built = await Promise.all(SEARCH_TYPES.map(async (type) => ({ type, segments: (await next.of(type))?.segments })));
  const damaged = built.filter(({ segments }) => segments === undefined).map(({ type }) => `"${NEXT}${type}"`);
  if (damaged.length > 0) {
    await forgetReindex(collections, commits);
    throw new Error(`In search_segments, ${damaged.join(', ')} cannot be read. The search entries are unchanged. Run store reindex again.`);
  }
  for (const { type, segments = [] } of built) await read.set(type, segments);
}

/** Makes the next reindex start from the beginning. */
export async function forgetReindex(collections: Collections, commits: Commits): Promise<void> {
  await commits.commit((into) => into(LISTS).remove({ _id: PROGRESS_ID }));
  await new SegmentLists(collections.of(LISTS), commits, NEXT).remove();
}

interface Progress {
  /** Index in the list of kinds. */
  readonly kind: number;
  /** The last key of this kind that is done. */
  readonly after: string;
  readonly entries: number;
}

/** @param list the allowlist of this reindex. If an interrupted run was for another allowlist, it starts from the beginning */
function progressOf(document: Document | null, list: string | null): Progress {
  const { kind, after, entries } = document ?? {};
  return typeof kind === 'number' && typeof after === 'string' && typeof entries === 'number' && document?.['list'] === list
    ? { kind, after, entries }
    : { kind: 0, after: '', entries: 0 };
}
