import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedListFigures } from './cached-list.js';
import { idleConnectionFigures } from './idle-connections.js';
import type { Figure } from './measure.js';
import { requireWrk } from './wrk.js';

/** The server under the load of wrk: lists from the cache, lists that no cache has, and connections that only wait. */
export async function httpCacheFigures(): Promise<readonly Figure[]> {
  requireWrk();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-http-'));
  try {
    return [...(await cachedListFigures(folder)), ...(await idleConnectionFigures(folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
