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

it('many calls may wait for one signal, without a warning of Node', async () => {
  const warned: Error[] = [];
  const hear = (warning: Error) => warned.push(warning);
  process.on('warning', hear);
  const { signal } = new AbortController();
  const waiting = Array.from({ length: 30 }, () => untilAborted(signal, () => new Promise((resolve) => setImmediate(resolve))));
  const timed = Array.from({ length: 30 }, () => new TimerDeadlines().run(10_000, signal, () => new Promise((resolve) => setImmediate(resolve))));
  await Promise.all([...waiting, ...timed]);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', hear);
  expect(warned).toEqual([]);
});
