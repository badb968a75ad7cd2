import { pino } from 'pino';
import { LoggingQuarantineMonitor } from './logging-quarantine-monitor.js';

describe('LoggingQuarantineMonitor', () => {
  it('logs each kind and reason at once, then once a minute with all that were counted', () => {
    let now = 0;
    const lines: unknown[] = [];
    const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const monitor = new LoggingQuarantineMonitor({ now: () => now }, logger);
    for (let at = 0; at <= 61_000; at += 1_000) {
      now = at;
      monitor.quarantined('commit', `c${String(at)}`, 'committedAt: wrong');
    }
    monitor.quarantined('commit', 'd', 'title: missing');
    monitor.quarantined('search-block', 'e', 'title: missing');
    expect(lines).toMatchObject([
      { level: 40, kind: 'commit', id: 'c0', reason: 'committedAt: wrong', total: 1 },
      { kind: 'commit', id: 'c60000', reason: 'committedAt: wrong', total: 61 },
      { kind: 'commit', id: 'd', reason: 'title: missing', total: 1 },
      { kind: 'search-block', id: 'e', reason: 'title: missing', total: 1 },
    ]);
  });
});
