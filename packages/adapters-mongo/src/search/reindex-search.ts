import type { PlainRecord } from '@vitrine/core';
import type { Document } from 'mongodb';
import type { Collections } from '../collections.js';
import { STORED_KINDS } from '../documents/documents.js';
import { ENTRY_INDEX } from './entry-keys.js';
import { EntryStore } from './entry-store.js';
import { recordsAfter } from './record-scan.js';
import { storedNames } from './repository-names.js';
import { SEARCH_ENTRY_SCHEMA } from './search-entry-document.js';
import { WordBook } from './word-book.js';
import { WordCounts } from './word-counts.js';

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

/** How far a rebuilding has come; kept beside the new entries until they are done. No entry's id begins with a space. */
const PROGRESS_ID = ' progress';

export interface ReindexSearchOptions {
  readonly signal: AbortSignal;
  /** @param entries written so far, those of a run that was broken off included */
  readonly onProgress: (kind: PlainRecord['kind'], entries: number) => void;
}

/**
 * Builds the search entries anew from the records, beside the old ones, which are read until the new ones take their place. A run that was
 * broken off is gone on with, unless a writer has written since. No writer may be at work meanwhile: the caller holds the writers' lease.
 * Words are kept, and only added to, so that the old entries stay readable.
 */
export async function reindexSearch(collections: Collections, { signal, onProgress }: ReindexSearchOptions): Promise<void> {
  const [next, words] = [collections.next('search_entries'), collections.of('search_words')];
  const left = progressOf(await next.findOne({ _id: PROGRESS_ID }));
  if (left === null) await collections.renew('search_entries', SEARCH_ENTRY_SCHEMA);
  let progress: Progress = left ?? { kind: 0, after: '', entries: 0 };
  await next.createIndex(ENTRY_INDEX);
  const counts = new WordCounts(next, words);
  const store = new EntryStore(next, new WordBook(words), counts);
  for (const [index, kind] of [...KINDS.entries()].slice(progress.kind)) {
    const after: string = index === progress.kind ? progress.after : '';
    for await (const { records, last } of recordsAfter(collections, STORED_KINDS[kind], after)) {
      signal.throwIfAborted();
      const changes = records.map((record) => ({ record, stored: null }));
      await store.put(changes, await storedNames(collections.of('repositories'), records));
      progress = { kind: index, after: last, entries: progress.entries + records.length };
      await next.replaceOne({ _id: PROGRESS_ID }, { ...progress }, { upsert: true });
      onProgress(kind, progress.entries);
    }
  }
  signal.throwIfAborted();
  await counts.take();
  await next.deleteOne({ _id: PROGRESS_ID });
  await next.rename(collections.of('search_entries').collectionName, { dropTarget: true });
}

/** The next rebuilding begins anew. */
export async function forgetReindex(collections: Collections): Promise<void> {
  await collections.next('search_entries').deleteOne({ _id: PROGRESS_ID });
}

interface Progress {
  /** Index among the kinds. */
  readonly kind: number;
  /** The last key of that kind that is done. */
  readonly after: string;
  readonly entries: number;
}

function progressOf(document: Document | null): Progress | null {
  const { kind, after, entries } = document ?? {};
  return typeof kind === 'number' && typeof after === 'string' && typeof entries === 'number' ? { kind, after, entries } : null;
}
