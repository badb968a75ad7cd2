import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aCommit, NOW } from '@vitrine/core/testing';
import { COLLECTOR, type OpenSqliteStore } from '../src/index.js';
import { openLocalStore } from './open-local-store.js';
import { writingProcess } from './writing-processes.js';

const context = { signal: new AbortController().signal };
const ROUNDS = process.env['VITRINE_TORTURE'] === '1' ? 100 : 4;
const LASTS_MS = 300;

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-stopped-'));
});
afterAll(() => rm(root, { recursive: true }));

async function writtenByFirst(store: OpenSqliteStore): Promise<readonly string[]> {
  const branches = await store.collection.commitBranches('acme/widget', context);
  return [...branches.keys()].filter((sha) => sha.startsWith('a')).sort();
}

describe('a process that is stopped for longer than its lease', () => {
  it('changes nothing when it continues, wherever it was stopped', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const folder = join(root, String(round));
      const first = writingProcess('leased-process.ts', folder, String(LASTS_MS));
      await first.acknowledged(3 + round);
      await sleep(Math.random() * 10);
      first.signal('SIGSTOP');
      const store = await openLocalStore({ clock: { now: () => NOW }, path: folder });
      const acquired = store.acquireLease({ name: COLLECTOR, holder: 'second', lastsMs: LASTS_MS, ...context });
      await sleep(2 * LASTS_MS);
      // If it was stopped inside a transaction, nobody can write before it has finished that.
      first.signal('SIGCONT');
      const lease = await acquired;
      const before = await writtenByFirst(store);
      await store.writerUnder(lease).put([aCommit({ sha: 'b'.repeat(40) })], context);
      expect(await first.lastLine).toBe('lost');
      expect(await writtenByFirst(store)).toEqual(before);
      await lease.release();
      await store.close();
    }
  }, 600_000);
});
