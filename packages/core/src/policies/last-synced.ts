import type { ScopeRef } from '../domain/repositories/repository-name.js';
import type { Repository } from '../domain/repositories/repository.js';
import type { Instant } from '../domain/shared/instant.js';
import type { SyncTimes } from '../domain/shared/sync.js';

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
