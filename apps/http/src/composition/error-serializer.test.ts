import { pino } from 'pino';
import { errorForLog } from './logging.js';

describe('errorForLog', () => {
  it('keeps what went wrong and where, and nothing that an error carries with it', () => {
    const cause = Object.assign(new Error('E11000 duplicate key error collection: v.commits index: _id_ dup key: { _id: "acme/secret@1" }'), {
      writeErrors: [{ err: { op: { title: 'secret' } } }],
    });
    const error = Object.assign(new TypeError('it failed for ada@example.org', { cause }), { code: 'ERR_X', input: 'https://h.example/secret' });
    let line = '';
    pino({ serializers: { err: errorForLog } }, { write: (text: string) => (line = text) }).error({ err: error }, 'request failed');
    expect(JSON.parse(line)).toMatchObject({
      err: {
        type: 'TypeError',
        code: 'ERR_X',
        message: 'it failed for : E11000 duplicate key error collection: v.commits index: _id_',
        stack: expect.stringMatching(/^ {4}at .*error-serializer\.test\.ts/) as string,
      },
    });
    expect(line).not.toMatch(/secret|ada@/);
  });

  it('cuts a long message, and takes what is no error', () => {
    expect(errorForLog(new Error('x'.repeat(10_000))).message).toHaveLength(300);
    expect(errorForLog('secret')).toEqual({ type: 'string', message: '', stack: '' });
  });

  it('ends at an error that is its own cause', () => {
    const error = new Error('again');
    error.cause = error;
    expect(errorForLog(error).message).toBe('again: again: again: again');
  });
});
