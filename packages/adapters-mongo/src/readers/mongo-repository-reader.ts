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
import { toRepository } from '../documents/repository-document.js';
import { decoded } from '../reading/decoding.js';
import type { FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { ScopedCollection } from '../reading/scoped-collection.js';

export class MongoRepositoryReader implements RepositoryReader {
  readonly #reading: MongoReading;
  readonly #repositories: ScopedCollection;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#repositories = new ScopedCollection(reading.collections.of('repositories'));
  }

  /** A repository's id is its ref, and refs are in the order of their names. */
  async list(approved: ApprovedRepositories, { limit, after }: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>> {
    let refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
    const repositories: Repository[] = [];
    for (;;) {
      const found = await this.#find(approved, refs, limit + 1, context);
      repositories.push(...this.#decoded(found));
      if (repositories.length > limit || found.documents.length <= limit) break;
      const last: unknown = found.documents.at(-1)?.['_id'];
      refs = refs.filter((ref) => typeof last === 'string' && compareText(ref, last) > 0);
    }
    return pageOf(repositories.slice(0, limit + 1), limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
  }

  async byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]> {
    const admitted = [...new Set(refs)].filter((ref) => approved.admits(ref));
    return admitted.length === 0 ? [] : this.#decoded(await this.#find(approved, admitted, admitted.length, context));
  }

  #find(approved: ApprovedRepositories, refs: readonly RepositoryRef[], limit: number, context: ReadContext): Promise<FoundDocuments> {
    return this.#reading.run(context, (options) =>
      this.#repositories.find(approved, { _id: { $in: [...refs] } }, { ...options, limit, batchSize: limit, sort: { _id: 1 } }),
    );
  }

  #decoded(found: FoundDocuments): Repository[] {
    const notAfter = latestVisible(this.#reading.clock.now());
    return decoded('repository', found, this.#reading.monitor, (document) => toRepository(document, notAfter));
  }
}
