import { keyFor, type ApprovedRepositories, type PlainRecord, type ReadContext } from '@vitrine/core';
import type { CollectionName } from '../collections.js';
import type { DocumentSpec } from '../documents/document-spec.js';
import { recordsOf } from './decoding.js';
import { findDocuments } from './find-documents.js';
import type { MongoReading } from './mongo-reading.js';
import { ScopedCollection } from './scoped-collection.js';

/** If several approved repositories have a record with the same id, at most this many are read to find a valid one. */
const MAX_NAMESAKES = 8;

/** The record with this id in the approved repository with the lowest name; `null` if there is none. The query names every approved key, so hidden records cost no time. */
export async function scopedById<Record extends PlainRecord>(
  reading: MongoReading,
  spec: DocumentSpec<Record>,
  name: CollectionName,
  approved: ApprovedRepositories,
  idKey: string,
  context: ReadContext,
): Promise<Record | null> {
  const scoped = new ScopedCollection(reading.collections.of(name));
  const filter = { _id: { $in: approved.scopes.map((scope) => keyFor(idKey, scope)) } };
  const found = await reading.run(context, (options) =>
    scoped.find(approved, filter, { ...options, limit: MAX_NAMESAKES, sort: { repositoryRef: 1 }, hint: { _id: 1 } }),
  );
  return recordsOf(spec, found, reading.monitor)[0] ?? null;
}

/** The record with this key, for kinds that belong to no repository. */
export async function byKey<Record extends PlainRecord>(
  reading: MongoReading,
  spec: DocumentSpec<Record>,
  name: CollectionName,
  key: string,
  context: ReadContext,
): Promise<Record | null> {
  const found = await reading.run(context, (options) => findDocuments(reading.collections.of(name), { _id: key }, { ...options, limit: 1 }));
  return recordsOf(spec, found, reading.monitor)[0] ?? null;
}
