import { isRepositoryRef, MINUTE, type Clock, type Commit, type Release, type RepositoryRef } from '@vitrine/core';
import type { Collection, Document, Filter } from 'mongodb';
import { commitDocument, releaseDocument } from '../documents/development-documents.js';
import type { DocumentSpec, StoredDocument } from '../documents/document-spec.js';
import { FACTS_PENDING, factsOf, repositoryFacts, type RepositoryFacts } from '../documents/repository-document.js';
import type { Collections } from '../collections.js';
import { recordsOf } from '../reading/decoding.js';
import { findDocuments } from '../reading/find-documents.js';
import { SILENT_QUARANTINE } from '../reading/quarantine.js';
import { inGroups } from './in-groups.js';
import { factsFrom, factsWith, MAX_UPCOMING } from './repository-facts.js';

/** Records that are dated further ahead are stored, but not shown. */
const FUTURE_TOLERANCE_MS = 5 * MINUTE;
/** Repositories whose facts are derived at the same time. */
const DERIVED_AT_ONCE = 8;

/** What is about to happen to the commits and releases of one repository. */
export interface FactChange {
  /** New ones. */
  readonly added: readonly (Commit | Release)[];
  /** Whether others are changed or removed, so that only the store can tell what is newest. */
  readonly isOther: boolean;
}

type FactChanges = ReadonlyMap<RepositoryRef, FactChange>;
type KnownFacts = ReadonlyMap<string, RepositoryFacts>;

/**
 * Keeps what is derived of repositories. A repository is marked before its records change and loses the mark together with getting its new
 * facts, so that a writer that died in between is made up for by the next one.
 */
export class FactWriter {
  readonly #collections: Collections;
  readonly #clock: Clock;

  constructor(collections: Collections, clock: Clock) {
    this.#collections = collections;
    this.#clock = clock;
  }

  /** Marks the repositories, runs the change, and stores their new facts. */
  async during<Result>(changes: FactChanges, change: () => Promise<Result>): Promise<Result> {
    const known = changes.size === 0 ? new Map<string, RepositoryFacts>() : await this.#mark([...changes.keys()]);
    const result = await change();
    const notAfter = this.#clock.now() + FUTURE_TOLERANCE_MS;
    await inGroups([...changes], DERIVED_AT_ONCE, async ([ref, { added, isOther }]) => {
      const before = known.get(ref);
      const facts = before === undefined || isOther ? null : factsWith(before, added, notAfter);
      await this.#store(ref, facts ?? (await this.#derived(ref)));
    });
    return result;
  }

  /** Derives what a writer left marked that did not come to its end. */
  async settle(): Promise<void> {
    const marked = await this.#repositories()
      .find({ [FACTS_PENDING]: true }, { projection: { _id: 1 } })
      .toArray();
    await inGroups(marked, DERIVED_AT_ONCE, async ({ _id: ref }) => {
      if (isRepositoryRef(ref)) await this.#store(ref, await this.#derived(ref));
    });
  }

  /** Resolves with the facts of those that were not marked before. */
  async #mark(refs: readonly RepositoryRef[]): Promise<KnownFacts> {
    const stored = await this.#repositories()
      .find<Document>({ _id: { $in: [...refs] } })
      .toArray();
    await this.#repositories().updateMany({ _id: { $in: [...refs] } }, { $set: { [FACTS_PENDING]: true } });
    return new Map(stored.filter((document) => document[FACTS_PENDING] !== true).map((document) => [String(document['_id']), factsOf(document)]));
  }

  async #store(ref: string, facts: RepositoryFacts): Promise<void> {
    await this.#repositories().updateOne({ _id: ref }, { $set: repositoryFacts.encode(facts) as Document, $unset: { [FACTS_PENDING]: 1 } });
  }

  async #derived(ref: RepositoryRef): Promise<RepositoryFacts> {
    const notAfter = new Date(this.#clock.now() + FUTURE_TOLERANCE_MS);
    const [commit, release] = [this.#of(commitDocument, 'commits'), this.#of(releaseDocument, 'releases')];
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
      const found = await findDocuments(this.#collections.of(name), { repositoryRef: ref, ...time }, { sort, limit });
      return recordsOf(spec, found, SILENT_QUARANTINE);
    };
  }

  #repositories(): Collection<StoredDocument> {
    return this.#collections.of('repositories');
  }
}
