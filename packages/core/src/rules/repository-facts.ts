import type { Instant } from '../kinds/instant.js';
import type { Provenance } from '../kinds/provenance.js';
import { type RepositoryRef, type ScopeRef, nameOfRef, parseRepositoryName } from '../kinds/repository-name.js';
import type { Repository } from '../kinds/repository.js';
import type { SyncTimes } from '../kinds/sync.js';
import type { ApprovedRepositories } from './allowlist.js';

/** Sync records that were read once serve many responses. */
const known = new WeakMap<readonly SyncTimes[], ReadonlyMap<ScopeRef, Instant>>();

/**
 * Sets `lastSyncedAt` to the start of the last completed run of the repository's sources: the oldest one, if it has several. A source that has not completed
 * a run does not count: the response is `partial` because of it. If no source has completed a run, the stored time remains.
 */
export function withLastSynced(repository: Repository, syncs: readonly SyncTimes[]): Repository {
  const lastSyncedAt = oldestRunsIn(syncs).get(repository.repositoryRef);
  return lastSyncedAt === undefined ? repository : { ...repository, lastSyncedAt };
}

/** The same for records beside their repositories. */
export function besideLastSynced<Item extends { readonly repository: Repository | null }>(
  items: readonly Item[],
  syncs: readonly SyncTimes[],
): Item[] {
  return items.map((item) => {
    const repository = item.repository === null ? null : withLastSynced(item.repository, syncs);
    return repository === item.repository ? item : { ...item, repository };
  });
}

function oldestRunsIn(syncs: readonly SyncTimes[]): ReadonlyMap<ScopeRef, Instant> {
  const before = known.get(syncs);
  if (before !== undefined) return before;
  const oldest = new Map<ScopeRef, Instant>();
  for (const { repositoryRef, lastSuccessAt } of syncs)
    if (lastSuccessAt !== null) oldest.set(repositoryRef, Math.min(oldest.get(repositoryRef) ?? lastSuccessAt, lastSuccessAt));
  known.set(syncs, oldest);
  return oldest;
}

/**
 * Stands in for an approved repository whose own record is not stored (yet). It is derived from one of the repository's other records, so that a
 * page can still contain that record.
 */
export function repositoryWithoutRecord(ref: RepositoryRef, approved: ApprovedRepositories, provenance: Provenance): Repository {
  const name = approved.nameOf(ref) ?? parseRepositoryName(nameOfRef(ref)) ?? { fullName: nameOfRef(ref), owner: '', name: '' };
  const { source, sourceKind, sourceUrl, observedAt, isOfficialSource } = provenance;
  return {
    kind: 'repository',
    repositoryRef: ref,
    fullName: name.fullName,
    owner: name.owner,
    name: name.name,
    defaultBranch: null,
    lastSyncedAt: provenance.observedAt,
    latestActivityAt: null,
    latestRelease: null,
    provenance: { source, sourceKind, sourceUrl, observedAt, confidence: 'unknown', isOfficialSource },
  };
}
