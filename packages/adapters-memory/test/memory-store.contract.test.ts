import { changeFeedContract, followedWritesContract, storeContract } from '@vitrine/core/testing';
import type { Clock } from '@vitrine/core';
import { openMemoryStore } from '../src/index.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const open = (clock: Clock) => openMemoryStore({ clock });

describe('the store in memory', () => {
  it.each(storeContract({ open, context, seed: 20_261_120, runs: torture ? 500 : 1 }))('$name', async ({ run }) => {
    await run();
  });

  it.each(changeFeedContract({ open, context }))('$name', ({ run }) => run());

  it.each(followedWritesContract({ open, context, seed: 20_261_124, runs: torture ? 2_000 : 3 }))('$name', ({ run }) => run(), 600_000);
});
