import { HOUR, SECOND } from '@vitrine/core';
import type { Db } from 'mongodb';
import { Collections } from '../collections.js';

/** The clocks of servers and collectors differ. This delay makes sure that a day is frozen before the first of its checks is deleted. */
const SPARED_MS = HOUR;
const KEY = { checkedAt: 1 } as const;

/**
 * Makes the existing index of times delete raw checks that are older than the retention. You can call it again at any time, also with another
 * retention. The index is then created again, because the role of a collector may create indexes, but may not modify them.
 */
export async function ensureRetention(db: Db, retentionMs: number): Promise<void> {
  const expireAfterSeconds = Math.ceil((retentionMs + SPARED_MS) / SECOND);
  const checks = new Collections(db).writable('status_checks');
  const present = (await checks.indexes()).find(({ key }) => JSON.stringify(key) === JSON.stringify(KEY));
  if (present?.expireAfterSeconds === expireAfterSeconds) return;
  if (present?.name !== undefined) await checks.dropIndex(present.name);
  await checks.createIndexes([{ key: KEY, expireAfterSeconds }]);
}
