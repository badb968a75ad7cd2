import { pino } from 'pino';
import { errorForLog, readableLog } from './logging.js';

function logged(hasColors: boolean, log: (logger: pino.Logger) => void): readonly string[] {
  const lines: string[] = [];
  const destination = readableLog({ write: (line) => void lines.push(line) }, hasColors);
  log(pino({ base: null, serializers: { err: errorForLog } }, destination));
  return lines;
}

describe('a readable log', () => {
  it('is one line for each event, with its time, level, message and fields', () => {
    const lines = logged(false, (logger) => {
      logger.warn({ source: 'git acme/widget', problem: 'the remote is away' }, 'a source could not be collected');
      logger.info('the allowlist has changed');
    });
    expect(lines).toEqual([
      expect.stringMatching(
        /^\[\d\d:\d\d:\d\d\] WARN: a source could not be collected \{"source":"git acme\/widget","problem":"the remote is away"\}\n$/,
      ),
      expect.stringMatching(/^\[\d\d:\d\d:\d\d\] INFO: the allowlist has changed\n$/),
    ]);
  });

  it('keeps an error with its trace, and any control character of a field, on that line', () => {
    const [line = ''] = logged(false, (logger) => {
      logger.error({ err: new Error('broken'), path: 'a\nb\u001b[31m' }, 'request failed');
    });
    expect(line).toMatch(/^\[.{8}\] ERROR: request failed \{.*"message":"broken".*"stack":"    at .*\}\n$/);
    expect(line).toContain('a\\nb\\u001b[31m');
  });

  it('has colours only where they are wanted', () => {
    const lineOf = (hasColors: boolean) => logged(hasColors, (logger) => logger.info('connected to MongoDB')).join('');
    expect([lineOf(true), lineOf(false)].map((line) => line.includes('\u001b['))).toEqual([true, false]);
  });
});
