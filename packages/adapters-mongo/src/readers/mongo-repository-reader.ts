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
import { toRepository, type ShownRepository } from '../documents/repository-facts.js';
import { Meanings } from '../reading/decoding.js';
import { lenient, ScopedCollection, type FindBytesOptions } from '../reading/find-documents.js';
import type { MongoReading } from '../reading/mongo-reading.js';
import { whileAnyoneWaits } from '../reading/relayed-signal.js';

/** What one request asks for. */
interface Question {
  readonly refs: readonly RepositoryRef[];
  readonly signal: AbortSignal;
}

/** The decoder of repositories that are shown. */
const REPOSITORIES = { toRecord: toRepository };

type Repositories = DataLoader<Question, readonly Repository[]>;

export class MongoRepositoryReader implements RepositoryReader {
  readonly #reading: MongoReading;
  readonly #repositories: ScopedCollection;
  readonly #meanings: Meanings<ShownRepository>;
  /** Requests under the same permission that are answered in one turn of the event loop ask with one command; nothing is kept. */
  readonly #asked = new WeakMap<ApprovedRepositories, Repositories>();

  constructor(reading: MongoReading) {
    this.#reading = reading;
    this.#repositories = new ScopedCollection(reading.collections.of('repositories'));
    this.#meanings = new Meanings('repository', reading, REPOSITORIES);
  }

  /** A repository's id is its ref, and refs are in the order of their names. */
  async list(approved: ApprovedRepositories, { limit, after }: RepositoryQuery, context: ReadContext): Promise<Page<Repository, NamePosition>> {
    let refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
    const repositories: Repository[] = [];
    for (;;) {
      const found = await this.#find(approved, refs, { limit: limit + 1, sort: { _id: 1 } }, context);
      repositories.push(...this.#shown(found));
      const last = found.at(-1);
      if (repositories.length > limit || found.length <= limit || last === undefined) break;
      const id: unknown = lenient(last)['_id'];
      refs = refs.filter((ref) => typeof id === 'string' && compareText(ref, id) > 0);
    }
    return pageOf(repositories.slice(0, limit + 1), limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
  }

  async byRefs(approved: ApprovedRepositories, refs: readonly RepositoryRef[], { signal }: ReadContext): Promise<readonly Repository[]> {
    const admitted = refs.filter((ref) => approved.admits(ref));
    if (admitted.length === 0) return [];
    const found = await this.#askedOf(approved).load({ refs: admitted, signal });
    signal.throwIfAborted();
    return found;
  }

  #askedOf(approved: ApprovedRepositories): Repositories {
    const known = this.#asked.get(approved);
    if (known !== undefined) return known;
    const answers = (questions: readonly Question[]): Promise<(readonly Repository[])[]> => this.#answers(approved, questions);
    const asked: Repositories = new DataLoader(answers, { cache: false, batchScheduleFn: (send) => setImmediate(send) });
    this.#asked.set(approved, asked);
    return asked;
  }

  async #answers(approved: ApprovedRepositories, questions: readonly Question[]): Promise<(readonly Repository[])[]> {
    const all = [...new Set(questions.flatMap(({ refs }) => refs))];
    const signals = questions.map(({ signal }) => signal);
    const found = await whileAnyoneWaits(signals, (signal) => this.#find(approved, all, {}, { signal }));
    const byRef = new Map(this.#shown(found).map((repository) => [repository.repositoryRef, repository]));
    return questions.map(({ refs }) => [...new Set(refs)].flatMap((ref) => byRef.get(ref) ?? []));
  }

  #find(
    approved: ApprovedRepositories,
    refs: readonly RepositoryRef[],
    page: Pick<FindBytesOptions, 'limit' | 'sort'>,
    context: ReadContext,
  ): Promise<readonly Uint8Array[]> {
    return this.#reading.run(context, (options) =>
      this.#repositories.findBytes(approved, { _id: { $in: [...refs] } }, { ...options, ...page }, refs),
    );
  }

  #shown(found: readonly Uint8Array[]): Repository[] {
    const notAfter = latestVisible(this.#reading.clock.now());
    return this.#meanings.of(found).map((repository) => repository(notAfter));
  }
}
