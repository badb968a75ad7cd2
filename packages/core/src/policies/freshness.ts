import type { Instant } from '../domain/shared/instant.js';
import type { SyncTimes, SyncedKind } from '../domain/shared/sync.js';

/** How far an answer can be trusted to be current and whole. */
export type DataStatus = 'fresh' | 'stale' | 'partial' | 'unavailable' | 'unknown';

const PRECEDENCE: readonly DataStatus[] = ['fresh', 'unknown', 'stale', 'partial', 'unavailable'];

/** Of several, the one that counts: unavailable, partial, stale, unknown, fresh. `unknown` when there is none. */
export function combinedStatus(statuses: Iterable<DataStatus>): DataStatus {
  let strongest = -1;
  for (const status of statuses) strongest = Math.max(strongest, PRECEDENCE.indexOf(status));
  return PRECEDENCE[strongest] ?? 'unknown';
}

/** Whether the newest successful run for a kind is at most twice its interval ago; `unknown` when no run is recorded. */
export function freshnessOf(kind: SyncedKind, syncs: readonly SyncTimes[], now: Instant): DataStatus {
  const newest = newestRun(kind, syncs);
  if (newest === null) return 'unknown';
  return now - newest.lastSuccessAt > 2 * newest.intervalMs ? 'stale' : 'fresh';
}

function newestRun(kind: SyncedKind, syncs: readonly SyncTimes[]): SyncTimes | null {
  return syncs
    .filter((sync) => sync.feeds.includes(kind))
    .reduce<SyncTimes | null>((newest, sync) => (newest === null || sync.lastSuccessAt > newest.lastSuccessAt ? sync : newest), null);
}
