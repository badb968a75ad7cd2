import { HOUR, MINUTE } from '@vitrine/core';
import { pino } from 'pino';
import { LoggingQuarantineMonitor } from './store-log.js';

describe('LoggingQuarantineMonitor', () => {
  let lines: unknown[];
  let monitor: LoggingQuarantineMonitor;
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    lines = [];
    const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
    monitor = new LoggingQuarantineMonitor(logger);
  });
  afterEach(() => jest.useRealTimers());

  it('logs a document that lasts once, another one and another reason', () => {
    for (let minute = 0; minute < 600; minute++) {
      monitor.quarantined('commit', 'c', 'committedAt: wrong');
      jest.advanceTimersByTime(MINUTE);
    }
    monitor.quarantined('commit', 'd', 'committedAt: wrong');
    monitor.quarantined('commit', 'd', 'title: missing');
    monitor.quarantined('mission', 'd', 'title: missing');
    expect(lines).toMatchObject([
      { level: 40, kind: 'commit', id: 'c', reason: 'committedAt: wrong' },
      { level: 40, kind: 'commit', id: 'd', reason: 'committedAt: wrong' },
      { level: 40, kind: 'commit', id: 'd', reason: 'title: missing' },
      { level: 40, kind: 'mission', id: 'd', reason: 'title: missing' },
    ]);
  });

  it('logs that a problem is over once no reader has met it for an hour, and when it begins again', () => {
    monitor.quarantined('commit', 'c', 'title: missing');
    monitor.quarantined('release', 'r', 'title: missing');
    jest.advanceTimersByTime(HOUR - MINUTE);
    monitor.quarantined('release', 'r', 'title: missing');
    jest.advanceTimersByTime(MINUTE);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toEqual({ level: 30, kind: 'commit', reason: 'title: missing', documents: 1, msg: expect.stringContaining('for an hour') });
    jest.advanceTimersByTime(2 * HOUR);
    expect(lines[3]).toMatchObject({ level: 30, kind: 'release' });
    monitor.quarantined('commit', 'c', 'title: missing');
    expect(lines.slice(4)).toMatchObject([{ level: 40, kind: 'commit', id: 'c' }]);
    expect(jest.getTimerCount()).toBe(1);
  });

  it('logs twenty documents with one problem, and that there are more', () => {
    for (let id = 0; id < 10_000; id++) monitor.quarantined('commit', String(id), 'title: missing');
    expect(lines).toHaveLength(20);
    expect(lines[19]).toMatchObject({ msg: expect.stringContaining('further documents with this problem are not logged') });
  });
});
