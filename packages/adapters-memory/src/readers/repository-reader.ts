import {
  type Commit,
  compareText,
  latestVisible,
  nameOfRef,
  pageOf,
  type Release,
  releaseSummary,
  type Repository,
  type RepositoryReader,
  type RepositoryRecord,
  type RepositoryRef,
  timeOf,
} from '@vitrine/core';
import type { Listed, MemoryStore } from '../memory-store.js';
import { answerNow } from './record-readers.js';

export function memoryRepositoryReader(store: MemoryStore): RepositoryReader {
  return {
    list: (approved, { limit, after }, context) =>
      answerNow(context, () => {
        // Approved refs are sorted by name.
        const refs = approved.refs.filter((ref) => after === null || compareText(nameOfRef(ref), after.fullName) > 0);
        const found = [...repositoriesOf(store, refs).values()].slice(0, limit + 1);
        return pageOf(found, limit, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
      }),
    byRefs: (approved, refs, context) =>
      answerNow(context, () => {
        const admitted = refs.filter((ref) => approved.admits(ref));
        return [...repositoriesOf(store, admitted).values()];
      }),
  };
}

/** The stored repositories among the given ones, with the latest release and activity that are visible now. */
export function repositoriesOf(store: MemoryStore, refs: readonly RepositoryRef[]): ReadonlyMap<RepositoryRef, Repository> {
  const records = [...new Set(refs)].flatMap((ref) => store.find('repository', ref) ?? []);
  if (records.length === 0) return new Map();
  const stored = new Set(records.map(({ repositoryRef }) => repositoryRef));
  const notAfter = latestVisible(store.clock.now());
  const commits = firstOf(store.list('commit'), stored, notAfter);
  const releases = firstOf(store.list('release'), stored, notAfter);
  return new Map(
    records.map((record) => {
      const { repositoryRef } = record;
      return [repositoryRef, repositoryOf(record, commits.get(repositoryRef), releases.get(repositoryRef))];
    }),
  );
}

interface Derived {
  readonly commit: Commit | undefined;
  readonly release: Release | undefined;
  readonly repository: Repository;
}

/** The newest result for each stored record. Presenters remember what they made of an object, so an unchanged repository is the same object. */
const derived = new WeakMap<RepositoryRecord, Derived>();

function repositoryOf(record: RepositoryRecord, commit: Commit | undefined, release: Release | undefined): Repository {
  const known = derived.get(record);
  if (known !== undefined && known.commit === commit && known.release === release) return known.repository;
  const times = [commit, release].flatMap((newest) => (newest === undefined ? [] : [timeOf(newest)]));
  const latestActivityAt = times.length === 0 ? null : Math.max(...times);
  const repository = { ...record, latestActivityAt, latestRelease: release === undefined ? null : releaseSummary(release) };
  derived.set(record, { commit, release, repository });
  return repository;
}

/** The first visible record of each repository in a list. */
function firstOf<Kept extends Commit | Release>(list: Iterable<Listed<Kept>>, refs: ReadonlySet<RepositoryRef>, notAfter: number) {
  const first = new Map<RepositoryRef, Kept>();
  for (const { record, position } of list) {
    if (first.size === refs.size) break;
    const { repositoryRef } = record;
    if (position.time <= notAfter && refs.has(repositoryRef) && !first.has(repositoryRef)) first.set(repositoryRef, record);
  }
  return first;
}
