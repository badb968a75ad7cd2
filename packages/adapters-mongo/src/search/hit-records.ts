import {
  isSearchable,
  keyOfIdentity,
  NO_REPOSITORY,
  SEARCH_TYPES,
  searchTypeOf,
  type ApprovedRepositories,
  type RepositoryRef,
  type ScopeRef,
  type SearchableRecord,
  type SearchType,
} from '@vitrine/core';
import { STORED_KINDS, type StoredKind } from '../documents/documents.js';
import { decoded } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import type { OperationOptions } from '../reading/read-from.js';
import { ScopedCollection } from '../reading/scoped-collection.js';
import type { EntryPlace } from './search-entry-document.js';
import { entryKey } from './search-place.js';

const UNSCOPED: ReadonlySet<SearchType> = new Set(['news', 'status-service']);

/** The records behind some entries, and the repositories that they name: one query for each type among them. */
export class HitRecords {
  readonly #records = new Map<string, SearchableRecord>();

  private constructor() {}

  static async read(
    reading: MongoReading,
    approved: ApprovedRepositories,
    entries: readonly EntryPlace[],
    options: OperationOptions,
  ): Promise<HitRecords> {
    const hits = new HitRecords();
    await Promise.all(SEARCH_TYPES.map((type) => hits.#read(reading, approved, type, keysOf(type, entries), options)));
    return hits;
  }

  record({ type, recordKey }: EntryPlace): SearchableRecord | null {
    return this.#records.get(entryKey(type, recordKey)) ?? null;
  }

  /** How the record of a stored repository spells its name. */
  repositoryName(ref: RepositoryRef): string | null {
    const record = this.#records.get(entryKey('repository', ref));
    return record?.kind === 'repository' ? record.fullName : null;
  }

  async #read(
    reading: MongoReading,
    approved: ApprovedRepositories,
    type: SearchType,
    keys: readonly string[],
    options: OperationOptions,
  ): Promise<void> {
    if (keys.length === 0) return;
    const stored = storedKind(type);
    const collection = reading.collections.of(stored.collection);
    const filter = { _id: { $in: [...keys] } };
    const page = { ...options, batchSize: keys.length + 1, hint: { _id: 1 } } as const;
    const found = await (UNSCOPED.has(type)
      ? findDocuments(collection, filter, page)
      : new ScopedCollection(collection).find(approved, filter, page));
    for (const record of decoded(stored.spec.kind, found, reading.monitor, (document) => stored.spec.toRecord(document)))
      if (isSearchable(record)) this.#records.set(entryKey(searchTypeOf(record), keyOfIdentity(record)), record);
  }
}

function storedKind(type: SearchType): StoredKind {
  return STORED_KINDS[type === 'status-service' ? 'service' : type];
}

function keysOf(type: SearchType, entries: readonly EntryPlace[]): readonly string[] {
  const own = entries.filter((entry) => entry.type === type).map(({ recordKey }) => recordKey);
  return type === 'repository' ? [...new Set([...own, ...entries.map(({ repositoryRef }) => repositoryRef).filter(isRef)])] : own;
}

function isRef(scope: ScopeRef): scope is RepositoryRef {
  return scope !== NO_REPOSITORY;
}
