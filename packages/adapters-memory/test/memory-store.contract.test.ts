import { storeContract } from '@vitrine/core/testing';
import { openMemoryStore } from '../src/index.js';

const options = {
  open: (clock: Parameters<typeof openMemoryStore>[0]['clock']) => openMemoryStore({ clock }),
  context: { signal: new AbortController().signal },
  seed: 20_261_120,
  runs: process.env['VITRINE_TORTURE'] === '1' ? 500 : 4,
};

describe('the embedded store', () => {
  it.each(storeContract(options))('$name', async ({ run }) => {
    await run();
  });
});
