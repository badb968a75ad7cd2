import {
  keyOfIdentity,
  nameOfRef,
  RecordWords,
  scopeOfRecord,
  searchTypeOf,
  type ApprovedRepositories,
  type IndexReport,
  type ReadContext,
  type RepositoryRecord,
  type RepositoryRef,
  type SearchableRecord,
} from '@vitrine/core';
import type { Collections } from '../collections.js';
import type { Commits } from '../writers/commits.js';
import { alignSearch } from './align-search.js';
import { entryKey, placeOfRecord } from './entry-place.js';
import { goneFrom, newEntry, type NewEntry } from './new-entry.js';
import { recordsOfRepository } from './record-scan.js';
import { sameWords, wordsOf } from './record-words.js';
import { forgetReindex } from './reindex-search.js';
import { isSameName, nameFor, storedNames, type RepositoryNames } from './repository-names.js';
import { isFoundIn, StoredScope } from './search-scope.js';
import { SegmentStore } from './segment-store.js';

/** A record that is stored anew or differently. */
export interface SearchChange {
  readonly record: SearchableRecord;
  readonly stored: SearchableRecord | null;
}

/**
 * Keeps the search entries in step with the records. Called before the records are written or removed: a writer that dies in between leaves
 * entries that their records do not bear out, which readers pass over and the same call again puts right.
 */
export class SearchEntryWriter {
  readonly #collections: Collections;
  readonly #commits: Commits;
  readonly #store: SegmentStore;
  readonly #words = new RecordWords();
  #isFirst = true;

  constructor(collections: Collections, commits: Commits) {
    this.#collections = collections;
    this.#commits = commits;
    this.#store = new SegmentStore(collections, commits);
  }

  /** Each record at most once. Those of repositories that are not approved get no entry. */
  async put(given: readonly SearchChange[], { signal }: ReadContext): Promise<void> {
    const isFound = given.length === 0 ? null : await this.#found();
    const changes = given.filter(({ record }) => isFound?.(record));
    if (changes.length === 0) return;
    const names = await storedNames(
      this.#collections.of('repositories'),
      changes.map(({ record }) => record),
    );
    await this.#add(changes.flatMap((change) => this.#changed(change, names)));
    await this.#renameAll(changes, signal);
  }

  /** Entries of a record that is new, or found by other words or elsewhere than before. */
  #changed({ record, stored }: SearchChange, names: RepositoryNames): NewEntry[] {
    const entry = newEntry(this.#words, record, names);
    if (stored === null) return [entry];
    const before = placeOfRecord(stored);
    if (before.time !== entry.place.time) return [goneFrom(stored), entry];
    const isFoundBy = wordsOf(this.#words, stored, nameFor(stored, names));
    return entry.words !== null && sameWords(entry.words, isFoundBy) ? [] : [entry];
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

  async remove(given: readonly SearchableRecord[], { signal }: ReadContext): Promise<void> {
    const isFound = given.length === 0 ? null : await this.#found();
    const records = given.filter((record) => isFound?.(record));
    if (records.length === 0) return;
    await this.#add(records.map(goneFrom));
    const done = new Set(records.map(keyOf));
    for (const { repositoryRef, fullName } of records.filter(isRepository)) {
      const name = nameOfRef(repositoryRef);
      if (!isSameName(fullName, name)) await this.#rename(repositoryRef, name, done, signal);
    }
  }

  /** Brings the entries into line with an allowlist, as the writing port promises. */
  indexFor(approved: ApprovedRepositories, { signal }: ReadContext): Promise<IndexReport> {
    return alignSearch({ collections: this.#collections, commits: this.#commits }, approved, signal);
  }

  /** Which records have entries. Read each time, because another process may have written since. */
  async #found(): Promise<(record: SearchableRecord) => boolean> {
    const isFound = isFoundIn(await new StoredScope(this.#collections, this.#commits).read());
    return (record) => isFound(scopeOfRecord(record));
  }

  /** Writes the entries of a repository's records again, which are found by another name from now on. */
  async #rename(ref: RepositoryRef, name: string, done: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    for await (const records of recordsOfRepository(this.#collections, ref)) {
      signal.throwIfAborted();
      const others = records.filter((record) => !done.has(keyOf(record)));
      await this.#add(others.map((record) => newEntry(this.#words, record, new Map([[ref, name]]))));
    }
  }

  /** What a rebuilding that was broken off has done would lack what is written now. */
  async #add(entries: readonly NewEntry[]): Promise<void> {
    if (entries.length === 0) return;
    if (this.#isFirst) {
      await forgetReindex(this.#collections, this.#commits);
      await this.#store.sweep();
    }
    this.#isFirst = false;
    await this.#store.add(entries);
  }
}

function isRepository(record: SearchableRecord): record is RepositoryRecord {
  return record.kind === 'repository';
}

function keyOf(record: SearchableRecord): string {
  return entryKey(searchTypeOf(record), keyOfIdentity(record));
}
