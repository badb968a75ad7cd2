import { comparePositions, positionOf, timeOf, type Commit, type Instant, type Release, type ReleaseSummary } from '@vitrine/core';
import type { RepositoryFacts, UpcomingFact } from '../documents/repository-document.js';

/** The maximum number of future commits and releases that are stored with a repository. */
export const MAX_UPCOMING = 100;

/** The newest commit and release up to a time, and those after it, oldest first. */
export interface FactSources {
  readonly newest: readonly (Commit | Release)[];
  readonly ahead: readonly (Commit | Release)[];
}

export function factsFrom({ newest, ahead }: FactSources): RepositoryFacts {
  const release = newest.find((record) => record.kind === 'release');
  // If two have the same time, the one that lists show first counts as the newest.
  const upcoming = [...ahead].sort((a, b) => comparePositions(positionOf(b), positionOf(a))).slice(0, MAX_UPCOMING);
  return {
    latestActivityAt: newest.length === 0 ? null : Math.max(...newest.map(timeOf)),
    latestRelease: release === undefined ? null : summaryOf(release),
    upcoming: upcoming.map((record): UpcomingFact => ({ time: timeOf(record), release: record.kind === 'release' ? summaryOf(record) : null })),
  };
}

/** The facts after commits and releases were added; `null` if they must be read from the store. */
export function factsWith(facts: RepositoryFacts, added: readonly (Commit | Release)[], notAfter: Instant): RepositoryFacts | null {
  const activity = added.reduce((latest, record) => Math.max(latest, timeOf(record)), facts.latestActivityAt ?? -Infinity);
  if (facts.upcoming.length > 0 || activity > notAfter) return null;
  const latestRelease = newerRelease(facts.latestRelease, newestRelease(added));
  return latestRelease === undefined ? null : { latestActivityAt: activity, latestRelease, upcoming: [] };
}

/** The newer of a known and an added release; `undefined` if they have the same time, because then their ids decide. */
function newerRelease(known: ReleaseSummary | null, added: Release | null): ReleaseSummary | null | undefined {
  if (added === null || (known !== null && known.publishedAt > added.publishedAt)) return known;
  return known?.publishedAt === added.publishedAt ? undefined : summaryOf(added);
}

/** The release that lists show first. */
function newestRelease(records: readonly (Commit | Release)[]): Release | null {
  const releases = records.flatMap((record) => (record.kind === 'release' ? [record] : []));
  return releases.sort((a, b) => comparePositions(positionOf(a), positionOf(b)))[0] ?? null;
}

function summaryOf({ tagName, name, releaseType, platform, publishedAt, sourceUrl }: Release): ReleaseSummary {
  return { tagName, name, releaseType, platform, publishedAt, sourceUrl };
}
