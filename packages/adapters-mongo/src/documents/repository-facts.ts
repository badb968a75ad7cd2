import {
  comparePositions,
  EARLIEST_INSTANT,
  grouped,
  inParts,
  isRepositoryRef,
  latestVisible,
  positionOf,
  publishableRelease,
  releaseSummary,
  timeOf,
} from '@vitrine/core';
import type { Clock, Commit, Instant, Release, ReleaseSummary, Repository, RepositoryRef } from '@vitrine/core';
import type { Document } from 'mongodb';
import { FACTS_PENDING } from '../collections.js';
import { LISTS, newestOfEach, repositoryLedKey } from '../lists/stored-lists.js';
import { valid } from '../reading/mongo-reading.js';
import type { Commits, Transaction, Write } from '../writers/commits.js';
import { BadValue, instant, list, nullable, object, text } from './codec.js';
import { DOCUMENTS } from './documents.js';

/** A commit or release with a time in the future. It becomes the newest one at that time. */
interface UpcomingFact {
  readonly time: Instant;
  /** `null` for a commit. */
  readonly release: ReleaseSummary | null;
}

const summaryCodec = object({ tagName: text, name: text, releaseType: text, platform: nullable(text), publishedAt: instant, sourceUrl: text });

/** What writers derive from the commits and releases of a repository, stored next to the fields of its record. The oldest upcoming one comes first. */
export const repositoryFacts = object({
  latestActivityAt: nullable(instant),
  latestRelease: nullable(summaryCodec),
  upcoming: list(object({ time: instant, release: nullable(summaryCodec) })),
});

/** Decodes a stored repository, as readers show it at a given time. */
export function toRepository(document: unknown, notAfter: Instant): Repository | BadValue {
  const [record, facts] = [DOCUMENTS.repository.toRecord(document), repositoryFacts.decode(document, '')];
  if (record instanceof BadValue) return record;
  if (facts instanceof BadValue) return facts;
  const { upcoming, latestActivityAt, latestRelease } = facts;
  const due = upcoming.filter(({ time }) => time <= notAfter);
  const releases = due.map(({ release }) => published(release, record.repositoryRef));
  return {
    ...record,
    latestActivityAt: due.at(-1)?.time ?? latestActivityAt,
    latestRelease: releases.findLast((release) => release !== null) ?? published(latestRelease, record.repositoryRef),
  };
}

function published(release: ReleaseSummary | null, ref: RepositoryRef): ReleaseSummary | null {
  const summary = release === null ? null : publishableRelease(release, ref);
  return typeof summary === 'string' ? null : summary;
}

/** Future commits and releases that are stored with a repository, and repositories whose facts one transaction derives. */
const [MAX_UPCOMING, DERIVED_AT_ONCE] = [100, 100];

/** Derives the facts of repositories in the transaction that changes their records. */
export async function storeFacts(transaction: Transaction, clock: Clock, given: readonly RepositoryRef[]): Promise<void> {
  const refs = [...new Set(given)];
  if (refs.length === 0) return;
  const notAfter = latestVisible(clock.now());
  const commits = await newestOf(transaction, 'commit', refs, notAfter);
  const releases = await newestOf(transaction, 'release', refs, notAfter);
  const ids = [...releases.values()].map(({ id }) => id);
  const found = ids.length === 0 ? [] : await transaction.find('releases', { _id: { $in: ids } });
  const newestReleases = new Map(valid(found, DOCUMENTS.release.toRecord).map((release) => [release.repositoryRef, release]));
  const ahead = await upcomingOf(transaction, refs, notAfter);
  const writes = refs.map((ref): Write => {
    const times = [commits.get(ref), releases.get(ref)].flatMap((newest) => newest?.time ?? []);
    const release = newestReleases.get(ref);
    const facts = {
      latestActivityAt: times.length === 0 ? null : Math.max(...times),
      latestRelease: release === undefined ? null : releaseSummary(release),
      upcoming: ahead.get(ref) ?? [],
    };
    return { updateOne: { filter: { _id: ref }, update: { $set: repositoryFacts.encode(facts) as Document, $unset: { [FACTS_PENDING]: 1 } } } };
  });
  await transaction.write('repositories', writes);
}

export async function deriveFacts(commits: Commits, clock: Clock, which: 'all' | 'marked'): Promise<void> {
  const filter = which === 'all' ? {} : { [FACTS_PENDING]: true };
  const documents = await commits.commit((transaction) => transaction.find('repositories', filter, { projection: { _id: 1 } }));
  const refs = documents.map(({ _id }): unknown => _id).filter((ref) => isRepositoryRef(ref));
  for (const part of inParts(refs, DERIVED_AT_ONCE)) await commits.commit((transaction) => storeFacts(transaction, clock, part));
}

/** The id and the time of the newest commit or release of each repository up to now. Takes one step in the index for each. */
async function newestOf(transaction: Transaction, kind: 'commit' | 'release', refs: readonly RepositoryRef[], notAfter: Instant) {
  const list = LISTS[kind];
  const hint = repositoryLedKey(list, null);
  const match = { repositoryRef: { $in: [...refs] }, [list.time]: { $gte: new Date(EARLIEST_INSTANT), $lte: new Date(notAfter) } };
  const rows = await transaction.aggregate(list.collection, [{ $match: match }, ...newestOfEach(list, hint)], { hint });
  return new Map(rows.map(({ _id: ref, time, id }) => [ref as RepositoryRef, { id: String(id), time: (time as Date).getTime() }]));
}

/** The commits and releases of the future, by repository. Few repositories have any. */
async function upcomingOf(
  transaction: Transaction,
  refs: readonly RepositoryRef[],
  notAfter: Instant,
): Promise<ReadonlyMap<RepositoryRef, readonly UpcomingFact[]>> {
  const upcoming: (Commit | Release)[] = [];
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
      upcoming.push(...valid<Commit | Release>(found, DOCUMENTS[kind].toRecord));
    }
  }
  // If two have the same time, the one that lists show first counts as the newest.
  upcoming.sort((a, b) => comparePositions(positionOf(b), positionOf(a)));
  return new Map(
    [...grouped(upcoming, ({ repositoryRef }) => repositoryRef)].map(([ref, records]) => [ref, records.slice(0, MAX_UPCOMING).map(upcomingFact)]),
  );
}

function upcomingFact(record: Commit | Release): UpcomingFact {
  return { time: timeOf(record), release: record.kind === 'release' ? releaseSummary(record) : null };
}
