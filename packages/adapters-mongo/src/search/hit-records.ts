import {
  isSearchable,
  keyOfIdentity,
  SEARCH_TYPES,
  searchTypeOf,
  type ApprovedRepositories,
  type RepositoryRef,
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

export type HitKey = Pick<EntryPlace, 'type' | 'recordKey'>;

/** The records behind some entries, each read once. */
export class HitRecords {
  readonly #reading: MongoReading;
  readonly #approved: ApprovedRepositories;
  readonly #options: OperationOptions;
  readonly #asked = new Set<string>();
  readonly #records = new Map<string, SearchableRecord>();

  constructor(reading: MongoReading, approved: ApprovedRepositories, options: OperationOptions) {
    this.#reading = reading;
    this.#approved = approved;
    this.#options = options;
  }

  /** One query for each type among those that were not read yet. */
  async read(keys: readonly HitKey[]): Promise<void> {
    const unread = keys.filter((key) => !this.#asked.has(keyText(key)));
    for (const key of unread) this.#asked.add(keyText(key));
    await Promise.all(SEARCH_TYPES.map((type) => this.#readOf(type, recordKeysOf(type, unread))));
  }

  record(key: HitKey): SearchableRecord | null {
    return this.#records.get(keyText(key)) ?? null;
  }

  /** How the record of a stored repository spells its name. */
  repositoryName(ref: RepositoryRef): string | null {
    const record = this.record(repositoryKey(ref));
    return record?.kind === 'repository' ? record.fullName : null;
  }

  async #readOf(type: SearchType, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const stored = storedKind(type);
    const collection = this.#reading.collections.of(stored.collection);
    const filter = { _id: { $in: [...keys] } };
    const page = { ...this.#options, batchSize: keys.length + 1, hint: { _id: 1 } } as const;
    const found = await (UNSCOPED.has(type)
      ? findDocuments(collection, filter, page)
      : new ScopedCollection(collection).find(this.#approved, filter, page));
    for (const record of decoded(stored.spec.kind, found, this.#reading.monitor, (document) => stored.spec.toRecord(document)))
      if (isSearchable(record)) this.#records.set(entryKey(searchTypeOf(record), keyOfIdentity(record)), record);
  }
}

export function repositoryKey(ref: RepositoryRef): HitKey {
  return { type: 'repository', recordKey: ref };
}

function keyText({ type, recordKey }: HitKey): string {
  return entryKey(type, recordKey);
}

function storedKind(type: SearchType): StoredKind {
  return STORED_KINDS[type === 'status-service' ? 'service' : type];
}

function recordKeysOf(type: SearchType, keys: readonly HitKey[]): readonly string[] {
  return [...new Set(keys.filter((key) => key.type === type).map(({ recordKey }) => recordKey))];
}
