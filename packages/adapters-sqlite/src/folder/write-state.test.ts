import { MINUTE } from '@vitrine/core';
import { folderError, folderProblemOf, type StoreFolderError } from './store-folder-error.js';
import { WriteState } from './write-state.js';

const FILE = '/data/vitrine.db';

function problemOf(code: string): StoreFolderError | null {
  return folderProblemOf(Object.assign(new Error('no'), { name: 'SqliteError', code }), FILE);
}

describe('the state of a store after its writes', () => {
  let free: number | null;
  let now: number;
  let events: string[];
  let state: WriteState;

  beforeEach(() => {
    [free, now, events] = [0, 0, []];
    const onChange = (problem: StoreFolderError | null) => events.push(problem?.problem ?? 'ready');
    state = new WriteState({ free: () => free, elapsed: () => now, onChange });
  });

  it('is reported once while large writes fail and small ones succeed on a full disk', () => {
    for (let run = 0; run < 20; run++) {
      state.ended(problemOf('SQLITE_FULL'));
      now += MINUTE;
      state.ended(null);
      // Other programs also use the disk.
      free = (run % 5) * 4_096;
    }
    expect(events).toEqual(['unwritable']);
    free = 2_000_000;
    state.ended(null);
    expect(events).toEqual(['unwritable', 'ready']);
  });

  it('is good again if no write has failed for long although no space was freed', () => {
    state.ended(problemOf('SQLITE_FULL'));
    for (let minute = 1; minute <= 11; minute++) {
      now = minute * MINUTE;
      state.ended(null);
    }
    expect(events).toEqual(['unwritable', 'ready']);
  });

  it.each(['SQLITE_IOERR_WRITE', 'SQLITE_READONLY'])('is good again after the next write that succeeds after %s', (code) => {
    state.ended(problemOf(code));
    state.ended(null);
    expect(events).toEqual(['unwritable', 'ready']);
  });

  it('is good again after the next write if the free space is unknown', () => {
    free = null;
    state.ended(problemOf('SQLITE_FULL'));
    state.ended(null);
    expect(events).toEqual(['unwritable', 'ready']);
  });

  it('stays as it is after an error that says nothing about the disk, and changes if the files were moved', () => {
    state.ended(new Error('a record is invalid'));
    expect([state.problem, events]).toEqual([null, []]);
    state.ended(problemOf('SQLITE_FULL'));
    state.ended(folderError('moved', '/data'));
    state.ended(null);
    expect(events).toEqual(['unwritable', 'moved', 'ready']);
  });
});
