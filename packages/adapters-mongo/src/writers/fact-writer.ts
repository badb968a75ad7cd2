import {
  EARLIEST_INSTANT,
  isRepositoryRef,
  latestVisible,
  type Clock,
  type Commit,
  type Instant,
  type Release,
  type RepositoryRef,
} from '@vitrine/core';
import type { Document, Filter } from 'mongodb';
import { FACTS_PENDING } from '../collections.js';
import type { StoredDocument } from '../documents/codec.js';
import { DOCUMENTS } from '../documents/documents.js';
import { factsFrom, MAX_UPCOMING, repositoryFacts } from '../documents/repository-facts.js';
import { LISTS, newestOfEach, repositoryLedKey } from '../lists/stored-lists.js';
import { recordsOf, SILENT_QUARANTINE } from '../reading/find-documents.js';
import { inParts } from '../reading/mongo-reading.js';
import type { Commits, Transaction, Write } from './commits.js';

/** How many repositories one transaction derives. */
const DERIVED_AT_ONCE = 100;

type FactKind = 'commit' | 'release';

/** The newest record of a repository up to now. */
interface Newest {
  readonly id: string;
  readonly time: Instant;
}

/** Keeps the facts of repositories, which follow from their commits and releases. */
export class FactWriter {
  constructor(
    private readonly commits: Commits,
    private readonly clock: Clock,
  ) {}

  /** Derives the facts of repositories that another collector has marked. */
  settle(): Promise<void> {
    return this.#derive({ [FACTS_PENDING]: true });
  }

  /** Derives the facts of every repository. */
  rebuild(): Promise<void> {
    return this.#derive({});
  }

  /** Derives the facts of repositories in the transaction that changes their records. */
  async store(transaction: Transaction, given: readonly RepositoryRef[]): Promise<void> {
    const refs = [...new Set(given)];
    if (refs.length === 0) return;
    const notAfter = latestVisible(this.clock.now());
    const commits = await newestOf(transaction, 'commit', refs, notAfter);
    const releases = await newestOf(transaction, 'release', refs, notAfter);
    const releaseIds = [...releases.values()].map(({ id }) => id);
    const found =
      releaseIds.length === 0
        ? []
        : recordsOf(DOCUMENTS.release, await transaction.find('releases', { _id: { $in: releaseIds } }), SILENT_QUARANTINE);
    const newestReleases = new Map(found.map((release) => [release.repositoryRef, release]));
    const ahead = await upcomingOf(transaction, refs, notAfter);
    const writes = refs.map((ref): Write => {
      const times = [commits.get(ref), releases.get(ref)].flatMap((newest) => newest?.time ?? []);
      const facts = factsFrom({ times, release: newestReleases.get(ref) ?? null, ahead: ahead.get(ref) ?? [] });
      return { updateOne: { filter: { _id: ref }, update: { $set: repositoryFacts.encode(facts) as Document, $unset: { [FACTS_PENDING]: 1 } } } };
    });
    await transaction.write('repositories', writes);
  }

  async #derive(repositories: Filter<StoredDocument>): Promise<void> {
    const { documents } = await this.commits.commit((transaction) => transaction.find('repositories', repositories, { projection: { _id: 1 } }));
    const refs = documents.map(({ _id }): unknown => _id).filter((ref) => isRepositoryRef(ref));
    for (const part of inParts(refs, DERIVED_AT_ONCE)) await this.commits.commit((transaction) => this.store(transaction, part));
  }
}

/** One step in the index for each repository. */
async function newestOf(
  transaction: Transaction,
  kind: FactKind,
  refs: readonly RepositoryRef[],
  notAfter: Instant,
): Promise<ReadonlyMap<unknown, Newest>> {
  const list = LISTS[kind];
  const hint = repositoryLedKey(list, null);
  const rows = await transaction.aggregate(
    list.collection,
    [
      { $match: { repositoryRef: { $in: [...refs] }, [list.time]: { $gte: new Date(EARLIEST_INSTANT), $lte: new Date(notAfter) } } },
      ...newestOfEach(list, hint),
    ],
    { hint },
  );
  return new Map(rows.map(({ _id: ref, time, id }) => [ref as unknown, { id: String(id), time: (time as Date).getTime() }]));
}

/** The commits and releases of the future, by repository. Few repositories have any. */
async function upcomingOf(
  transaction: Transaction,
  refs: readonly RepositoryRef[],
  notAfter: Instant,
): Promise<ReadonlyMap<RepositoryRef, readonly (Commit | Release)[]>> {
  const upcoming = new Map<RepositoryRef, (Commit | Release)[]>();
  for (const kind of ['commit', 'release'] as const) {
    const { collection, time } = LISTS[kind];
    const isAhead = { [time]: { $gt: new Date(notAfter) } };
    const rows = await transaction.aggregate(collection, [
      { $match: { repositoryRef: { $in: [...refs] }, ...isAhead } },
      { $group: { _id: '$repositoryRef' } },
    ]);
    for (const { _id } of rows) {
      const ref = _id as RepositoryRef;
      const found = await transaction.find(collection, { repositoryRef: ref, ...isAhead }, { sort: { [time]: 1, _id: -1 }, limit: MAX_UPCOMING });
      upcoming.set(ref, [...(upcoming.get(ref) ?? []), ...recordsOf<Commit | Release>(DOCUMENTS[kind], found, SILENT_QUARANTINE)]);
    }
  }
  return upcoming;
}
