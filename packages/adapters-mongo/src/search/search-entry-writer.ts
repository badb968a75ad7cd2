import {
  keyOfIdentity,
  nameOfRef,
  searchTypeOf,
  type ReadContext,
  type RepositoryRecord,
  type RepositoryRef,
  type SearchableRecord,
} from '@vitrine/core';
import type { Collections } from '../collections.js';
import { EntryStore, type SearchChange } from './entry-store.js';
import { recordsOfRepository } from './record-scan.js';
import { forgetReindex } from './reindex-search.js';
import { isSameName, storedNames, type RepositoryNames } from './repository-names.js';
import { entryKey } from './search-place.js';
import { WordBook } from './word-book.js';
import { WordCounts } from './word-counts.js';

/**
 * Keeps the search entries in step with the records. Called before the records are written or removed: a writer that dies in between leaves
 * entries that their records do not bear out, which readers pass over and the same call again puts right.
 */
export class SearchEntryWriter {
  readonly #collections: Collections;
  readonly #store: EntryStore;
  #isFirst = true;

  constructor(collections: Collections) {
    this.#collections = collections;
    const [entries, words] = [collections.of('search_entries'), collections.of('search_words')];
    this.#store = new EntryStore(entries, new WordBook(words), new WordCounts(entries, words));
  }

  names(records: readonly SearchableRecord[]): Promise<RepositoryNames> {
    return storedNames(this.#collections.of('repositories'), records);
  }

  /** Each record at most once. */
  async put(changes: readonly SearchChange[], names: RepositoryNames, { signal }: ReadContext): Promise<void> {
    if (changes.length === 0) return;
    await this.#begin();
    await this.#store.put(changes, names);
    if (changes.some(({ record }) => isRepository(record))) await this.#renameAll(changes, signal);
  }

  /** Writes again what is found by the old names of repositories, but for the changed records themselves. */
  async #renameAll(changes: readonly SearchChange[], signal: AbortSignal): Promise<void> {
    const done = new Set(changes.map(({ record }) => keyOf(record)));
    for (const { record, stored } of changes) {
      if (record.kind !== 'repository') continue;
      const before = stored?.kind === 'repository' ? stored.fullName : nameOfRef(record.repositoryRef);
      if (!isSameName(before, record.fullName)) await this.#rename(record.repositoryRef, record.fullName, done, signal);
    }
  }

  async remove(records: readonly SearchableRecord[], { signal }: ReadContext): Promise<void> {
    if (records.length === 0) return;
    await this.#begin();
    const done = new Set(records.map(keyOf));
    await this.#collections.of('search_entries').deleteMany({ _id: { $in: [...done] } });
    for (const { repositoryRef, fullName } of records.filter(isRepository)) {
      const name = nameOfRef(repositoryRef);
      if (!isSameName(fullName, name)) await this.#rename(repositoryRef, name, done, signal);
    }
  }

  /** Writes the entries of a repository's records again, which are found by another name from now on. */
  async #rename(ref: RepositoryRef, name: string, done: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    for await (const records of recordsOfRepository(this.#collections, ref)) {
      signal.throwIfAborted();
      const others = records.filter((record) => !done.has(keyOf(record)));
      await this.#store.replace(others, new Map([[ref, name]]));
    }
  }

  /** What a rebuilding that was broken off has done would lack what is written now. */
  async #begin(): Promise<void> {
    if (this.#isFirst) await forgetReindex(this.#collections);
    this.#isFirst = false;
  }
}

function isRepository(record: SearchableRecord): record is RepositoryRecord {
  return record.kind === 'repository';
}

function keyOf(record: SearchableRecord): string {
  return entryKey(searchTypeOf(record), keyOfIdentity(record));
}
