import { storeContract, type OpenStore } from '@vitrine/core/testing';
import { openSqliteStore } from '../src/index.js';
import { openLocalStore } from './open-local-store.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };

const local: OpenStore = (clock) => openLocalStore({ clock, path: null });
const threaded: OpenStore = (clock) => openSqliteStore({ clock, path: null });

function casesOf(open: OpenStore, runs: number) {
  return storeContract({ open, context, seed: 20_261_123, runs });
}

describe('the SQLite store', () => {
  it.each(casesOf(local, torture ? 200 : 1))('$name', ({ run }) => run(), torture ? 600_000 : 20_000);
});

/** A thread takes a tenth of a second to start, so only the cases run here whose calls run in threads. Lists and single records are read in the calling thread. */
const THREADED = /^(writing|vouching|checks|search|activity|a collector)/;

describe('the SQLite store with its threads', () => {
  it.each(casesOf(threaded, 1).filter(({ name }) => THREADED.test(name)))('$name', ({ run }) => run(), 60_000);
});
