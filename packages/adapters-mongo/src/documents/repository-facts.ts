import {
  type Commit,
  comparePositions,
  type Instant,
  positionOf,
  publishableRelease,
  type Release,
  type ReleaseSummary,
  releaseSummary,
  type Repository,
  type RepositoryRef,
  timeOf,
} from '@vitrine/core';
import { BadValue, instant, isPlainObject, list, nullable, object, text } from './codec.js';
import { DOCUMENTS } from './documents.js';

/** A commit or release with a time in the future. It becomes the newest one at that time. */
interface UpcomingFact {
  readonly time: Instant;
  /** `null` for a commit. */
  readonly release: ReleaseSummary | null;
}

/** What writers derive from the commits and releases of a repository. */
export interface RepositoryFacts extends Pick<Repository, 'latestActivityAt' | 'latestRelease'> {
  /** Oldest first. */
  readonly upcoming: readonly UpcomingFact[];
}

const NO_FACTS: RepositoryFacts = { latestActivityAt: null, latestRelease: null, upcoming: [] };

const summaryCodec = object({ tagName: text, name: text, releaseType: text, platform: nullable(text), publishedAt: instant, sourceUrl: text });

/** The derived fields of a stored repository, stored next to the fields of the record. */
export const repositoryFacts = object({
  latestActivityAt: nullable(instant),
  latestRelease: nullable(summaryCodec),
  upcoming: list(object({ time: instant, release: nullable(summaryCodec) })),
});

/** Decodes a stored repository, as readers show it at a given time. */
export function toRepository(document: unknown, notAfter: Instant): Repository | BadValue {
  const record = DOCUMENTS.repository.toRecord(document);
  if (record instanceof BadValue) return record;
  const { upcoming, latestActivityAt, latestRelease } = publishedFacts(factsOf(document), record.repositoryRef);
  const due = upcoming.filter(({ time }) => time <= notAfter);
  return {
    ...record,
    latestActivityAt: due.at(-1)?.time ?? latestActivityAt,
    latestRelease: due.findLast((fact) => fact.release !== null)?.release ?? latestRelease,
  };
}

/** Decodes the facts of a stored repository. */
export function factsOf(document: unknown): RepositoryFacts {
  const facts = isPlainObject(document) ? repositoryFacts.decode(document, '') : NO_FACTS;
  return facts instanceof BadValue ? NO_FACTS : facts;
}

function publishedFacts({ upcoming, latestActivityAt, latestRelease }: RepositoryFacts, ref: RepositoryRef): RepositoryFacts {
  return {
    latestActivityAt,
    latestRelease: published(latestRelease, ref),
    upcoming: upcoming.map(({ time, release }) => ({ time, release: published(release, ref) })),
  };
}

/** `null` if the release must not be published. */
function published(release: ReleaseSummary | null, ref: RepositoryRef): ReleaseSummary | null {
  const summary = release === null ? null : publishableRelease(release, ref);
  return typeof summary === 'string' ? null : summary;
}

/** The maximum number of future commits and releases that are stored with a repository. */
export const MAX_UPCOMING = 100;

interface FactSources {
  /** The times of the newest commit and release. */
  readonly times: readonly Instant[];
  /** The newest release. */
  readonly release: Release | null;
  /** Commits and releases of the future. */
  readonly ahead: readonly (Commit | Release)[];
}

export function factsFrom({ times, release, ahead }: FactSources): RepositoryFacts {
  // If two have the same time, the one that lists show first counts as the newest.
  const upcoming = [...ahead].sort((a, b) => comparePositions(positionOf(b), positionOf(a))).slice(0, MAX_UPCOMING);
  return {
    latestActivityAt: times.length === 0 ? null : Math.max(...times),
    latestRelease: release === null ? null : releaseSummary(release),
    upcoming: upcoming.map((record): UpcomingFact => ({ time: timeOf(record), release: record.kind === 'release' ? releaseSummary(record) : null })),
  };
}
