import type { RepositoryRef, ScopeRef } from '../domain/repositories/repository-name.js';
import type { Repository } from '../domain/repositories/repository.js';
import type { Instant } from '../domain/shared/instant.js';
import type { SyncTimes } from '../domain/shared/sync.js';

/** The function that {@link lastSyncedBy} returns. */
export type WithLastSynced = (repository: Repository) => Repository;

/**
 * Sets `lastSyncedAt` to the start of the last completed run of the repository's sources: the oldest one, if it has several. A source that has not completed
 * a run does not count: the response is `partial` because of it. If no source has completed a run, the stored time remains.
 *
 * @param refs the repositories that are shown; others are not looked for
 */
export function lastSyncedBy(syncs: readonly SyncTimes[], refs: readonly ScopeRef[]): WithLastSynced {
  const wanted = new Set(refs);
  const oldest = new Map<ScopeRef, Instant>();
  for (const { repositoryRef, lastSuccessAt } of syncs) {
    if (lastSuccessAt === null || !wanted.has(repositoryRef)) continue;
    oldest.set(repositoryRef, Math.min(oldest.get(repositoryRef) ?? lastSuccessAt, lastSuccessAt));
  }
  return (repository) => {
    const lastSyncedAt = oldest.get(repository.repositoryRef);
    return lastSyncedAt === undefined ? repository : { ...repository, lastSyncedAt };
  };
}

/** The same for records beside their repositories. */
export function besideLastSynced<Item extends { readonly repository: Repository | null }>(
  items: readonly Item[],
  syncs: readonly SyncTimes[],
): Item[] {
  const refs = items.flatMap(({ repository }): RepositoryRef[] => (repository === null ? [] : [repository.repositoryRef]));
  const withLastSynced = lastSyncedBy(syncs, refs);
  return items.map((item) => (item.repository === null ? item : { ...item, repository: withLastSynced(item.repository) }));
}
