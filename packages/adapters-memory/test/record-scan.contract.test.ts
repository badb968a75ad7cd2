import { recordScanContract } from '@vitrine/core/testing';
import { openMemoryStore } from '../src/index.js';

const context = { signal: new AbortController().signal };
const runs = process.env['VITRINE_TORTURE'] === '1' ? 200 : 3;

describe('the scan of records in memory', () => {
  const open = (clock: { readonly now: () => number }) => openMemoryStore({ clock: { now: () => clock.now(), elapsed: () => 0 } });

  it.each(recordScanContract({ open, context, seed: 20_261_124, runs }))('$name', ({ run }) => run(), 600_000);
});
