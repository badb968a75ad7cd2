import {
  type ApprovedRepositories,
  type Commit,
  compareText,
  type DescribedRecords,
  firstOfEachSha,
  latestVisible,
  nameOfRef,
  type NamePosition,
  type Page,
  pageOf,
  type PlainRecord,
  type ReadContext,
  type RecordTables,
  type Repository,
  type RepositoryQuery,
  type RepositoryReader,
  type RepositoryRef,
} from '@vitrine/core';
import type { Filter } from 'mongodb';
import type { StoredDocument } from '../documents/codec.js';
import { DOCUMENTS, type DocumentSpec } from '../documents/documents.js';
import { toRepository } from '../documents/repository-facts.js';
import { timeLists } from '../lists/time-list.js';
import { decoded, findDocuments, type FindDocumentsOptions, type FoundDocuments, recordsOf, ScopedCollection } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';

/** If several approved repositories have a record with the same id, at most this many are read to find a valid one. */
const MAX_NAMESAKES = 8;

/** How records of every kind are read. */
export function recordTables(reading: MongoReading): RecordTables {
  const lists = timeLists(reading);
  return {
    page: (question, context) => lists[question.kind].page(question, context),
    first: async (kind, keys, approved, context) => {
      const spec: DocumentSpec<DescribedRecords[typeof kind]> = DOCUMENTS[kind];
      if (approved === null) return byKey(reading, spec, keys[0] ?? '', context);
      const scoped = new ScopedCollection(reading.collections.of(spec.collection));
      const page = { limit: MAX_NAMESAKES, sort: { repositoryRef: 1 }, hint: { _id: 1 } } as const;
      const found = await reading.run(context, (options) => scoped.find(approved, { _id: { $in: [...keys] } }, { ...options, ...page }));
      return recordsOf(spec, found, reading.monitor)[0] ?? null;
    },
    bySha: (approved, prefix, context) => commitsBySha(reading, approved, prefix, context),
    services: (context) => found(reading, DOCUMENTS.service, {}, { sort: { _id: 1 } }, context),
    syncsOf: async (scopes, context) => {
      // The memory of a source can be large.
      const syncs = await found(reading, DOCUMENTS.sync, { repositoryRef: { $in: [...scopes] } }, { projection: { state: 0 } }, context);
      return syncs.sort((a, b) => compareText(a.id, b.id));
    },
    // An anchored pattern without special characters is a range of the index.
    syncsFrom: (prefix, context) => found(reading, DOCUMENTS.sync, { _id: { $regex: `^${prefix}` } }, { sort: { _id: 1 } }, context),
  };
}

/** Beyond every hexadecimal digit. */
const AFTER_DIGITS = 'g';

async function commitsBySha(reading: MongoReading, approved: ApprovedRepositories, prefix: string, context: ReadContext): Promise<readonly Commit[]> {
  const scoped = new ScopedCollection(reading.collections.of('commits'));
  const [range, hint] = [{ sha: { $gte: prefix, $lt: prefix + AFTER_DIGITS } }, { sha: 1, repositoryRef: 1 } as const];
  const found = await reading.run(context, (options) => scoped.find(approved, range, { ...options, hint }));
  return firstOfEachSha(recordsOf(DOCUMENTS.commit, found, reading.monitor));
}

/** The record with this key, for kinds that belong to no repository; `null` if there is none. */
export async function byKey<Record extends PlainRecord>(
  reading: MongoReading,
  spec: DocumentSpec<Record>,
  key: string,
  context: ReadContext,
): Promise<Record | null> {
  return (await found(reading, spec, { _id: key }, { limit: 1 }, context))[0] ?? null;
}

/** Records of a kind that belong to no repository, or that every reader may see. */
async function found<Record extends PlainRecord>(
  reading: MongoReading,
  spec: DocumentSpec<Record>,
  filter: Filter<StoredDocument>,
  page: FindDocumentsOptions,
  context: ReadContext,
): Promise<Record[]> {
  const collection = reading.collections.of(spec.collection);
  return recordsOf(spec, await reading.run(context, (options) => findDocuments(collection, filter, { ...options, ...page })), reading.monitor);
}

export class MongoRepositoryReader implements RepositoryReader {
  readonly #repositories: ScopedCollection;

  constructor(private readonly reading: MongoReading) {
    this.#repositories = new ScopedCollection(reading.collections.of('repositories'));
  }

  /** A repository's id is its ref, and refs are in the order of their names. */
  async list(approved: ApprovedRepositories, { limit, after }: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>> {
    let refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
    const repositories: Repository[] = [];
    for (;;) {
      const found = await this.#find(approved, refs, { limit: limit + 1, sort: { _id: 1 } }, context);
      repositories.push(...this.#shown(found));
      const id: unknown = found.documents.at(-1)?.['_id'];
      if (repositories.length > limit || found.documents.length <= limit) break;
      refs = refs.filter((ref) => typeof id === 'string' && compareText(ref, id) > 0);
    }
    return pageOf(repositories.slice(0, limit + 1), limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
  }

  async byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]> {
    return this.#shown(await this.#find(approved, [...new Set(refs)], {}, context));
  }

  #find(approved: ApprovedRepositories, refs: readonly RepositoryRef[], page: FindDocumentsOptions, context: ReadContext): Promise<FoundDocuments> {
    return this.reading.run(context, (options) => this.#repositories.find(approved, { _id: { $in: [...refs] } }, { ...options, ...page }, refs));
  }

  #shown(found: FoundDocuments): Repository[] {
    const notAfter = latestVisible(this.reading.clock.now());
    return decoded('repository', found, this.reading.monitor, (document) => toRepository(document, notAfter));
  }
}
