import { changeFeedContract, storeContract, type OpenStore } from '@vitrine/core/testing';
import { openMemoryStore } from '../src/index.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const open: OpenStore = (clock) => openMemoryStore({ clock });

describe('the store in memory', () => {
  it.each(storeContract({ open, context, seed: 20_261_120, runs: torture ? 500 : 1 }))('$name', async ({ run }) => {
    await run();
  });

  it.each(changeFeedContract({ open: (clock) => openMemoryStore({ clock }), context }))('$name', ({ run }) => run());
});
