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
import DataLoader from 'dataloader';
import { toRepository } from '../documents/repository-facts.js';
import { decoded } from '../reading/decoding.js';
import { ScopedCollection, type FindDocumentsOptions, type FoundDocuments } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';

/** No caller can abort a read that others share. */
const DETACHED: ReadContext = { signal: new AbortController().signal };

type Loader = DataLoader<RepositoryRef, Repository | null>;

export class MongoRepositoryReader implements RepositoryReader {
  readonly #repositories: ScopedCollection;
  /** Requests under the same permission that are answered in one turn of the event loop ask with one command; nothing is kept. */
  readonly #loaders = new WeakMap<ApprovedRepositories, Loader>();

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

  async byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], { signal }: ReadContext): Promise<readonly Repository[]> {
    signal.throwIfAborted();
    const loader = this.#loaders.get(approved) ?? this.#loaderOf(approved);
    const admitted = [...new Set(refs)].filter((ref) => approved.admits(ref));
    const found = await Promise.all(admitted.map((ref) => loader.load(ref)));
    signal.throwIfAborted();
    return found.filter((repository) => repository !== null);
  }

  #loaderOf(approved: ApprovedRepositories): Loader {
    const read = async (refs: readonly RepositoryRef[]): Promise<(Repository | null)[]> => {
      const found = this.#shown(await this.#find(approved, [...new Set(refs)], {}, DETACHED));
      const byRef = new Map(found.map((repository) => [repository.repositoryRef, repository]));
      return refs.map((ref) => byRef.get(ref) ?? null);
    };
    const loader: Loader = new DataLoader(read, { cache: false, batchScheduleFn: (send) => setImmediate(send) });
    this.#loaders.set(approved, loader);
    return loader;
  }

  #find(approved: ApprovedRepositories, refs: readonly RepositoryRef[], page: FindDocumentsOptions, context: ReadContext): Promise<FoundDocuments> {
    return this.reading.run(context, (options) => this.#repositories.find(approved, { _id: { $in: [...refs] } }, { ...options, ...page }, refs));
  }

  #shown(found: FoundDocuments): Repository[] {
    const notAfter = latestVisible(this.reading.clock.now());
    return decoded('repository', found, this.reading.monitor, (document) => toRepository(document, notAfter));
  }
}
