import type { Sync, SyncTimes } from '../domain/shared/sync.js';
import { sameValue } from './same-value.js';

/**
 * Whether two versions of a sync record give the same answers, except in the list of sources: the same freshness (`freshnessOf`) and the same
 * `lastSyncedAt` (`withLastSynced`). A run that fails after one that has completed changes only the list of sources.
 */
export function sameInAnswers(a: Sync | SyncTimes, b: Sync | SyncTimes): boolean {
  return sameValue(answeredBy(a), answeredBy(b));
}

/** The fields that answers depend on. The times of attempts count only until the first run has completed: the warning of an incomplete source names them. */
function answeredBy({ id, sourceType, repositoryRef, feeds, intervalMs, lastSuccessAt, firstAttemptAt, lastFailureAt }: SyncTimes): unknown {
  const failingSince = lastSuccessAt === null && lastFailureAt !== null ? (firstAttemptAt ?? lastFailureAt) : null;
  return { id, sourceType, repositoryRef, feeds, intervalMs, lastSuccessAt, failingSince };
}
