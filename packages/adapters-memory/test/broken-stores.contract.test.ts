import { storeContract, type OpenStore } from '@vitrine/core/testing';
import { openMemoryStore } from '../src/index.js';
import { BROKEN_ACTIVITY } from './broken/broken-activity.js';
import { BROKEN_CHECKED_DAYS } from './broken/broken-checked-days.js';
import { BROKEN_CHECKS_AND_SEARCH } from './broken/broken-checks-and-search.js';
import { BROKEN_LISTS } from './broken/broken-lists.js';
import { BROKEN_READERS } from './broken/broken-readers.js';
import type { BrokenStore } from './broken/broken-store.js';
import { BROKEN_VOUCHING } from './broken/broken-vouching.js';
import { BROKEN_WRITERS } from './broken/broken-writers.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const SEEDS = Array.from({ length: torture ? 50 : 1 }, (_, index) => index + 1);
const context = { signal: new AbortController().signal };

/** Says that the case which must detect a broken store accepts it; `null` if the case fails as it must. */
async function acceptedBy({ breaks, noticedBy }: BrokenStore, seed: number): Promise<string | null> {
  const open: OpenStore = async (clock) => breaks(await openMemoryStore({ clock }));
  const found = storeContract({ open, context, seed, runs: 1 }).filter(({ name }) => name === noticedBy);
  if (found.length !== 1) return `${String(found.length)} cases are called "${noticedBy}"`;
  const failures = await Promise.all(found.map(({ run }) => run().then(() => null, String)));
  const [failure] = failures;
  if (failure === null || failure === undefined) return `seed ${String(seed)}: "${noticedBy}" passes`;
  return failure.includes(noticedBy) && /expected/.test(failure) ? null : `does not say what it expected: ${failure}`;
}

async function accepted(stores: readonly BrokenStore[]): Promise<string[]> {
  const list: string[] = [];
  for (const store of stores.filter((_, index) => torture || index % 5 === 0)) {
    for (const seed of SEEDS) {
      const why = await acceptedBy(store, seed);
      if (why !== null) list.push(`${store.name}: ${why}`);
    }
  }
  return list;
}

describe('a store that breaks one documented promise', () => {
  it.each([
    ['lists', BROKEN_LISTS, 200],
    ['single records, repositories, services, incidents and sync records', BROKEN_READERS, 100],
    ['checks and search', BROKEN_CHECKS_AND_SEARCH, 50],
    ['what a collector reads of checks', BROKEN_CHECKED_DAYS, 20],
    ['activity', BROKEN_ACTIVITY, 15],
    ['writing', BROKEN_WRITERS, 20],
    ['vouching', BROKEN_VOUCHING, 15],
  ])(
    'fails the case of that promise, with any seed: %s',
    async (_what, stores, least) => {
      expect(stores.length).toBeGreaterThan(least);
      expect(await accepted(stores)).toEqual([]);
    },
    600_000,
  );
});
