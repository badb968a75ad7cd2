import { StandingClock } from '@vitrine/core/testing';
import fc from 'fast-check';
import { ClientWindows } from './rate-limiter.js';

const START = 5_000;

function opened(most = 1_000) {
  const clock = new StandingClock(START);
  return { clock, limiter: new ClientWindows({ name: 'requests', whose: 'client', limit: 3, most, clock }) };
}

describe('the windows of clients', () => {
  it('count each client for itself, from its first request until the window ends', () => {
    const { clock, limiter } = opened();
    const state = (client: string) => {
      const { consumed, remaining, resetSeconds } = limiter.take(client);
      return [consumed, remaining, resetSeconds];
    };
    expect(state('a')).toEqual([1, 2, 60]);
    clock.set(START + 20_000);
    expect(state('a')).toEqual([2, 1, 40]);
    expect(state('b')).toEqual([1, 2, 60]);
    clock.set(START + 59_999);
    expect(state('a')).toEqual([3, 0, 1]);
    expect(state('a')).toEqual([4, 0, 1]);
    clock.set(START + 60_000);
    expect(state('a')).toEqual([1, 2, 60]);
    expect(state('b')).toEqual([2, 1, 20]);
  });

  it('never last longer than a minute, also if the clock tells parts of milliseconds', () => {
    const { clock, limiter } = opened();
    clock.set(START + 0.25);
    expect(limiter.take('a').resetSeconds).toBeLessThanOrEqual(60);
    clock.set(START + 60_000);
    expect(limiter.take('a').consumed).toBe(1);
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
          expect(limiter.take(client).consumed).toBe(counts.get(client));
        }
      }),
    );
  });

  it('are at most as many as allowed, and the least recently used one is dropped first', () => {
    const { limiter } = opened(100);
    for (let serial = 0; serial < 1_000; serial++) {
      limiter.take(`client ${String(serial)}`);
      if (serial % 50 === 0) limiter.take('busy');
    }
    expect(limiter.size).toBe(100);
    expect(limiter.take('busy').consumed).toBe(21);
    expect(limiter.take('client 999').consumed).toBe(2);
    expect(limiter.take('client 899').consumed).toBe(1);
  });
});
