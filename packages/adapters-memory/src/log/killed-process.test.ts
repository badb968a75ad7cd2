import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Commit } from '@vitrine/core';
import { aCheck, aCommit, NOW } from '@vitrine/core/testing';
import { LevelRecordLog, openMemoryStore, StoreFolderError } from '../index.js';

const context = { signal: new AbortController().signal };
const rounds = process.env['VITRINE_TORTURE'] === '1' ? 60 : 4;

const program = [
  '-C',
  '@vitrine/source',
  ...['../../../../test/run-typescript.cjs', '../../test/writing-process.ts'].map((file) => resolve(__dirname, file)),
];

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-killed-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs the writing process until it has acknowledged some writes, runs a callback, and kills the process. Returns the last acknowledged number. */
async function killedWhileWriting(
  store: string,
  first: number,
  after: number,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const child = spawn(process.execPath, [...program, store, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  const died = new Promise((done) => child.once('close', done));
  await new Promise<void>((enough) => {
    child.stdout.on('data', (text: Buffer) => {
      told += text.toString();
      if (told.split('\n').length > after) enough();
    });
    child.once('close', () => {
      enough();
    });
  });
  await meanwhile();
  child.kill('SIGKILL');
  await died;
  return Number(told.split('\n').at(-2));
}

describe('a process killed while it writes', () => {
  it('loses no acknowledged record, however often it happens', async () => {
    const store = join(folder, 'store');
    let first = 1;
    for (let round = 0; round < rounds; round++) {
      const last = await killedWhileWriting(store, first, 10 + round * 17);
      expect(last).toBeGreaterThanOrEqual(first);
      const reopened = await openMemoryStore({ clock: { now: () => NOW }, log: await LevelRecordLog.open(store) });
      const branches = await reopened.collection.commitBranches('acme/widget', context);
      const page = await reopened.readers.checks.list(aCheck().serviceKey, { limit: 100_000, after: null, from: null, to: NOW }, context);
      const checked = new Set(page.items.map(({ checkedAt }) => checkedAt));
      for (let number = 1; number <= last; number++) {
        expect(branches.has(`${String(number)}f${String(number % 5)}`.padEnd(40, '0'))).toBe(true);
        expect(checked.has(NOW - number * 1_000)).toBe(true);
      }
      first = last + 2;
      // It is unknown whether the last write was completed. Write it again, so that the next round can expect it.
      await reopened.writer.put(
        [...Array.from({ length: 1 + ((last + 1) % 5) }, (_, index) => commitOf(last + 1, index)), aCheck({ checkedAt: NOW - (last + 1) * 1_000 })],
        context,
      );
      await reopened.close();
    }
  }, 600_000);

  it('locks the folder while it runs, with one clear message, and unlocks it when it has ended', async () => {
    const store = join(folder, 'locked');
    await killedWhileWriting(store, 1, 3, async () => {
      const refused = await LevelRecordLog.open(store).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreFolderError);
      expect(refused).toMatchObject({
        problem: 'in-use',
        message: `The data folder ${store} is in use by another process. Stop that process, or use another folder.`,
      });
    });
    await (await LevelRecordLog.open(store)).close();
  }, 30_000);
});

function commitOf(number: number, index: number): Commit {
  return aCommit({ sha: `${String(number)}f${String(index)}`.padEnd(40, '0') });
}
