import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, DAY, startOfDay } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import type { OpenSqliteStore } from '../src/index.js';
import { SqliteDatabase } from '../src/database/sqlite-database.js';
import { openLocalStore } from './open-local-store.js';
import { writingProcess } from './writing-processes.js';

const context = { signal: new AbortController().signal };
const isTorture = process.env['VITRINE_TORTURE'] === '1';
const WRITES = isTorture ? 40 : 10;

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-processes-'));
});
afterAll(() => rm(root, { recursive: true }));

async function missing(store: OpenSqliteStore, name: string, last: number): Promise<readonly string[]> {
  const branches = await store.collection.commitBranches('acme/widget', context);
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  const shas = numbers.flatMap((number) =>
    Array.from({ length: 1 + (number % 40) }, (_, index) => `${name}${String(number)}f${String(index)}`.padEnd(40, '0')),
  );
  return shas.filter((sha) => !branches.has(sha));
}

/** The number of all commits, as the stored daily numbers give it. */
async function countedCommits({ readers }: OpenSqliteStore): Promise<number> {
  const query = { from: 0, to: startOfDay(NOW) + DAY - 1 };
  const days = await readers.activity.days(Allowlist.of('acme/widget').approved(), query, context);
  return days.reduce((total, { commits }) => total + commits, 0);
}

function integrityOf(folder: string): string {
  const database = new SqliteDatabase(join(folder, 'vitrine.db'));
  try {
    return String(database.row('pragma integrity_check')?.[0]);
  } finally {
    database.close();
  }
}

/** Of the batch that was not acknowledged there is everything or nothing. */
async function lostNothing(store: OpenSqliteStore, name: string, last: number): Promise<void> {
  expect(last).toBeGreaterThan(0);
  expect(await missing(store, name, last)).toEqual([]);
  const next = await missing(store, name, last + 1);
  expect([0, 1 + ((last + 1) % 40)]).toContain(next.length);
  expect(await countedCommits(store)).toBe((await store.collection.commitBranches('acme/widget', context)).size);
}

describe('processes that share a file', () => {
  it('may all be the first to open it, all write, and lose no acknowledged record if one is killed', async () => {
    const folder = join(root, 'shared');
    const writer = writingProcess('writing-process.ts', folder, 'a', '1', String(WRITES));
    const killed = writingProcess('writing-process.ts', folder, 'b');
    await killed.acknowledged(4);
    const store = await openLocalStore({ clock: { now: () => NOW }, path: folder });
    // A write waits for five seconds, and on a busy machine a process that writes without a pause can have the lock for so long.
    killed.signal('SIGKILL');
    const last = Number(await killed.lastLine);
    for (let number = 1; number <= 10; number++) await store.writer.put([aCommit({ sha: `c${String(number)}`.padEnd(40, '0') })], context);
    expect(await writer.lastLine).toBe(String(WRITES));
    await lostNothing(store, 'b', last);
    expect(await missing(store, 'a', WRITES)).toEqual([]);
    await store.close();
    expect(integrityOf(folder)).toBe('ok');
  });
});

if (isTorture)
  describe('a process that is killed while it writes', () => {
    it('loses no acknowledged record and leaves a file without damage, however often it happens', async () => {
      const folder = join(root, 'killed');
      for (let round = 0; round < 200; round++) {
        const name = String.fromCharCode(97 + (round % 6)) + String(round);
        const writer = writingProcess('writing-process.ts', folder, name);
        await writer.acknowledged(1 + (round % 7) * 3);
        writer.signal('SIGKILL');
        const last = Number(await writer.lastLine);
        const store = await openLocalStore({ clock: { now: () => NOW }, path: folder });
        await lostNothing(store, name, last);
        await store.close();
        if (round % 5 === 0) expect(integrityOf(folder)).toBe('ok');
      }
      expect(integrityOf(folder)).toBe('ok');
    }, 600_000);
  });
