import fc from 'fast-check';
import { pauseAfter } from './back-off.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('pauseAfter', () => {
  it('is the interval after a success and after the first failure', () => {
    expect([pauseAfter(MINUTE, 0, null, 1), pauseAfter(MINUTE, 1, new Error('no'), 1)]).toEqual([MINUTE, MINUTE]);
  });

  it('doubles with each further failure, up to an hour', () => {
    const pauses = [2, 3, 4, 5, 6, 7, 8, 100].map((failures) => pauseAfter(MINUTE, failures, null, 0) / MINUTE);
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('leaves intervals of more than an hour as they are', () => {
    expect(pauseAfter(8 * HOUR, 5, null, 0)).toBe(8 * HOUR);
  });

  it('is shortened by chance, so that sources that failed together are not tried together', () => {
    expect(pauseAfter(MINUTE, 3, null, 1)).toBe(4 * 0.8 * MINUTE);
  });

  it('waits as long as the server asks, up to a day', () => {
    expect(pauseAfter(MINUTE, 1, { retryAfterMs: 10 * MINUTE }, 0)).toBe(10 * MINUTE);
    expect(pauseAfter(MINUTE, 1, { retryAfterMs: 1_000 }, 0)).toBe(MINUTE);
    expect(pauseAfter(MINUTE, 1, { retryAfterMs: 1_000 * HOUR }, 0)).toBe(24 * HOUR);
    expect(pauseAfter(MINUTE, 1, { retryAfterMs: Number.NaN }, 0)).toBe(MINUTE);
  });

  it('is never shorter than the interval, and has a bound', () => {
    const times = fc.integer({ min: 1, max: 8 * HOUR });
    fc.assert(
      fc.property(
        times,
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.integer()),
        (intervalMs, failures, chance, retryAfterMs) => {
          const pause = pauseAfter(intervalMs, failures, { retryAfterMs }, chance);
          expect(pause).toBeGreaterThanOrEqual(intervalMs);
          expect(pause).toBeLessThanOrEqual(24 * HOUR);
        },
      ),
    );
  });
});
