import { UnavailableError } from '@vitrine/core';
import { SignalDeadlines } from './answer.js';

const deadlines = new SignalDeadlines();
const idle = new AbortController().signal;
const never = () => new Promise<never>(() => undefined);

describe('SignalDeadlines', () => {
  it('resolves with the result of a call that ends in time', async () => {
    await expect(deadlines.run(1_000, idle, () => Promise.resolve('in time'))).resolves.toBe('in time');
  });

  it('rejects with the error of a call that fails in time', async () => {
    await expect(deadlines.run(1_000, idle, () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
  });

  it('rejects and aborts the call when the time is over, even when the call does not end', async () => {
    let given: AbortSignal | null = null;
    const run = deadlines.run(5, idle, (signal) => {
      given = signal;
      return never();
    });
    await expect(run).rejects.toThrow(UnavailableError);
    expect(given).toMatchObject({ aborted: true });
  });

  it('rejects and aborts the call when the given signal aborts', async () => {
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const run = deadlines.run(60_000, controller.signal, (signal) => {
      signals.push(signal);
      return never();
    });
    controller.abort();
    await expect(run).rejects.toThrow(UnavailableError);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('does not start the call when the given signal has aborted before', async () => {
    let calls = 0;
    const run = deadlines.run(60_000, AbortSignal.abort(), () => Promise.resolve(calls++));
    await expect(run).rejects.toThrow(UnavailableError);
    expect(calls).toBe(0);
  });
});
