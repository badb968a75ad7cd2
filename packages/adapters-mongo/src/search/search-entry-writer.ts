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
import { entryKey } from './entry-place.js';
import { haveSameTerms, newEntry, tombstoneOf } from './new-entry.js';
import { recordsOfRepository } from './record-scan.js';
import { forgetReindex } from './reindex-search.js';
import { isSameName, storedNames, type RepositoryNames } from './repository-names.js';
import { isFoundIn, StoredScope } from './search-scope.js';
import { SegmentStore, type SegmentStoreOptions } from './segment-store.js';
import type { NewEntry } from './segments/segment.js';

/** A new or changed record. */
export interface SearchChange {
  readonly record: SearchableRecord;
  readonly stored: SearchableRecord | null;
}

/**
 * Keeps search entries up to date with the records. It is called before records are written or removed. If the process dies in between, some entries do not
 * match their records. Readers skip those, and the same call corrects them.
 */
export class SearchEntryWriter {
  readonly #collections: Collections;
  readonly #commits: Commits;
  readonly #store: SegmentStore;
  readonly #words = new RecordWords();
  #isFirst = true;

  constructor(collections: Collections, commits: Commits, options: Pick<SegmentStoreOptions, 'onMergeFailure'> = {}) {
    this.#collections = collections;
    this.#commits = commits;
    this.#store = new SegmentStore(collections, commits, options);
  }

  /** Each record at most once. Records of repositories that are not approved get no entry. */
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

  /** The entries of a record that is new, or whose words or position have changed. */
  #changed({ record, stored }: SearchChange, names: RepositoryNames): NewEntry[] {
    const entry = newEntry(this.#words, record, names);
    if (stored === null) return [entry];
    const before = newEntry(this.#words, stored, names);
    if (before.entry.time !== entry.entry.time) return [tombstoneOf(stored), entry];
    return haveSameTerms(before, entry) ? [] : [entry];
  }

  /** Rewrites entries that contain old names of repositories, except those of the changed records themselves. */
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
    await this.#add(records.map(tombstoneOf));
    const done = new Set(records.map(keyOf));
    for (const { repositoryRef, fullName } of records.filter(isRepository)) {
      const name = nameOfRef(repositoryRef);
      if (!isSameName(fullName, name)) await this.#rename(repositoryRef, name, done, signal);
    }
  }

  /** Updates the entries to match an allowlist, as the writer port promises. */
  indexFor(approved: ApprovedRepositories, { signal }: ReadContext): Promise<IndexReport> {
    return alignSearch({ collections: this.#collections, commits: this.#commits, store: this.#store }, approved, signal);
  }

  /** Resolves when no segments are being merged. Never rejects. @param signal stops a running merge: the next writer does its work */
  settled(signal?: AbortSignal): Promise<void> {
    return this.#store.settled(signal);
  }

  /** Tests which records get entries. Reads the scope each time, because another process may have written it. */
  async #found(): Promise<(record: SearchableRecord) => boolean> {
    const isFound = isFoundIn(await new StoredScope(this.#collections, this.#commits).read());
    return (record) => isFound(scopeOfRecord(record));
  }

  /** Rewrites the entries of a repository's records after the repository was renamed. */
  async #rename(ref: RepositoryRef, name: string, done: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    for await (const records of recordsOfRepository(this.#collections, ref)) {
      signal.throwIfAborted();
      const others = records.filter((record) => !done.has(keyOf(record)));
      await this.#add(others.map((record) => newEntry(this.#words, record, new Map([[ref, name]]))));
    }
  }

  /** Before its first write, it discards the progress of an interrupted reindex, because that result would lack the new entries. */
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
