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
import { toRepository, type ShownRepository } from '../documents/repository-document.js';
import { lenient } from '../reading/find-documents.js';
import { Meanings } from '../reading/meanings.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { ScopedCollection } from '../reading/scoped-collection.js';

export class MongoRepositoryReader implements RepositoryReader {
  readonly #reading: MongoReading;
  readonly #repositories: ScopedCollection;
  readonly #meanings: Meanings<ShownRepository>;

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#repositories = new ScopedCollection(reading.collections.of('repositories'));
    this.#meanings = new Meanings('repository', reading.monitor, toRepository);
  }

  /** A repository's id is its ref, and refs are in the order of their names. */
  async list(approved: ApprovedRepositories, { limit, after }: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>> {
    let refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
    const repositories: Repository[] = [];
    for (;;) {
      const found = await this.#find(approved, refs, limit + 1, context);
      repositories.push(...this.#shown(found));
      const last = found.at(-1);
      if (repositories.length > limit || found.length <= limit || last === undefined) break;
      const id: unknown = lenient(last)['_id'];
      refs = refs.filter((ref) => typeof id === 'string' && compareText(ref, id) > 0);
    }
    return pageOf(repositories.slice(0, limit + 1), limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
  }

  async byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], context: ReadContext): Promise<readonly Repository[]> {
    const admitted = [...new Set(refs)].filter((ref) => approved.admits(ref));
    return admitted.length === 0 ? [] : this.#shown(await this.#find(approved, admitted, admitted.length, context));
  }

  #find(approved: ApprovedRepositories, refs: readonly RepositoryRef[], limit: number, context: ReadContext): Promise<readonly Uint8Array[]> {
    return this.#reading.run(context, (options) =>
      this.#repositories.findBytes(approved, { _id: { $in: [...refs] } }, { ...options, limit, sort: { _id: 1 } }, refs),
    );
  }

  #shown(found: readonly Uint8Array[]): Repository[] {
    const notAfter = latestVisible(this.#reading.clock.now());
    return this.#meanings.of(found).map((repository) => repository(notAfter));
  }
}
