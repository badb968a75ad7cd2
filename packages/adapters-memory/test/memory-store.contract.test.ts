import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract, type OpenStore } from '@vitrine/core/testing';
import { LevelRecordLog, openMemoryStore } from '../src/index.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const folders: string[] = [];

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const inMemory: OpenStore = (clock) => openMemoryStore({ clock });

const inFolder: OpenStore = async (clock) => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-store-'));
  folders.push(folder);
  const store = await openMemoryStore({ clock, log: await LevelRecordLog.open(folder) });
  await store.searchReady;
  return store;
};

describe('the embedded store', () => {
  it.each(storeContract({ open: inMemory, context, seed: 20_261_120, runs: torture ? 500 : 2 }))(
    '$name',
    async ({ run }) => {
      await run();
    },
    torture ? 600_000 : 20_000,
  );
});

describe('the embedded store in a folder', () => {
  it.each(storeContract({ open: inFolder, context, seed: 1_000, runs: torture ? 25 : 1 }))(
    '$name',
    async ({ run }) => {
      await run();
    },
    torture ? 600_000 : 20_000,
  );
});
