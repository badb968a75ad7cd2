import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseInUseError, LostLeaseError } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import { openLocalStore } from '../../test/open-local-store.js';
import { writingProcess } from '../../test/writing-processes.js';
import { SqliteDatabase } from '../database/sqlite-database.js';
import type { OpenSqliteStore } from '../index.js';

const context = { signal: new AbortController().signal };
const { signal } = context;

let folder = '';
let stores: OpenSqliteStore[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-lease-'));
});
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  stores = [];
  await rm(folder, { recursive: true });
});

async function opened(): Promise<OpenSqliteStore> {
  const store = await openLocalStore({ clock: { now: () => NOW }, path: folder });
  stores.push(store);
  return store;
}

const commit = (digit: string) => [aCommit({ sha: digit.repeat(40) })];

/** Changes what the lease says about the process of its holder. */
function changeProcess(change: (process: object) => unknown): void {
  const database = new SqliteDatabase(join(folder, 'vitrine.db'));
  const stored = JSON.parse(String(database.row('select process from lease')?.[0])) as object;
  database.run('update lease set process = ?', JSON.stringify(change(stored)));
  database.close();
}

const isLinux = process.platform === 'linux';
/** What keeps the lease of a killed process until it expires, because nobody can know whether that process runs. */
const ELSEWHERE: readonly (readonly [name: string, change: (process: object) => unknown])[] = [
  ['another host', (holder) => ({ ...holder, host: 'elsewhere' })],
  ['another start of the machine', (holder) => ({ ...holder, bootId: 'another' })],
  ['another namespace', (holder) => ({ ...holder, namespaces: 'pid:[1]' })],
  ['a system that tells nothing', (holder) => ({ ...holder, bootId: null, namespaces: null, startedAt: null })],
  ['damage', () => 'nonsense'],
  ['an older version', () => null],
];
/** Longer than any test. */
const NEVER_MS = '3600000';

describe('the lease of a process that was killed', () => {
  const taken = async () => {
    const store = await opened();
    return store.acquireLease({ holder: 'second', signal, waitMs: 0, lastsMs: Number(NEVER_MS) });
  };

  it('is kept while the process lives or may run elsewhere, and free at once when it is gone', async () => {
    // It writes once: while it writes, its name cannot be read.
    const child = writingProcess('leased-process.ts', folder, NEVER_MS, '1');
    await child.acknowledged(1);
    await expect(taken()).rejects.toThrow(new LeaseInUseError('first'));
    child.signal('SIGKILL');
    await child.lastLine;
    const database = new SqliteDatabase(join(folder, 'vitrine.db'));
    const stored = String(database.row('select process from lease')?.[0]);
    database.close();
    for (const [name, change] of ELSEWHERE) {
      changeProcess(change);
      const refused = await taken().catch((error: unknown) => error);
      expect([name, refused]).toEqual([name, new LeaseInUseError('first')]);
      changeProcess(() => JSON.parse(stored) as unknown);
    }
    const next = taken();
    if (!isLinux) return expect(next).rejects.toThrow(LeaseInUseError);
    const lease = await next;
    expect(lease.turn.term).toBe(2);
    return lease.release();
  }, 60_000);

  it('is free at once if another process has its id', async () => {
    const store = await opened();
    const lease = await store.acquireLease({ holder: 'first', signal, lastsMs: Number(NEVER_MS) });
    await expect(taken()).rejects.toThrow(LeaseInUseError);
    changeProcess((holder) => ({ ...holder, startedAt: 1 }));
    if (isLinux) await (await taken()).release();
    await lease.release();
  });
});

describe('the lease of a store', () => {
  it('has one holder at a time, and tells others who has it', async () => {
    const [one, two] = [await opened(), await opened()];
    const lease = await one.acquireLease({ holder: 'one', signal });
    const waiting: string[] = [];
    const refused = two.acquireLease({ holder: 'two', signal, waitMs: 500, onWaiting: (holder) => waiting.push(holder) });
    await expect(refused).rejects.toThrow(new LeaseInUseError('one'));
    expect(waiting).toEqual(['one']);
    expect(await lease.isHeld()).toBe(true);
    const next = two.acquireLease({ holder: 'two', signal, lastsMs: 40 });
    await lease.release();
    const turn = await next;
    expect(turn.turn.term).toBeGreaterThan(lease.turn.term);
    await turn.release();
  });

  it('is renewed while it is held', async () => {
    const [one, two] = [await opened(), await opened()];
    // So long that a pause of this process does not end it.
    const lastsMs = 6_000;
    const lease = await one.acquireLease({ holder: 'one', signal, lastsMs });
    const database = new SqliteDatabase(join(folder, 'vitrine.db'));
    const endsAt = () => database.number('select expires_at from lease');
    const first = endsAt();
    while (endsAt() === first) await sleep(50);
    database.close();
    await expect(two.acquireLease({ holder: 'two', signal, waitMs: 0, lastsMs })).rejects.toThrow(LeaseInUseError);
    expect(lease.lost.aborted).toBe(false);
    await lease.release();
  });

  it('fences writes: none of a turn that is over is stored, and those without a lease still are', async () => {
    const [one, two] = [await opened(), await opened()];
    const lease = await one.acquireLease({ holder: 'one', signal });
    const writer = one.writerUnder(lease);
    await writer.put(commit('1'), context);
    // The same holder starts another turn, as after a pause in which the lease expired.
    const next = await two.acquireLease({ holder: 'one', signal });
    await expect(writer.put(commit('2'), context)).rejects.toThrow(LostLeaseError);
    await expect(writer.remove(commit('1'), context)).rejects.toThrow(LostLeaseError);
    await two.writerUnder(next).put(commit('3'), context);
    await one.writer.put(commit('4'), context);
    expect([...(await two.collection.commitBranches('acme/widget', context)).keys()].map((sha) => sha[0]).sort()).toEqual(['1', '3', '4']);
    expect([await lease.isHeld(), lease.lost.aborted, await next.isHeld()]).toEqual([false, true, true]);
    await lease.release();
    expect(await next.isHeld()).toBe(true);
    await next.release();
  });

  it('is free after its process has died, and if the clock was set back meanwhile', async () => {
    const [one, two] = [await opened(), await opened()];
    await one.acquireLease({ holder: 'one', signal, lastsMs: 60_000 });
    const lease = await two.acquireLease({ holder: 'two', signal, lastsMs: 100, waitMs: 0 });
    expect(lease.turn.holder).toBe('two');
    await lease.release();
  });

  it('ends waiting when the signal aborts', async () => {
    const [one, two] = [await opened(), await opened()];
    const lease = await one.acquireLease({ holder: 'one', signal });
    const controller = new AbortController();
    const waiting = two.acquireLease({ holder: 'two', signal: controller.signal, onWaiting: () => controller.abort() });
    await expect(waiting).rejects.toThrow('abort');
    await lease.release();
  });
});
