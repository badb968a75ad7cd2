import {
  DAY,
  startOfDay,
  statedBy,
  type CallContext,
  type Check,
  type CheckedDay,
  type CollectionReader,
  type ReadContext,
  type RecordKind,
  type RecordOf,
  type RepositoryRef,
  type ScopedKind,
  type Service,
  type ServiceDay,
  type StatedRecord,
  type StoredRecord,
  type Sync,
} from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import type { CollectionName } from '../collections.js';
import type { BadValue, StoredDocument } from '../documents/codec.js';
import { DOCUMENTS, type DocumentSpec, ofSource, vouchedOf } from '../documents/documents.js';
import { allDocuments, decoded, findDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { checkIdRange, checkOf } from '../status/check-document.js';
import { dayOf } from '../status/day-document.js';
import { MongoCheckReader } from '../status/mongo-check-reader.js';
import { byKey, recordTables } from './record-readers.js';

export class MongoCollectionReader implements CollectionReader {
  /** @param retentionMs how long raw checks are kept */
  constructor(
    private readonly reading: MongoReading,
    private readonly retentionMs: number,
  ) {}

  async commitBranches(ref: RepositoryRef, { signal, source = null }: CallContext): Promise<ReadonlyMap<string, string | null>> {
    const branches = new Map<string, string | null>();
    const options = { signal, projection: { _id: 0, sha: 1, branch: 1 } };
    for await (const { sha, branch } of this.reading.collections.of('commits').find<Document>({ repositoryRef: ref, ...ofSource(source) }, options)) {
      if (typeof sha === 'string') branches.set(sha, typeof branch === 'string' ? branch : null);
    }
    return branches;
  }

  ofRepository<Kind extends ScopedKind>(kind: Kind, ref: RepositoryRef, context: CallContext): AsyncIterable<RecordOf<Kind>> {
    const spec: DocumentSpec<RecordOf<Kind>> = DOCUMENTS[kind];
    return this.#all(spec, context, (document) => spec.toRecord(document), { repositoryRef: ref, ...ofSource(context.source ?? null) });
  }

  sync(id: string, context: ReadContext): Promise<Sync | null> {
    return byKey(this.reading, DOCUMENTS.sync, id, context);
  }

  services(context: ReadContext): Promise<readonly Service[]> {
    return recordTables(this.reading).services(context);
  }

  checkedDays(context: ReadContext): Promise<ReadonlyMap<string, readonly CheckedDay[]>> {
    return new MongoCheckReader(this.reading, this.retentionMs).checkedDays(context);
  }

  async checksOf({ serviceKey, day }: ServiceDay, { signal }: ReadContext): Promise<readonly Check[]> {
    const range = checkIdRange(serviceKey, day, day + DAY - 1);
    const found = await findDocuments(this.reading.collections.of('status_checks'), { _id: range }, { signal });
    return decoded('check', found, this.reading.monitor, checkOf);
  }

  async *records(context: ReadContext): AsyncIterable<StoredRecord> {
    for (const spec of Object.values<DocumentSpec>(DOCUMENTS)) yield* this.#all(spec, context, (document) => spec.toRecord(document));
    yield* this.#checks(context);
  }

  async *statements(context: ReadContext): AsyncIterable<StatedRecord> {
    for (const spec of Object.values<DocumentSpec>(DOCUMENTS))
      for await (const vouched of this.#all(spec, context, (document) => vouchedOf(spec.kind, document))) yield* statedBy(vouched);
    for await (const record of this.#checks(context)) yield { record, source: null };
  }

  /** The daily counts of days without raw checks, and the raw checks of all other days. */
  async *#checks(context: ReadContext): AsyncIterable<StoredRecord> {
    const keptFrom = this.reading.clock.now() - this.retentionMs;
    const days = { kind: 'status-day', collection: 'status_days' } as const;
    for await (const day of this.#all(days, context, dayOf)) if (day.day < keptFrom && day.firstCheckedAt !== null) yield day;
    const checks = { kind: 'check', collection: 'status_checks' } as const;
    for await (const check of this.#all(checks, context, checkOf)) if (startOfDay(check.checkedAt) >= keptFrom) yield check;
  }

  async *#all<Meaning>(
    { kind, collection }: { readonly kind: RecordKind; readonly collection: CollectionName },
    { signal }: ReadContext,
    decode: (document: Document) => Meaning | BadValue,
    filter: Filter<StoredDocument> = {},
  ): AsyncIterable<Meaning> {
    for await (const found of allDocuments(this.reading.collections.of(collection), kind, filter, signal))
      yield* decoded(kind, found, this.reading.monitor, decode);
  }
}
