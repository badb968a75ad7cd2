import { comparePositions, latestVisible, positionOf, timeOf, type Commit, type Release, type Repository, type RepositoryRef } from '@vitrine/core';
import type { MemoryStore } from './memory-store.js';

/** The stored repositories among the given ones, with the latest release and activity that are visible now. */
export function repositoriesOf(store: MemoryStore, refs: readonly RepositoryRef[]): ReadonlyMap<RepositoryRef, Repository> {
  const records = [...new Set(refs)].flatMap((ref) => store.find('repository', ref) ?? []);
  if (records.length === 0) return new Map();
  const stored = new Set(records.map(({ repositoryRef }) => repositoryRef));
  const notAfter = latestVisible(store.clock.now());
  const isShown = (record: Commit | Release): boolean => timeOf(record) <= notAfter && stored.has(record.repositoryRef);
  const commits = newestOf(store.all('commit').filter(isShown));
  const releases = newestOf(store.all('release').filter(isShown));
  return new Map(
    records.map((record) => {
      const { repositoryRef } = record;
      const [commit, release] = [commits.get(repositoryRef), releases.get(repositoryRef)];
      const times = [commit, release].flatMap((newest) => (newest === undefined ? [] : [timeOf(newest)]));
      const latestActivityAt = times.length === 0 ? null : Math.max(...times);
      return [repositoryRef, { ...record, latestActivityAt, latestRelease: release === undefined ? null : summaryOf(release) }];
    }),
  );
}

/** Of each repository, the record that comes first in its list. */
function newestOf<Kept extends Commit | Release>(records: readonly Kept[]): ReadonlyMap<RepositoryRef, Kept> {
  const newest = new Map<RepositoryRef, Kept>();
  for (const record of records) {
    const other = newest.get(record.repositoryRef);
    if (other === undefined || comesBefore(record, other)) newest.set(record.repositoryRef, record);
  }
  return newest;
}

function comesBefore(a: Commit | Release, b: Commit | Release): boolean {
  return timeOf(a) > timeOf(b) || (timeOf(a) === timeOf(b) && comparePositions(positionOf(a), positionOf(b)) < 0);
}

function summaryOf({ tagName, name, releaseType, platform, publishedAt, sourceUrl }: Release): Repository['latestRelease'] {
  return { tagName, name, releaseType, platform, publishedAt, sourceUrl };
}
