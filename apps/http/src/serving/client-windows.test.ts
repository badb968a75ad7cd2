import { StandingClock } from '@vitrine/core/testing';
import fc from 'fast-check';
import { ClientWindows } from './rate-limiter.js';

const START = 5_000;

function opened(most = 1_000) {
  const clock = new StandingClock(START);
  return { clock, limiter: new ClientWindows({ name: 'requests', points: 3, seconds: 60, most, clock }) };
}

describe('the windows of clients', () => {
  it('count each client for itself, from its first request until the window ends', () => {
    const { clock, limiter } = opened();
    const state = (client: string) => {
      const { consumedPoints, remainingPoints, msBeforeNext, isFirstInDuration } = limiter.take(client);
      return [consumedPoints, remainingPoints, msBeforeNext, isFirstInDuration];
    };
    expect(state('a')).toEqual([1, 2, 60_000, true]);
    clock.set(START + 20_000);
    expect(state('a')).toEqual([2, 1, 40_000, false]);
    expect(state('b')).toEqual([1, 2, 60_000, true]);
    clock.set(START + 59_999);
    expect(state('a')).toEqual([3, 0, 1, false]);
    expect(state('a')).toEqual([4, 0, 1, false]);
    clock.set(START + 60_000);
    expect(state('a')).toEqual([1, 2, 60_000, true]);
    expect(state('b')).toEqual([2, 1, 20_000, false]);
  });

  it('never last longer than a minute, also if the clock tells parts of milliseconds', () => {
    const { clock, limiter } = opened();
    clock.set(START + 0.25);
    expect(limiter.take('a').msBeforeNext).toBeLessThanOrEqual(60_000);
    clock.set(START + 60_000);
    expect(limiter.take('a').consumedPoints).toBe(1);
  });

  it('count as a model does that remembers every request', () => {
    const requests = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 30_000 })), { maxLength: 60 });
    fc.assert(
      fc.property(requests, (all) => {
        const { clock, limiter } = opened();
        const startOf = new Map<string, number>();
        const counts = new Map<string, number>();
        for (const [client, pauseMs] of all) {
          clock.set(clock.now() + pauseMs);
          const isNew = clock.now() - (startOf.get(client) ?? -Infinity) >= 60_000;
          if (isNew) startOf.set(client, clock.now());
          counts.set(client, isNew ? 1 : (counts.get(client) ?? 0) + 1);
          expect(limiter.take(client).consumedPoints).toBe(counts.get(client));
        }
      }),
    );
  });

  it('are the same for the methods of the library', async () => {
    const { clock, limiter } = opened();
    expect((await limiter.consume('a')).remainingPoints).toBe(2);
    expect(limiter.take('a').remainingPoints).toBe(1);
    expect((await limiter.consume('a')).remainingPoints).toBe(0);
    await expect(limiter.consume('a')).rejects.toMatchObject({ consumedPoints: 4, remainingPoints: 0, msBeforeNext: 60_000 });
    expect(limiter.take('a').consumedPoints).toBe(5);
    await limiter.block('a', 120);
    clock.set(START + 119_999);
    expect(limiter.take('a').consumedPoints).toBeGreaterThan(3);
    expect(await limiter.delete('a')).toBe(true);
    expect(limiter.take('a').consumedPoints).toBe(1);
  });

  it('are at most as many as allowed, and the least recently used one is dropped first', () => {
    const { limiter } = opened(100);
    for (let serial = 0; serial < 1_000; serial++) {
      limiter.take(`client ${String(serial)}`);
      if (serial % 50 === 0) limiter.take('busy');
    }
    expect(limiter.size).toBe(100);
    expect(limiter.take('busy').consumedPoints).toBe(21);
    expect(limiter.take('client 999').consumedPoints).toBe(2);
    expect(limiter.take('client 899').consumedPoints).toBe(1);
  });
});
