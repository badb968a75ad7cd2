import { DAY } from '@vitrine/core';
import { pino } from 'pino';
import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { clockLog, writableLog } from './store-log.js';

function logged(log: (logger: pino.Logger) => void): { level: number; problem?: string; hours?: number; msg: string } {
  const lines: string[] = [];
  log(pino({ base: null }, { write: (line: string) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as ReturnType<typeof logged>;
}

describe('the log of a store', () => {
  it('has an error when the store cannot be written, and a note when it can again', () => {
    const full = new StoreFolderError('unwritable', '/data', 'The disk is full.');
    const { level, problem, msg } = logged((logger) => {
      writableLog(logger)(false, full);
    });
    expect([level, problem]).toEqual([50, 'The disk is full.']);
    expect(msg).toContain('cannot be written');
    const again = logged((logger) => {
      writableLog(logger)(true, null);
    });
    expect(again).toMatchObject({ level: 30, msg: 'the store can be written again' });
  });

  it.each([
    ['jump', 'jumped'],
    ['start', 'ahead of the newest stored checks'],
  ] as const)('warns of a clock that is in doubt: %s', (reason, words) => {
    const { level, hours, msg } = logged((logger) => {
      clockLog(logger)({ reason, by: 10 * DAY });
    });
    expect([level, hours]).toEqual([40, 240]);
    expect(msg).toContain(words);
    expect(msg).toContain('no raw checks are deleted for a day');
  });
});
