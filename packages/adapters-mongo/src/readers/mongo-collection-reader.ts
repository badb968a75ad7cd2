import {
  statedBy,
  type CallContext,
  type Check,
  type CheckedDay,
  type CollectionReader,
  type Finding,
  type ReadContext,
  type Release,
  type RepositoryRef,
  type Service,
  type ServiceDay,
  type StatedRecord,
  type StoredRecord,
  type Sync,
} from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import type { BadValue } from '../documents/codec.js';
import type { StoredDocument } from '../documents/document-spec.js';
import { STORED_KINDS, type StoredKind } from '../documents/documents.js';
import { ofSource, vouchedOf } from '../documents/vouchers.js';
import { findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { byKey } from '../reading/single-record.js';
import { decoded, recordsOf } from '../reading/decoding.js';
import { MongoServiceReader } from './mongo-service-reader.js';
import { DOCUMENTS } from '../documents/record-documents.js';

/** Records that are read together. */
const BATCH_SIZE = 1_000;

/** What a collector reads of checks. */
export interface CheckRecords extends Pick<CollectionReader, 'checkedDays' | 'checksOf'> {
  /** Checks, and the counts of days whose checks are gone. */
  records(context: ReadContext): AsyncIterable<StoredRecord>;
}

export class MongoCollectionReader implements CollectionReader {
  readonly #reading: MongoReading;
  readonly #checks: CheckRecords;

  constructor(reading: MongoReading, checks: CheckRecords) {
    this.#reading = reading;
    this.#checks = checks;
  }

  async commitBranches(ref: RepositoryRef, { signal, source = null }: CallContext): Promise<ReadonlyMap<string, string | null>> {
    const branches = new Map<string, string | null>();
    const options = { signal, projection: { _id: 0, sha: 1, branch: 1 } };
    for await (const { sha, branch } of this.#reading.collections
      .of('commits')
      .find<Document>({ repositoryRef: ref, ...ofSource(source) }, options)) {
      if (typeof sha === 'string') branches.set(sha, typeof branch === 'string' ? branch : null);
    }
    return branches;
  }

  async releaseIds(ref: RepositoryRef, { signal, source = null }: CallContext): Promise<ReadonlySet<string>> {
    const found = await this.#reading.collections
      .of('releases')
      .find<Document>({ repositoryRef: ref, ...ofSource(source) }, { signal, projection: { _id: 0, id: 1 } })
      .toArray();
    return new Set(found.flatMap(({ id }): string[] => (typeof id === 'string' ? [id] : [])));
  }

  releasesOf(ref: RepositoryRef, context: ReadContext): AsyncIterable<Release> {
    const releases = { collection: 'releases', spec: DOCUMENTS.release } as const;
    return this.#decoded(releases, context, (document) => DOCUMENTS.release.toRecord(document), { repositoryRef: ref });
  }

  async findings(ref: RepositoryRef, { signal, source = null }: CallContext): Promise<readonly Finding[]> {
    const found = await findDocuments(this.#reading.collections.of('findings'), { repositoryRef: ref, ...ofSource(source) }, { signal });
    return recordsOf(DOCUMENTS.finding, found, this.#reading.monitor);
  }

  sync(id: string, context: ReadContext): Promise<Sync | null> {
    return byKey(this.#reading, DOCUMENTS.sync, 'syncs', id, context);
  }

  services(context: ReadContext): Promise<readonly Service[]> {
    return new MongoServiceReader(this.#reading).list(context);
  }

  checkedDays(context: ReadContext): Promise<ReadonlyMap<string, readonly CheckedDay[]>> {
    return this.#checks.checkedDays(context);
  }

  checksOf(day: ServiceDay, context: ReadContext): Promise<readonly Check[]> {
    return this.#checks.checksOf(day, context);
  }

  async *records(context: ReadContext): AsyncIterable<StoredRecord> {
    for (const stored of Object.values(STORED_KINDS)) yield* this.#decoded(stored, context, (document) => stored.spec.toRecord(document));
    yield* this.#checks.records(context);
  }

  async *statements(context: ReadContext): AsyncIterable<StatedRecord> {
    for (const stored of Object.values(STORED_KINDS))
      for await (const vouched of this.#decoded(stored, context, (document) => vouchedOf(stored.spec.kind, document))) yield* statedBy(vouched);
    for await (const record of this.#checks.records(context)) yield { record, source: null };
  }

  /** In the order of their ids, so that each batch goes on where the one before ended. */
  async *#decoded<Meaning>(
    { collection, spec }: Pick<StoredKind, 'collection'> & { readonly spec: Pick<StoredKind['spec'], 'kind'> },
    { signal }: ReadContext,
    decode: (document: Document) => Meaning | BadValue,
    filter: Filter<StoredDocument> = {},
  ): AsyncIterable<Meaning> {
    for (let last = ''; ;) {
      const page = { signal, limit: BATCH_SIZE, sort: { _id: 1 } } as const;
      const found = await findDocuments(this.#reading.collections.of(collection), { ...filter, _id: { $gt: last } }, page);
      yield* decoded<Meaning>(spec.kind, found, this.#reading.monitor, decode);
      const id: unknown = found.documents.at(-1)?.['_id'];
      if (found.documents.length < BATCH_SIZE || typeof id !== 'string') return;
      last = id;
    }
  }
}
