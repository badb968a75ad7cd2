import { repositoryContract, singleRecordContract, timeListContract, type OpenStore } from '@vitrine/core/testing';
import { openSqliteStore } from '../src/index.js';
import { openLocalStore } from './open-local-store.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };

const local: OpenStore = (clock) => openLocalStore({ clock, path: null });
const threaded: OpenStore = (clock) => openSqliteStore({ clock, path: null });

function casesOf(open: OpenStore, runs: number) {
  const options = { open, context, seed: 20_261_123, runs };
  return [...timeListContract(options), ...singleRecordContract(options), ...repositoryContract(options)];
}

describe('the SQLite store', () => {
  it.each(casesOf(local, torture ? 200 : 2))('$name', ({ run }) => run(), torture ? 600_000 : 20_000);
});

describe('the SQLite store with its threads', () => {
  it.each(casesOf(threaded, 1).filter(({ name }) => name.startsWith('commit') || name.startsWith('repositories')))(
    '$name',
    ({ run }) => run(),
    60_000,
  );
});
