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
/** Lists that are built anew stand beside those that are read, and how far that has come. */
const NEXT = 'next ';
const PROGRESS_ID = 'next';

export interface ReindexSearchOptions {
  /** Whose records get entries; those of every repository without it. */
  readonly approved?: ApprovedRepositories | undefined;
  readonly signal: AbortSignal;
  /** @param entries written so far, those of a run that was broken off included */
  readonly onProgress: (kind: PlainRecord['kind'], entries: number) => void;
}

/**
 * Builds the search entries anew from the records, beside the old ones, which are read until the new ones take their place. A run that was
 * broken off is gone on with, unless a writer has written since. No writer may be at work meanwhile.
 */
export async function reindexSearch(
  collections: Collections,
  commits: Commits,
  { approved, signal, onProgress }: ReindexSearchOptions,
): Promise<void> {
  const lists = collections.of(LISTS);
  const store = new SegmentStore(collections, commits, NEXT);
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

/** Notes whose entries stand there from now on. When the work is cut off, the note says that everything has to be looked through. */
async function inScope({ collections, commits, approved }: Scoped, work: () => Promise<void>): Promise<void> {
  const stored = new StoredScope(collections, commits);
  const refs = approved?.refs ?? (await stored.read())?.refs;
  if (refs !== undefined) await stored.write({ refs, complete: [], isSwept: false });
  await work();
  if (approved === undefined) return stored.forget();
  await clearSourceStates(commits, approved.refs);
  await stored.write({ refs: approved.refs, complete: approved.refs, isSwept: true });
}

/** A type of which there is no record has no new list, and an empty one takes the place of the old. Done again, it changes nothing. */
async function putInPlace(collections: Collections, commits: Commits): Promise<void> {
  const lists = collections.of(LISTS);
  const [read, next] = [new SegmentLists(lists, commits), new SegmentLists(lists, commits, NEXT)];
  const built = await Promise.all(SEARCH_TYPES.map(async (type) => ({ type, segments: (await next.of(type))?.segments })));
  const damaged = built.filter(({ segments }) => segments === undefined).map(({ type }) => `"${NEXT}${type}"`);
  if (damaged.length > 0) {
    await forgetReindex(collections, commits);
    throw new Error(`In search_segments, ${damaged.join(', ')} cannot be read. Search is as it was before: begin the rebuilding anew.`);
  }
  for (const { type, segments = [] } of built) await read.set(type, segments);
}

/** The next rebuilding begins anew. */
export async function forgetReindex(collections: Collections, commits: Commits): Promise<void> {
  await commits.commit((into) => into(LISTS).remove({ _id: PROGRESS_ID }));
  await new SegmentLists(collections.of(LISTS), commits, NEXT).remove();
}

interface Progress {
  /** Index among the kinds. */
  readonly kind: number;
  /** The last key of that kind that is done. */
  readonly after: string;
  readonly entries: number;
}

/** @param list that the rebuilding is for: one that was broken off for another list begins anew */
function progressOf(document: Document | null, list: string | null): Progress {
  const { kind, after, entries } = document ?? {};
  return typeof kind === 'number' && typeof after === 'string' && typeof entries === 'number' && document?.['list'] === list
    ? { kind, after, entries }
    : { kind: 0, after: '', entries: 0 };
}
