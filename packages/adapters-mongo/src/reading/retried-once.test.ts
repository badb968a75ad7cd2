import { MongoNetworkError, MongoServerError } from 'mongodb';
import { retriedOnce } from './find-documents.js';

const steppedDown = new MongoServerError({ message: 'stepped down', code: 189 });
const badHint = new MongoServerError({ message: 'bad hint', code: 2 });

/** A read that fails with each of these errors, and then succeeds. */
function failing(...errors: readonly Error[]) {
  const calls = { count: 0 };
  const read = (): Promise<string> => {
    const error = errors[calls.count++];
    return error === undefined ? Promise.resolve('read') : Promise.reject(error);
  };
  return { calls, read };
}

describe('a read that is retried once', () => {
  it.each([
    ['a lost connection', new MongoNetworkError('lost')],
    ['a primary that steps down', steppedDown],
  ])('succeeds after %s', async (_, error) => {
    const { calls, read } = failing(error);
    await expect(retriedOnce(undefined, read)).resolves.toBe('read');
    expect(calls.count).toBe(2);
  });

  it('is not retried a second time', async () => {
    const { calls, read } = failing(steppedDown, steppedDown);
    await expect(retriedOnce(undefined, read)).rejects.toBe(steppedDown);
    expect(calls.count).toBe(2);
  });

  it.each([
    ['an error of the query', badHint],
    ['an error that is not of the driver', new TypeError('wrong')],
  ])('is not retried after %s', async (_, error) => {
    const { calls, read } = failing(error);
    await expect(retriedOnce(undefined, read)).rejects.toBe(error);
    expect(calls.count).toBe(1);
  });

  it('is not retried for a client that has left', async () => {
    const { calls, read } = failing(steppedDown);
    const reason = new Error('left');
    await expect(retriedOnce(AbortSignal.abort(reason), read)).rejects.toBe(reason);
    expect(calls.count).toBe(1);
  });
});
