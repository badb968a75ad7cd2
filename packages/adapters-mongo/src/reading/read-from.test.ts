import { UnavailableError } from '@vitrine/core';
import { MongoNetworkError } from 'mongodb';
import { readFrom } from './mongo-reading.js';

const lost = (): Error => Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });

/** Fails with the given errors, one after the other, and then succeeds. */
function failing(...errors: readonly Error[]) {
  const asked = { times: 0 };
  const operation = (): Promise<string> => {
    const error = errors[asked.times];
    asked.times += 1;
    return error === undefined ? Promise.resolve('read') : Promise.reject(error);
  };
  return { asked, read: (signal = new AbortController().signal) => readFrom({ signal }, 1_000, operation) };
}

describe('a read', () => {
  it('is retried once if its connection was lost before it was sent', async () => {
    expect(await failing(lost()).read()).toBe('read');
  });

  it('is unavailable if that happens twice', async () => {
    const { asked, read } = failing(lost(), lost(), lost());
    await expect(read()).rejects.toThrow(UnavailableError);
    expect(asked.times).toBe(2);
  });

  it('is not retried for a client that has disconnected', async () => {
    const leaving = new AbortController();
    const left = new UnavailableError();
    const asked: unknown[] = [];
    const read = readFrom({ signal: leaving.signal }, 1_000, (options) => {
      asked.push(options);
      leaving.abort(left);
      return Promise.reject(lost());
    });
    await expect(read).rejects.toBe(left);
    expect(asked).toHaveLength(1);
  });

  it('leaves retries of network errors to the driver', async () => {
    const { asked, read } = failing(new MongoNetworkError('reset'));
    await expect(read()).rejects.toThrow(UnavailableError);
    expect(asked.times).toBe(1);
  });

  it('passes on errors that are not about the connection', async () => {
    const wrong = new TypeError('wrong');
    const { asked, read } = failing(wrong);
    await expect(read()).rejects.toBe(wrong);
    expect(asked.times).toBe(1);
  });
});
