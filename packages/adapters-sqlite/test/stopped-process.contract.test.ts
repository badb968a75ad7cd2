import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseInUseError } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import type { OpenSqliteStore } from '../src/index.js';
import { openLocalStore } from './open-local-store.js';
import { writingProcess } from './writing-processes.js';

const context = { signal: new AbortController().signal };
const ROUNDS = process.env['VITRINE_TORTURE'] === '1' ? 100 : 1;
const LASTS_MS = 300;
/** Only a process that was stopped inside a transaction stays stopped for so long. */
const STOPPED_MS = 3_000;

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-stopped-'));
});
afterAll(() => rm(root, { recursive: true }));

async function writtenByFirst(store: OpenSqliteStore): Promise<readonly string[]> {
  const branches = await store.collection.commitBranches('acme/widget', context);
  return [...branches.keys()].filter((sha) => sha.startsWith('a')).sort();
}

/** Whether another store took the lease of a stopped process, which then changed nothing. */
async function isTakenOver(folder: string, writes: number): Promise<boolean> {
  const first = writingProcess('leased-process.ts', folder, String(LASTS_MS));
  const store = await openLocalStore({ clock: { now: () => NOW }, path: folder });
  try {
    // On a busy machine it can lose its lease before it is stopped.
    const isWriting = await Promise.race([first.acknowledged(writes).then(() => true), first.lastLine.then(() => false)]);
    if (!isWriting) return false;
    await sleep(Math.random() * 10);
    first.signal('SIGSTOP');
    const acquired = store.acquireLease({ holder: 'second', lastsMs: LASTS_MS, waitMs: STOPPED_MS + 4 * LASTS_MS, ...context }).catch(nullIfInUse);
    await Promise.race([acquired, sleep(STOPPED_MS, undefined, { ref: false })]);
    // If it was stopped inside a transaction, nobody can write before it has finished that. Then it may keep its lease.
    first.signal('SIGCONT');
    const lease = await acquired;
    if (lease === null) return false;
    const before = await writtenByFirst(store);
    await store.writerUnder(lease).put([aCommit({ sha: 'b'.repeat(40) })], context);
    expect(await first.lastLine).toBe('lost');
    expect(await writtenByFirst(store)).toEqual(before);
    await lease.release();
    return true;
  } finally {
    first.signal('SIGKILL');
    await first.lastLine;
    await store.close();
  }
}

function nullIfInUse(error: unknown): null {
  if (error instanceof LeaseInUseError) return null;
  throw error;
}

describe('a process that is stopped for longer than its lease', () => {
  it('changes nothing when it continues, wherever it was stopped', async () => {
    let [taken, tries] = [0, 0];
    for (; taken < ROUNDS && tries < 20 * ROUNDS; tries++) if (await isTakenOver(join(root, String(tries)), 3 + (tries % 10))) taken += 1;
    expect(taken).toBe(ROUNDS);
  });
});
