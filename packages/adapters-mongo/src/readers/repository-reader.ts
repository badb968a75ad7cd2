import {
  compareText,
  latestVisible,
  nameOfRef,
  pageOf,
  type ApprovedRepositories,
  type NamePosition,
  type Page,
  type ReadContext,
  type Repository,
  type RepositoryQuery,
  type RepositoryReader,
  type RepositoryRef,
} from '@vitrine/core';
import { toRepository } from '../documents/repository-facts.js';
import { decoded } from '../reading/decoding.js';
import { ScopedCollection, type FindDocumentsOptions, type FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';

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
