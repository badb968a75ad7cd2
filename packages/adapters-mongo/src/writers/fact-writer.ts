import { isRepositoryRef, latestVisible, sameValue, type Clock, type Commit, type Instant, type Release, type RepositoryRef } from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import { FACTS_PENDING, type Collections, type ReadCollection } from '../collections.js';
import type { StoredDocument } from '../documents/codec.js';
import { DOCUMENTS, type DocumentSpec } from '../documents/documents.js';
import {
  FACTS_PROJECTION,
  factsFrom,
  factsOf,
  factsWith,
  MAX_UPCOMING,
  repositoryFacts,
  type RepositoryFacts,
} from '../documents/repository-facts.js';
import { inGroups } from '../reading/mongo-reading.js';
import { findDocuments, recordsOf, SILENT_QUARANTINE } from '../reading/find-documents.js';
import type { Commits, Write } from './commits.js';

/** How many repositories are processed at the same time. */
const DERIVED_AT_ONCE = 8;

/** The planned changes to the commits and releases of one repository. */
export interface FactChange {
  /** New records. */
  readonly added: readonly (Commit | Release)[];
  /** Whether records are also changed or removed. Then the newest one must be read from the store. */
  readonly isOther: boolean;
}

type FactChanges = ReadonlyMap<RepositoryRef, FactChange>;

/**
 * Maintains the facts of repositories. A repository is marked before its records change. The mark is removed together with the write of the new
 * facts. So if a writer dies in between, the next one derives the facts again.
 */
export class FactWriter {
  constructor(
    private readonly collections: Collections,
    private readonly commits: Commits,
    private readonly clock: Clock,
  ) {}

  /** Runs the change, and stores the new facts of the repositories that it affects. */
  async during<Result>(changes: FactChanges, change: () => Promise<Result>): Promise<Result> {
    const affected = await this.#affected(changes);
    const refs = [...affected.keys()];
    if (refs.length > 0) await this.#mark({ _id: { $in: refs } });
    const result = await change();
    await this.#store(affected);
    return result;
  }

  /** Derives the facts of repositories that an interrupted writer has left marked. */
  async settle(): Promise<void> {
    const marked = await this.#repositories()
      .find({ [FACTS_PENDING]: true }, { projection: { _id: 1 } })
      .toArray();
    await this.#store(new Map(marked.flatMap(({ _id: ref }) => (isRepositoryRef(ref) ? [[ref, null] as const] : []))));
  }

  /** Derives the facts of every repository. If it is interrupted, {@link settle} completes it. */
  async rebuild(): Promise<void> {
    await this.#mark({});
    await this.settle();
  }

  async #mark(repositories: Filter<StoredDocument>): Promise<void> {
    await this.commits.commit((into) => into('repositories').updateAll(repositories, { $set: { [FACTS_PENDING]: true } }));
  }

  /** The repositories whose facts change, with their new facts; `null` if these must be read from the store after the write. */
  async #affected(changes: FactChanges): Promise<ReadonlyMap<RepositoryRef, RepositoryFacts | null>> {
    const affected = new Map<RepositoryRef, RepositoryFacts | null>();
    if (changes.size === 0) return affected;
    const notAfter = latestVisible(this.clock.now());
    const documents = await this.#documents([...changes.keys()]);
    for (const [ref, change] of changes) {
      const document = documents.get(ref);
      // If a repository has no record yet, its facts are written together with its record.
      if (document === undefined && !change.isOther) continue;
      const before = settledFacts(document);
      const facts = before === null ? null : nextFacts(before, change, notAfter);
      if (facts === null || !sameValue(facts, before)) affected.set(ref, facts);
    }
    return affected;
  }

  async #documents(refs: readonly RepositoryRef[]): Promise<ReadonlyMap<string, Document>> {
    const found = await findDocuments(this.#repositories(), { _id: { $in: [...refs] } }, { projection: FACTS_PROJECTION });
    return new Map(found.documents.map((document) => [String(document['_id']), document]));
  }

  async #store(affected: ReadonlyMap<RepositoryRef, RepositoryFacts | null>): Promise<void> {
    const operations: Write[] = [];
    await inGroups([...affected], DERIVED_AT_ONCE, async ([ref, facts]) => {
      const fields = repositoryFacts.encode(facts ?? (await this.#derived(ref))) as Document;
      operations.push({ updateOne: { filter: { _id: ref }, update: { $set: fields, $unset: { [FACTS_PENDING]: 1 } } } });
    });
    await this.commits.write('repositories', operations);
  }

  async #derived(ref: RepositoryRef): Promise<RepositoryFacts> {
    const notAfter = new Date(latestVisible(this.clock.now()));
    const [commit, release] = [this.#of(DOCUMENTS.commit, 'commits'), this.#of(DOCUMENTS.release, 'releases')];
    const [newestCommits, newestReleases, commitsAhead, releasesAhead] = await Promise.all([
      commit(ref, { committedAt: { $lte: notAfter } }, { committedAt: -1, _id: 1 }, 1),
      release(ref, { publishedAt: { $lte: notAfter } }, { publishedAt: -1, _id: 1 }, 1),
      commit(ref, { committedAt: { $gt: notAfter } }, { committedAt: 1, _id: -1 }, MAX_UPCOMING),
      release(ref, { publishedAt: { $gt: notAfter } }, { publishedAt: 1, _id: -1 }, MAX_UPCOMING),
    ]);
    return factsFrom({ newest: [...newestCommits, ...newestReleases], ahead: [...commitsAhead, ...releasesAhead] });
  }

  #of<Record extends Commit | Release>(spec: DocumentSpec<Record>, name: 'commits' | 'releases') {
    return async (ref: RepositoryRef, time: Filter<StoredDocument>, sort: Readonly<{ [path: string]: 1 | -1 }>, limit: number): Promise<Record[]> => {
      const found = await findDocuments(this.collections.of(name), { repositoryRef: ref, ...time }, { sort, limit });
      return recordsOf(spec, found, SILENT_QUARANTINE);
    };
  }

  #repositories(): ReadCollection {
    return this.collections.of('repositories');
  }
}

function nextFacts(before: RepositoryFacts, { added, isOther }: FactChange, notAfter: Instant): RepositoryFacts | null {
  return isOther ? null : factsWith(before, added, notAfter);
}

/** The facts of a stored repository; `null` if it is marked. */
function settledFacts(document: Document | undefined): RepositoryFacts | null {
  return document === undefined || document[FACTS_PENDING] === true ? null : factsOf(document);
}
