import { GitError } from '@vitrine/collector';
import { NO_REPOSITORY } from '@vitrine/core';
import { pino } from 'pino';
import { SourceLog } from './collect.js';

const source = { id: 'git acme/widget', intervalMs: 1_000, run: () => Promise.reject(new Error('not called')) };
const report = (...warnings: readonly string[]) => ({ stored: 0, unchanged: 0, removed: 0, warnings });

function recorded() {
  const lines: unknown[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const log = new SourceLog(logger, () => undefined);
  return { log, lines };
}

describe('SourceLog', () => {
  it('logs each run that stores or removes records, and no other run', () => {
    const { log, lines } = recorded();
    for (const counts of [{ stored: 2 }, {}, { unchanged: 4 }, { removed: 1 }]) log.collected(source, { ...report(), ...counts });
    const common = { level: 30, source: source.id, msg: 'collected' };
    expect(lines).toEqual([
      { ...common, stored: 2, unchanged: 0, removed: 0, skipped: 0 },
      { ...common, stored: 0, unchanged: 0, removed: 1, skipped: 0 },
    ]);
  });

  it('logs what a run has to say', () => {
    const { log, lines } = recorded();
    log.collected(source, { ...report(), notices: ['acme/widget is new', 'acme/gadget is gone'] });
    expect(lines).toMatchObject([
      { level: 30, source: source.id, msg: 'acme/widget is new' },
      { level: 30, source: source.id, msg: 'acme/gadget is gone' },
    ]);
  });

  it('logs no line for each check of a probe', () => {
    const { log, lines } = recorded();
    const probe = { id: 'probe:a', sourceType: 'probe', label: 'a', repositoryRef: NO_REPOSITORY, feeds: ['check'] } as const;
    log.collected({ ...source, registration: probe }, { ...report(), stored: 1 });
    expect(lines).toEqual([]);
  });

  it('logs a failure that lasts once, another reason, and the end', () => {
    const { log, lines } = recorded();
    for (let run = 0; run < 100; run++) log.failed(source, new GitError('the remote is away'));
    log.failed(source, new GitError('the password is wrong'));
    log.collected(source, report());
    log.collected(source, report());
    expect(lines).toMatchObject([
      { level: 40, source: source.id, problem: 'the remote is away' },
      { level: 40, problem: 'the password is wrong' },
      { level: 30, source: source.id, msg: 'the source is collected again' },
    ]);
  });

  it('logs a warning that lasts once, those that join it, and the end of each', () => {
    const { log, lines } = recorded();
    for (let run = 0; run < 100; run++) log.collected(source, report('the clone is shallow'));
    log.collected(source, report('the clone is shallow', 'a tag was left out'));
    log.collected(source, report('the clone is shallow'));
    for (let run = 0; run < 100; run++) log.collected(source, report());
    log.collected(source, report('the clone is shallow'));
    const [shallow, tag] = [{ warning: 'the clone is shallow' }, { warning: 'a tag was left out' }];
    expect(lines).toMatchObject([
      { level: 40, ...shallow },
      { level: 40, ...tag },
      { level: 30, ...tag, msg: 'this warning is over' },
      { level: 30, ...shallow, msg: 'this warning is over' },
      { level: 40, ...shallow },
    ]);
  });
});
