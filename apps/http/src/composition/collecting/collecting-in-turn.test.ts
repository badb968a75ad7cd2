import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { LostLeaseError } from '@vitrine/core';
import { pino } from 'pino';
import type { Turn } from '../opened-store.js';
import { CollectingInTurn } from './collect.js';

describe('a process that cannot collect', () => {
  const full = new StoreFolderError('unwritable', '/data', 'The disk is full.');
  const moved = new StoreFolderError('moved', '/data', 'The folder was removed.');
  const newer = new StoreFolderError('newer', '/data', 'A newer version has opened it.');

  it.each([
    ['once if it is not known otherwise', new Error('refused'), ['nothing can be collected; --no-collect serves only']],
    ['not again if the store has told that it is full', full, []],
    ['not again if the store has told that it is gone', moved, []],
    ['not again if the store has told that a newer version has opened it', newer, []],
  ])('logs the reason %s', async (_, error, expected) => {
    const lines: string[] = [];
    const logger = pino({ base: null }, { write: (line: string) => void lines.push((JSON.parse(line) as { readonly msg: string }).msg) });
    const acquire = jest.fn(() => Promise.reject(error));
    const store = { what: 'data folder', connected: Promise.resolve(), acquire, explain: (same: unknown) => same } as const;
    const begin = () => ({ stop: () => Promise.resolve() });
    const collecting = new CollectingInTurn({ store, holder: 'test', begin, logger, print: () => undefined });
    while (acquire.mock.calls.length === 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    await collecting.stop();
    expect(lines).toEqual(expected);
  });

  it('logs why the right to write was lost while it prepared to write, and gives the turn back', async () => {
    const lines: string[] = [];
    const logger = pino(
      { base: null },
      { write: (line: string) => void lines.push((JSON.parse(line) as { readonly err: { readonly message: string } }).err.message) },
    );
    const lost = new AbortController();
    const prepare = () => new Promise<void>(() => lost.abort(new LostLeaseError()));
    const release = jest.fn(() => Promise.resolve());
    const turn: Turn = { writer: null as never, lost: lost.signal, prepare, isHeld: () => Promise.resolve(false), release };
    const store = { what: 'database', connected: Promise.resolve(), acquire: () => Promise.resolve(turn), explain: (same: unknown) => same } as const;
    const begin = jest.fn();
    const collecting = new CollectingInTurn({ store, holder: 'test', begin, logger, print: () => undefined });
    while (lines.length === 0) await new Promise(setImmediate);
    await collecting.stop();
    expect([lines, begin.mock.calls, release.mock.calls.length]).toEqual([[new LostLeaseError().message], [], 1]);
  });
});
