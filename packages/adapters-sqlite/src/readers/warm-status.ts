import { uptimeWindows } from '@vitrine/core';
import type { StoreThread } from '../threads/store-thread.js';
import type { ReaderCalls } from './reader-calls.js';
import type { SqliteReading } from './sqlite-reading.js';

/** The sums of fewer days are read in a few milliseconds. */
const MANY_DAYS = 2_000;
const MANY_SQL = `select 1 from status_day limit 1 offset ${MANY_DAYS}`;

/**
 * Reads in the background what a status needs of days that have ended, so that the first request does not wait for it. A small store does not need this, and then the
 * thread of readers does not start.
 */
export async function warmStatus({ database, clock }: SqliteReading, thread: StoreThread<ReaderCalls>): Promise<void> {
  const now = clock.now();
  try {
    if (database.row(MANY_SQL) === null) return;
    await thread.call('evidence', { serviceKeys: null, windows: uptimeWindows(now), now }, { signal: new AbortController().signal });
  } catch {
    // The first request for the status meets the same problem, and reports it.
  }
}
