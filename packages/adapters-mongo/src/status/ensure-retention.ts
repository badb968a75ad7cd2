import { HOUR, SECOND } from '@vitrine/core';
import type { Db } from 'mongodb';

/** The clocks of servers and collectors differ: a day is surely frozen before the first of its checks goes. */
const SPARED_MS = HOUR;

/**
 * Makes the index of times, which has to be there, remove raw checks once they are older than the retention. Can be called again at any time, also
 * with another retention.
 */
export async function ensureRetention(db: Db, retentionMs: number): Promise<void> {
  const expireAfterSeconds = Math.ceil((retentionMs + SPARED_MS) / SECOND);
  await db.command({ collMod: 'status_checks', index: { keyPattern: { checkedAt: 1 }, expireAfterSeconds } });
}
