import { changeFeedContract, followedWritesContract, storeContract, type ContractCase } from '@vitrine/core/testing';
import type { Clock } from '@vitrine/core';
import { openMemoryStore } from '../src/index.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };
const open = (clock: Clock) => openMemoryStore({ clock });

/** The records of all kinds are read in one way. A normal run takes all promises for one kind, and every fifth one for each other kind. */
const isInSample = ({ name }: ContractCase, index: number): boolean =>
  torture || !/ (?:list|by id|alone): /.test(name) || name.startsWith('release ') || index % 5 === 0;

describe('the store in memory', () => {
  it.each(storeContract({ open, context, seed: 20_261_120, runs: torture ? 500 : 1 }).filter(isInSample))('$name', async ({ run }) => {
    await run();
  });

  it.each(changeFeedContract({ open, context }))('$name', ({ run }) => run());

  it.each(followedWritesContract({ open, context, seed: 20_261_124, runs: torture ? 2_000 : 3 }))('$name', ({ run }) => run(), 600_000);
});
