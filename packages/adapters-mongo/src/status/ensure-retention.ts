import { HOUR, SECOND } from '@vitrine/core';
import type { Db } from 'mongodb';
import { Collections } from '../collections.js';

/** The clocks of servers and collectors differ: a day is surely frozen before the first of its checks goes. */
const SPARED_MS = HOUR;
const KEY = { checkedAt: 1 } as const;

/**
 * Makes the index of times, which has to be there, remove raw checks once they are older than the retention. Can be called again at any time, also
 * with another retention: the index is then built anew, because a collector's user may do that, and may not change one that is there.
 */
export async function ensureRetention(db: Db, retentionMs: number): Promise<void> {
  const expireAfterSeconds = Math.ceil((retentionMs + SPARED_MS) / SECOND);
  const checks = new Collections(db).writable('status_checks');
  const present = (await checks.indexes()).find(({ key }) => JSON.stringify(key) === JSON.stringify(KEY));
  if (present?.expireAfterSeconds === expireAfterSeconds) return;
  if (present?.name !== undefined) await checks.dropIndex(present.name);
  await checks.createIndexes([{ key: KEY, expireAfterSeconds }]);
}
