import {
  isSearchable,
  keyOfIdentity,
  NO_REPOSITORY,
  SEARCH_TYPES,
  searchTypeOf,
  type ApprovedRepositories,
  type PlainRecord,
  type RepositoryRef,
  type SearchableRecord,
  type SearchType,
} from '@vitrine/core';
import { STORED_KINDS, type StoredKind } from '../documents/documents.js';
import { findBytes } from '../reading/find-documents.js';
import { Meanings } from '../reading/meanings.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { ScopedCollection } from '../reading/scoped-collection.js';
import { entryKey, type EntryPlace } from './entry-place.js';
import type { FoundEntry } from './segments/segment-walk.js';

const UNSCOPED: ReadonlySet<SearchType> = new Set(['news', 'status-service']);

export type HitKey = Pick<EntryPlace, 'type' | 'recordKey' | 'repositoryRef'>;

/** The decoded-document cache of each type. */
export type RecordMeanings = readonly { readonly type: SearchType; readonly meanings: Meanings<PlainRecord> }[];

export function recordMeanings(reading: MongoReading): RecordMeanings {
  return SEARCH_TYPES.map((type) => {
    const { spec } = storedKind(type);
    return { type, meanings: new Meanings<PlainRecord>(spec.kind, reading, spec) };
  });
}

/** The records of some entries. Each is read once. */
export class HitRecords {
  readonly #reading: MongoReading;
  readonly #meanings: RecordMeanings;
  readonly #approved: ApprovedRepositories;
  readonly #options: OperationOptions;
  readonly #asked = new Set<string>();
  readonly #records = new Map<string, SearchableRecord>();

  constructor(reading: MongoReading, meanings: RecordMeanings, approved: ApprovedRepositories, options: OperationOptions) {
    this.#reading = reading;
    this.#meanings = meanings;
    this.#approved = approved;
    this.#options = options;
  }

  /** Reads the records that were not read yet, with one query for each type. */
  async read(keys: readonly HitKey[]): Promise<void> {
    const unread = keys.filter((key) => !this.#asked.has(keyText(key)));
    for (const key of unread) this.#asked.add(keyText(key));
    await Promise.all(
      this.#meanings.map((known) =>
        this.#readOf(
          known,
          unread.filter(({ type }) => type === known.type),
        ),
      ),
    );
  }

  record(key: HitKey): SearchableRecord | null {
    return this.#records.get(keyText(key)) ?? null;
  }

  /** The name of a repository in the spelling of its stored record. */
  repositoryName(ref: RepositoryRef): string | null {
    const record = this.record(repositoryKey(ref));
    return record?.kind === 'repository' ? record.fullName : null;
  }

  async #readOf({ type, meanings }: RecordMeanings[number], keys: readonly HitKey[]): Promise<void> {
    const isPublic = UNSCOPED.has(type);
    if (keys.length === 0 || (isPublic && !this.#approved.admits(NO_REPOSITORY))) return;
    const collection = this.#reading.collections.of(storedKind(type).collection);
    const filter = { _id: { $in: [...new Set(keys.map(({ recordKey }) => recordKey))] } };
    const page = { ...this.#options, hint: { _id: 1 } } as const;
    const scopes = new Set(keys.map(({ repositoryRef }) => repositoryRef));
    const found = await (isPublic
      ? findBytes(collection, filter, page)
      : new ScopedCollection(collection).findBytes(this.#approved, filter, page, [...scopes]));
    for (const record of meanings.of(found))
      if (isSearchable(record)) this.#records.set(entryKey(searchTypeOf(record), keyOfIdentity(record)), record);
  }
}

export function hitKey({ type, entry: { recordKey, repositoryRef } }: FoundEntry): HitKey {
  return { type, recordKey, repositoryRef };
}

export function repositoryKey(ref: RepositoryRef): HitKey {
  return { type: 'repository', recordKey: ref, repositoryRef: ref };
}

function keyText({ type, recordKey }: Pick<HitKey, 'type' | 'recordKey'>): string {
  return entryKey(type, recordKey);
}

function storedKind(type: SearchType): StoredKind {
  return STORED_KINDS[type === 'status-service' ? 'service' : type];
}
