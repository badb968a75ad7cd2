import {
  type ApprovedRepositories,
  type CollectionReader,
  compareText,
  DAY,
  type DescribedRecords,
  firstOfEachSha,
  type Instant,
  isListedKind,
  isSearchable,
  LATEST_INSTANT,
  latestVisible,
  NO_REPOSITORY,
  type PlainRecord,
  type ReadContext,
  type RecordKind,
  type RecordOf,
  type RecordScan,
  type RecordTables,
  type Repository,
  type RepositoryReader,
  repositoryReader,
  type SearchableRecord,
  SEARCHED_KINDS,
  type Service,
  startOfDay,
  statedBy,
  type StoredRecord,
} from '@vitrine/core';
import { type Document, type Filter, MinKey } from 'mongodb';
import type { CollectionName } from '../collections.js';
import type { BadValue, StoredDocument } from '../documents/codec.js';
import { DOCUMENTS, type DocumentSpec, isUnscoped, ofSource, specOf, vouchedOf } from '../documents/documents.js';
import { toRepository } from '../documents/repository-facts.js';
import { timeLists } from '../lists/time-list.js';
import { findDocuments, type FindDocumentsOptions, lastIdOf, type MongoReading, ScopedCollection } from '../reading/mongo-reading.js';
import { checkIdRange, checkOf, dayOf } from '../status/status-documents.js';
import { storedCheckedDays } from '../status/mongo-check-reader.js';

/** If several approved repositories have a record with the same id, at most this many are read to find a valid one. */
const MAX_NAMESAKES = 8;
/** Beyond every hexadecimal digit. */
const AFTER_DIGITS = 'g';

export function recordTables(reading: MongoReading): RecordTables {
  return {
    page: timeLists(reading),
    first: async (kind, keys, approved, context) => {
      const spec: DocumentSpec<DescribedRecords[typeof kind]> = DOCUMENTS[kind];
      if (approved === null) return (await found(reading, spec, { _id: keys[0] ?? '' }, { limit: 1 }, context))[0] ?? null;
      const scoped = new ScopedCollection(reading.collections.of(spec.collection));
      const page = { limit: MAX_NAMESAKES, sort: { repositoryRef: 1 }, hint: { _id: 1 } } as const;
      const documents = await reading.run(context, (options) => scoped.find(approved, { _id: { $in: [...keys] } }, { ...options, ...page }));
      return reading.records(spec, documents)[0] ?? null;
    },
    bySha: async (approved, prefix, context) => {
      const scoped = new ScopedCollection(reading.collections.of('commits'));
      const [range, hint] = [{ sha: { $gte: prefix, $lt: prefix + AFTER_DIGITS } }, { sha: 1, repositoryRef: 1 } as const];
      const found = await reading.run(context, (options) => scoped.find(approved, range, { ...options, hint }));
      return firstOfEachSha(reading.records(DOCUMENTS.commit, found));
    },
    services: (context) => services(reading, context),
    syncsOf: async (scopes, context) => {
      // The memory of a source can be large.
      const syncs = await found(reading, DOCUMENTS.sync, { repositoryRef: { $in: [...scopes] } }, { projection: { state: 0 } }, context);
      return syncs.sort((a, b) => compareText(a.id, b.id));
    },
    // An anchored pattern without special characters is a range of the index.
    syncsFrom: (prefix, context) => found(reading, DOCUMENTS.sync, { _id: { $regex: `^${prefix}` } }, { sort: { _id: 1 } }, context),
  };
}

/** Records of a kind that belong to no repository, or that every reader may see. */
async function found<Record extends PlainRecord>(
  reading: MongoReading,
  spec: DocumentSpec<Record>,
  filter: Filter<StoredDocument>,
  page: FindDocumentsOptions,
  context: ReadContext,
): Promise<Record[]> {
  return reading.records(spec, await reading.find(spec.collection, filter, page, context));
}

function services(reading: MongoReading, context: ReadContext): Promise<readonly Service[]> {
  return found(reading, DOCUMENTS.service, {}, { sort: { _id: 1 } }, context);
}

/** A repository's id is its ref, and refs are in the order of their names. */
export function mongoRepositoryReader(reading: MongoReading): RepositoryReader {
  const scoped = new ScopedCollection(reading.collections.of('repositories'));
  return repositoryReader(async (approved, given, limit, context) => {
    const notAfter = latestVisible(reading.clock.now());
    const page = limit === null ? {} : ({ limit, sort: { _id: 1 } } as const);
    const repositories: Repository[] = [];
    for (let refs = given; ;) {
      const filter = { _id: { $in: [...refs] } };
      const found = await reading.run(context, (options) => scoped.find(approved, filter, { ...options, ...page }, refs));
      repositories.push(...reading.decoded('repository', found, (document) => toRepository(document, notAfter)));
      const last = lastIdOf(found);
      if (limit === null || repositories.length >= limit || found.length < limit) return repositories.slice(0, limit ?? Infinity);
      refs = refs.filter((ref) => last !== null && compareText(ref, last) > 0);
    }
  });
}

export function mongoCollectionReader(reading: MongoReading, retentionMs: number): CollectionReader {
  const specs = Object.values<DocumentSpec>(DOCUMENTS);
  const checks = (context: ReadContext): AsyncIterable<StoredRecord> => allChecks(reading, reading.clock.now() - retentionMs, context);
  return {
    commitBranches: async (ref, { signal, source = null }) => {
      const branches = new Map<string, string | null>();
      const options = { signal, projection: { _id: 0, sha: 1, branch: 1 } };
      for await (const { sha, branch } of reading.collections.of('commits').find<Document>({ repositoryRef: ref, ...ofSource(source) }, options))
        if (typeof sha === 'string') branches.set(sha, typeof branch === 'string' ? branch : null);
      return branches;
    },
    ofRepository: (kind, ref, context) => {
      const spec: DocumentSpec<RecordOf<typeof kind>> = DOCUMENTS[kind];
      return all(reading, spec, context, (document) => spec.toRecord(document), { repositoryRef: ref, ...ofSource(context.source ?? null) });
    },
    sync: async (id, context) => (await found(reading, DOCUMENTS.sync, { _id: id }, { limit: 1 }, context))[0] ?? null,
    services: (context) => services(reading, context),
    checkedDays: (context) => storedCheckedDays(reading, retentionMs, context),
    checksOf: async ({ serviceKey, day }, { signal }) => {
      const range = { _id: checkIdRange(serviceKey, day, day + DAY - 1) };
      return reading.decoded('check', await findDocuments(reading.collections.of('status_checks'), range, { signal }), checkOf);
    },
    async *records(context) {
      for (const spec of specs) yield* all(reading, spec, context, (document) => spec.toRecord(document));
      yield* checks(context);
    },
    async *statements(context) {
      for (const spec of specs)
        for await (const vouched of all(reading, spec, context, (document) => vouchedOf(spec.kind, document))) yield* statedBy(vouched);
      for await (const record of checks(context)) yield { record, source: null };
    },
  };
}

/** The daily counts of days without raw checks, and the raw checks of all other days. */
async function* allChecks(reading: MongoReading, keptFrom: Instant, context: ReadContext): AsyncIterable<StoredRecord> {
  const days = { kind: 'status-day', collection: 'status_days' } as const;
  for await (const day of all(reading, days, context, dayOf)) if (day.day < keptFrom && day.firstCheckedAt !== null) yield day;
  const checks = { kind: 'check', collection: 'status_checks' } as const;
  for await (const check of all(reading, checks, context, checkOf)) if (startOfDay(check.checkedAt) >= keptFrom) yield check;
}

/** All documents that match a filter, in batches in the order of their ids. `$expr` also finds ids that are no texts, which no list reads: so `store check` names them. */
async function* all<Meaning>(
  reading: MongoReading,
  { kind, collection }: { readonly kind: RecordKind; readonly collection: CollectionName },
  { signal }: ReadContext,
  decode: (document: Document) => Meaning | BadValue,
  filter: Filter<StoredDocument> = {},
): AsyncIterable<Meaning> {
  // Images are large.
  const limit = kind === 'image' ? 16 : 1_000;
  for (let last: unknown = new MinKey(); ;) {
    const after = { $expr: { $gt: ['$_id', { $literal: last }] } };
    const found = await findDocuments(reading.collections.of(collection), { ...filter, ...after }, { signal, limit, sort: { _id: 1 } });
    yield* reading.decoded(kind, found, decode);
    if (found.length < limit) return;
    last = found.at(-1)?.['_id'];
  }
}

type Kind = SearchableRecord['kind'];

export function mongoRecordScan(reading: MongoReading): RecordScan {
  const listPage = timeLists(reading);
  const decoded = (kind: Kind, found: readonly Document[]): readonly SearchableRecord[] => reading.records(specOf(kind), found).filter(isSearchable);
  return {
    page: async (approved, { kind, limit, after }, context) => {
      const readable = readableOf(approved, kind);
      if (readable === null) return { items: [], next: null };
      if (isListedKind(kind)) {
        const range = { limit, after, from: null, to: LATEST_INSTANT };
        const { items, next } = await listPage({ kind, approved: isUnscoped(kind) ? null : approved, query: range, filters: [] }, context);
        return { items: items.filter(isSearchable), next };
      }
      // Other kinds have no time.
      const page = { sort: { _id: 1 }, limit, hint: { _id: 1 } } as const;
      const found = await reading.find(specOf(kind).collection, { ...readable, _id: { $gt: after?.id ?? '' } }, page, context);
      const id = found.length < limit ? null : lastIdOf(found);
      return { items: decoded(kind, found), next: id === null ? null : { time: LATEST_INSTANT, id } };
    },
    byKeys: async (approved, kind, keys, context) => {
      const readable = readableOf(approved, kind);
      if (keys.length === 0 || readable === null) return [];
      const filter = { ...readable, _id: { $in: [...keys] } };
      return decoded(kind, await reading.find(specOf(kind).collection, filter, { hint: { _id: 1 } }, context));
    },
    count: async (approved, context) => {
      let sum = 0;
      for (const kind of SEARCHED_KINDS) {
        const readable = readableOf(approved, kind);
        if (readable === null) continue;
        const [row] = await reading.aggregate(specOf(kind).collection, [{ $match: readable }, { $count: 'count' }], context);
        sum += Number(row?.['count'] ?? 0);
      }
      return sum;
    },
  };
}

function readableOf(approved: ApprovedRepositories, kind: Kind): Filter<StoredDocument> | null {
  if (!isUnscoped(kind)) return { repositoryRef: { $in: [...approved.scopes] } };
  return approved.admits(NO_REPOSITORY) ? {} : null;
}
