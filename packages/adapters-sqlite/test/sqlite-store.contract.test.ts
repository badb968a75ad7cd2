import { storeContract, type ContractCase, type OpenStore } from '@vitrine/core/testing';
import { openSqliteStore } from '../src/index.js';
import { openLocalStore } from './open-local-store.js';

const isTorture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };

const local: OpenStore = (clock) => openLocalStore({ clock, path: null });
const threaded: OpenStore = (clock) => openSqliteStore({ clock, path: null });

function casesOf(open: OpenStore, runs: number) {
  return storeContract({ open, context, seed: 20_261_123, runs });
}

/** The records of all kinds are read in one way. A normal run takes all promises for one kind, and every eighth one for each other kind. */
const isInSample = ({ name }: ContractCase, index: number): boolean => {
  if (isTorture) return true;
  // `vouchers.contract.test.ts` withdraws as many.
  if (name.includes('works for many records')) return false;
  return !/ (?:list|by id|alone): /.test(name) || name.startsWith('release ') || index % 24 === 0;
};

describe('the SQLite store', () => {
  it.each(casesOf(local, isTorture ? 200 : 1).filter(isInSample))('$name', ({ run }) => run());
});

/** A thread takes a tenth of a second to start, so only those cases run here whose calls run in threads. A normal run takes one of each group. */
const THREADED = ['writing', 'vouching', 'checks', 'search', 'activity', 'a collector'];

describe('the SQLite store with its threads', () => {
  const cases = casesOf(threaded, 1);
  const ofEachGroup = THREADED.flatMap((group) => cases.filter(({ name }) => name.startsWith(group)).filter((_, index) => isTorture || index === 0));
  it.each(ofEachGroup)('$name', ({ run }) => run());
});
