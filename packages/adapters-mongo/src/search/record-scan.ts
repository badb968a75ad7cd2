import { isSearchable, type RepositoryRef, type SearchableRecord } from '@vitrine/core';
import type { Collections } from '../collections.js';
import { BadValue } from '../documents/codec.js';
import { STORED_KINDS, type StoredKind } from '../documents/documents.js';
import { findDocuments, type FoundDocuments } from '../reading/find-documents.js';

const BATCH_SIZE = 1_000;

/** The records of a kind after a key, in the order of their keys, in batches. */
export async function* recordsAfter(
  collections: Collections,
  { collection, spec }: StoredKind,
  after: string,
): AsyncIterable<{ readonly records: readonly SearchableRecord[]; readonly last: string }> {
  for (let last = after; ;) {
    const page = { limit: BATCH_SIZE, sort: { _id: 1 } } as const;
    const found = await findDocuments(collections.of(collection), { _id: { $gt: last } }, page);
    const id: unknown = found.documents.at(-1)?.['_id'];
    if (typeof id !== 'string') return;
    yield { records: searchableRecords(spec, found), last: id };
    last = id;
  }
}

const SCOPED_KINDS = ['commit', 'release', 'finding', 'mission', 'article'] as const;

/** The records that belong to a repository, without the repository's own record, in batches. */
export async function* recordsOfRepository(collections: Collections, ref: RepositoryRef): AsyncIterable<readonly SearchableRecord[]> {
  for (const kind of SCOPED_KINDS) {
    const { collection, spec } = STORED_KINDS[kind];
    const records = collections.of(collection);
    const cursor = records.find<{ _id: string }>({ repositoryRef: ref }, { projection: { _id: 1 }, batchSize: BATCH_SIZE });
    for await (const ids of inBatches(cursor)) yield searchableRecords(spec, await findDocuments(records, { _id: { $in: ids } }));
  }
}

/** The repository's own record, and then the records that belong to it, in batches. */
export async function* repositoryAndRecords(collections: Collections, ref: RepositoryRef): AsyncIterable<readonly SearchableRecord[]> {
  const { collection, spec } = STORED_KINDS.repository;
  yield searchableRecords(spec, await findDocuments(collections.of(collection), { _id: ref }));
  yield* recordsOfRepository(collections, ref);
}

async function* inBatches(documents: AsyncIterable<{ readonly _id: string }>): AsyncIterable<string[]> {
  let ids: string[] = [];
  for await (const { _id } of documents) {
    ids.push(_id);
    if (ids.length < BATCH_SIZE) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}

function searchableRecords(spec: StoredKind['spec'], found: FoundDocuments): SearchableRecord[] {
  return found.documents.flatMap((document) => {
    const record = found.damaged.has(document) ? null : spec.toRecord(document);
    return record === null || record instanceof BadValue || !isSearchable(record) ? [] : [record];
  });
}
