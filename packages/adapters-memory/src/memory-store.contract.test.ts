import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract, type OpenStore } from '@vitrine/core/testing';
import { LevelRecordLog, openMemoryStore } from './index.js';

const context = { signal: new AbortController().signal };
const runs = Number(process.env['VITRINE_TEST_RUNS'] ?? 6);

function itKeepsTheContract(open: OpenStore, seed: number, count: number): void {
  for (const { name, run } of storeContract({ open, context, seed, runs: count })) it(name, () => run());
}

describe('the memory store without a log', () => {
  itKeepsTheContract((clock) => openMemoryStore({ clock }), 1, runs);
});

describe('the memory store over a folder', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  itKeepsTheContract(
    async (clock) => {
      const folder = await mkdtemp(join(tmpdir(), 'vitrine-store-'));
      folders.push(folder);
      const store = await openMemoryStore({ clock, log: await LevelRecordLog.open(folder) });
      await store.searchReady;
      return store;
    },
    1_000,
    Math.min(runs, 2),
  );
});
