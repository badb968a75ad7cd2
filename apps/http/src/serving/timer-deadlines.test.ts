import { getMaxListeners } from 'node:events';
import { UnavailableError } from '@vitrine/core';
import { TimerDeadlines, untilAborted } from './computations.js';

const never = new AbortController().signal;

describe('TimerDeadlines', () => {
  const deadlines = new TimerDeadlines();

  it('returns what the call returns', async () => {
    await expect(deadlines.run(1_000, never, () => Promise.resolve(7))).resolves.toBe(7);
    await expect(deadlines.run(1_000, never, () => Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('rejects when the time is over, and aborts the signal of the call', async () => {
    let seen: AbortSignal | null = null;
    const call = (signal: AbortSignal): Promise<never> => {
      seen = signal;
      return new Promise(() => undefined);
    };
    await expect(deadlines.run(10, never, call)).rejects.toThrow(UnavailableError);
    expect(seen).toMatchObject({ aborted: true });
  });

  it('rejects when the given signal aborts, before and while the call runs', async () => {
    const controller = new AbortController();
    const running = deadlines.run(1_000, controller.signal, () => new Promise(() => undefined));
    controller.abort();
    await expect(running).rejects.toThrow(UnavailableError);
    await expect(deadlines.run(1_000, controller.signal, () => Promise.resolve(1))).rejects.toThrow(UnavailableError);
  });
});

it.each([
  ['a call with a deadline', (signal: AbortSignal) => new TimerDeadlines().run(10_000, signal, () => Promise.resolve())],
  ['a call that ends with the signal', (signal: AbortSignal) => untilAborted(signal, () => Promise.resolve())],
])('Node does not warn of many listeners of one signal: %s', async (_name, call) => {
  const { signal } = new AbortController();
  expect(getMaxListeners(signal)).toBeLessThan(Infinity);
  await call(signal);
  expect(getMaxListeners(signal)).toBe(Infinity);
});
