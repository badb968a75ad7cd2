import { approvedSearchContract, noninterferenceContract, searchContract, withIndex, type ContractCase, type OpenStore } from '@vitrine/core/testing';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { indexBeside } from './indexed-store.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };

describe('a search index beside a store', () => {
  const open: OpenStore = async (clock) => withIndex(await openMemoryStore({ clock }), indexBeside);
  const options = { open, context, seed: 20_261_124, runs: torture ? 100 : 1 };

  const keeps = (promises: readonly ContractCase[]): void => {
    it.each(promises)('$name', ({ run }) => run(), torture ? 1_800_000 : 60_000);
  };

  keeps(searchContract(options));
  keeps(approvedSearchContract(options));
  keeps(noninterferenceContract(options));
});
