import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { pino } from 'pino';
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
});
