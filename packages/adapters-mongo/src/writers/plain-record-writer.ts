import {
  isRepositoryRef,
  isSearchable,
  keyOfIdentity,
  startOfDay,
  timeOf,
  type ApprovedRepositories,
  type Clock,
  type Commit,
  type IndexReport,
  type Instant,
  type PlainIdentity,
  type PlainRecord,
  type PutContext,
  type ReadContext,
  type Release,
  type RepositoryRef,
  type SearchableRecord,
} from '@vitrine/core';
import { ActivityWriter, type TouchedDays } from '../activity/activity-writer.js';
import type { CollectionName, Collections } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import { STORED_KINDS } from '../documents/documents.js';
import { FACTS_PENDING } from '../documents/repository-document.js';
import { findDocuments } from '../reading/find-documents.js';
import type { SearchChange } from '../search/search-entry-writer.js';
import type { Commits, Write } from './commits.js';
import { FactWriter, type FactChange } from './fact-writer.js';
import { batchKey, PlainBatch, type PlainChange } from './plain-batch.js';
import { storeDocuments, type DocumentToStore } from './store-documents.js';

/** Keeps search entries up to date. Its methods are called before records are written or removed. */
export interface SearchEntries {
  /** Call this for repositories first, because their names are among the words of their records. */
  put(changes: readonly SearchChange[], context: ReadContext): Promise<void>;
  remove(records: readonly SearchableRecord[], context: ReadContext): Promise<void>;
  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<IndexReport>;
}

/**
 * Writes all records except checks. Derived data is written or marked first. So if a writer dies between two writes, the same call
 * completes the work.
 */
export class PlainRecordWriter {
  readonly #collections: Collections;
  readonly #commits: Commits;
  readonly #search: SearchEntries;
  readonly #facts: FactWriter;
  readonly #activity: ActivityWriter;

  constructor(collections: Collections, commits: Commits, search: SearchEntries, clock: Clock) {
    this.#collections = collections;
    this.#commits = commits;
    this.#search = search;
    this.#facts = new FactWriter(collections, commits, clock);
    this.#activity = new ActivityWriter(collections, commits);
  }

  /** Completes the work of an interrupted writer. */
  async settle(): Promise<void> {
    await this.#facts.settle();
    await this.#activity.settle();
  }

  /** Resolves with the number of new or changed records. */
  async put(records: readonly PlainRecord[], context: PutContext): Promise<number> {
    const { stored, damaged } = await this.#stored(records);
    const batch = new PlainBatch(stored);
    for (const record of records) batch.put(record, context.filledAt);
    const { changes } = batch;
    if (changes.length === 0) return 0;
    await this.#derived({ changes, damaged }, async () => {
      const repositories = changes.filter(isOfRepository);
      await this.#search.put(repositories.flatMap(searchChange), context);
      await this.#commits.write('repositories', repositories.map(repositoryWrite));
      const others = changes.filter((change) => !isOfRepository(change));
      await this.#search.put(others.flatMap(searchChange), context);
      if (others.length > 0) await storeDocuments(this.#commits, documentsOf(others));
    });
    return batch.storedCount;
  }

  /** Resolves with the number of records that existed. */
  async remove(identities: readonly PlainIdentity[], context: ReadContext): Promise<number> {
    const found = await this.#stored(identities);
    const stored = [...found.stored.values()];
    const removed = stored.map((record): PlainChange => ({ record, stored: record }));
    return this.#derived({ changes: removed, damaged: found.damaged }, async () => {
      await this.#search.remove(stored.filter(isSearchable), context);
      let count = 0;
      for (const [kind, keys] of keysByKind(identities)) {
        count += await this.#commits.commit((into) => into(STORED_KINDS[kind].collection).remove({ _id: { $in: [...keys] } }));
      }
      return count;
    });
  }

  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<IndexReport> {
    return this.#search.indexFor(approved, context);
  }

  /** Runs the change, and updates what is derived from commits and releases. */
  #derived<Result>({ changes, damaged }: PlannedChanges, change: () => Promise<Result>): Promise<Result> {
    return this.#activity.during(touchedDays(changes), countedRefs(damaged), () => this.#facts.during(factChanges(changes), change));
  }

  async #stored(identities: readonly PlainIdentity[]): Promise<StoredVersions> {
    const stored = new Map<string, PlainRecord>();
    const damaged: PlainIdentity[] = [];
    for (const [kind, keys] of keysByKind(identities)) {
      const { collection, spec } = STORED_KINDS[kind];
      const found = await findDocuments(this.#collections.of(collection), { _id: { $in: [...keys] } });
      for (const document of found.documents) {
        // An invalid document counts as missing, and is overwritten.
        const record = found.damaged.has(document) ? null : spec.toRecord(document);
        if (record !== null && !(record instanceof BadValue)) stored.set(batchKey(record), record);
        else damaged.push(...identities.filter((identity) => identity.kind === kind && keyOfIdentity(identity) === document['_id']));
      }
    }
    return { stored, damaged };
  }
}

/** The stored versions of records. */
interface StoredVersions {
  /** By {@link batchKey}. */
  readonly stored: ReadonlyMap<string, PlainRecord>;
  /** Records whose stored version is invalid. */
  readonly damaged: readonly PlainIdentity[];
}

interface PlannedChanges extends Pick<StoredVersions, 'damaged'> {
  readonly changes: readonly PlainChange[];
}

function documentsOf(changes: readonly PlainChange[]): ReadonlyMap<CollectionName, readonly DocumentToStore[]> {
  const documents = new Map<CollectionName, DocumentToStore[]>();
  for (const { record, stored } of changes) {
    const { collection, spec } = STORED_KINDS[record.kind];
    const document = { document: spec.toDocument(record), isNew: stored === null };
    const known = documents.get(collection);
    if (known === undefined) documents.set(collection, [document]);
    else known.push(document);
  }
  return documents;
}

/** Keeps the stored facts of a repository, and marks it, because its facts must be derived again. */
function repositoryWrite({ record }: PlainChange): Write {
  const { _id, ...fields } = STORED_KINDS[record.kind].spec.toDocument(record);
  return { updateOne: { filter: { _id }, update: { $set: { ...fields, [FACTS_PENDING]: true } }, upsert: true } };
}

function factChanges(changes: readonly PlainChange[]): ReadonlyMap<RepositoryRef, FactChange> {
  const byRef = new Map<RepositoryRef, { added: (Commit | Release)[]; isOther: boolean }>();
  for (const { record, stored } of changes) {
    if (record.kind !== 'commit' && record.kind !== 'release' && record.kind !== 'repository') continue;
    const known = byRef.get(record.repositoryRef) ?? { added: [], isOther: false };
    byRef.set(record.repositoryRef, known);
    if (stored === null && record.kind !== 'repository') known.added.push(record);
    else known.isOther = true;
  }
  return byRef;
}

/** The days of the old and the new version of each commit and release. */
function touchedDays(changes: readonly PlainChange[]): TouchedDays {
  const touched = new Map<RepositoryRef, Set<Instant>>();
  for (const { record, stored } of changes) {
    if (record.kind !== 'commit' && record.kind !== 'release') continue;
    const days = touched.get(record.repositoryRef) ?? new Set();
    for (const version of [record, stored]) if (version?.kind === record.kind) days.add(startOfDay(timeOf(version)));
    touched.set(record.repositoryRef, days);
  }
  return touched;
}

/** The repositories of commits and releases. */
function countedRefs(identities: readonly PlainIdentity[]): ReadonlySet<RepositoryRef> {
  return new Set(
    identities.flatMap((identity) => {
      if (identity.kind !== 'commit' && identity.kind !== 'release') return [];
      return isRepositoryRef(identity.repositoryRef) ? [identity.repositoryRef] : [];
    }),
  );
}

function isOfRepository({ record }: PlainChange): boolean {
  return record.kind === 'repository';
}

function searchChange({ record, stored }: PlainChange): SearchChange[] {
  if (!isSearchable(record)) return [];
  return [{ record, stored: stored !== null && isSearchable(stored) ? stored : null }];
}

function keysByKind(identities: readonly PlainIdentity[]): ReadonlyMap<PlainRecord['kind'], ReadonlySet<string>> {
  const keys = new Map<PlainRecord['kind'], Set<string>>();
  for (const identity of identities) {
    const known = keys.get(identity.kind);
    if (known === undefined) keys.set(identity.kind, new Set([keyOfIdentity(identity)]));
    else known.add(keyOfIdentity(identity));
  }
  return keys;
}
