import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeContract } from '@vitrine/core/testing';
import { LevelRecordLog, openMemoryStore } from '../src/index.js';

const context = { signal: new AbortController().signal };
const runs = process.env['VITRINE_TORTURE'] === '1' ? 50 : 1;

describe('the memory store over a folder', () => {
  let root = '';
  let serial = 0;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'vitrine-store-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const cases = storeContract({
    open: async (clock) => openMemoryStore({ clock, log: await LevelRecordLog.open(join(root, String(serial++))) }),
    context,
    seed: 1_000,
    runs,
  });
  for (const { name, run } of cases) it(name, () => run());
});
