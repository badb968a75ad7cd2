import fc from 'fast-check';
import { pauseAfter } from './back-off.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After failures in a row of a remote source that has succeeded before. */
const after = (intervalMs: number, count: number, error: unknown, chance: number) =>
  pauseAfter(intervalMs, { count, isNew: false, isRemote: true }, error, chance);
const afterFirst = (intervalMs: number, count: number, isRemote = true) => pauseAfter(intervalMs, { count, isNew: true, isRemote }, null, 0);

describe('pauseAfter', () => {
  it('is the interval after a success and after the first failure', () => {
    expect([after(MINUTE, 0, null, 1), after(MINUTE, 1, new Error('no'), 1)]).toEqual([MINUTE, MINUTE]);
  });

  it('doubles with each further failure, up to an hour', () => {
    const pauses = [2, 3, 4, 5, 6, 7, 8, 100].map((failures) => after(MINUTE, failures, null, 0) / MINUTE);
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('leaves intervals of more than an hour as they are', () => {
    expect(after(8 * HOUR, 5, null, 0)).toBe(8 * HOUR);
  });

  it('is shortened by chance, so that sources that failed together are not tried together', () => {
    expect(after(MINUTE, 3, null, 1)).toBe(4 * 0.8 * MINUTE);
  });

  it('waits as long as the server asks, up to a day', () => {
    expect(after(MINUTE, 1, { retryAfterMs: 10 * MINUTE }, 0)).toBe(10 * MINUTE);
    expect(after(MINUTE, 1, { retryAfterMs: 1_000 }, 0)).toBe(MINUTE);
    expect(after(MINUTE, 1, { retryAfterMs: 1_000 * HOUR }, 0)).toBe(24 * HOUR);
    expect(after(MINUTE, 1, { retryAfterMs: Number.NaN }, 0)).toBe(MINUTE);
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
          const pause = after(intervalMs, failures, { retryAfterMs }, chance);
          expect(pause).toBeGreaterThanOrEqual(intervalMs);
          expect(pause).toBeLessThanOrEqual(24 * HOUR);
        },
      ),
    );
  });

  it('is 30 s, 1 min, 2 min and so on up to the interval while a source has never succeeded, and then as for every source', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((count) => afterFirst(5 * MINUTE, count) / MINUTE)).toEqual([0.5, 1, 2, 4, 5, 10, 20]);
    expect([1, 2, 3, 4, 5, 6, 7].map((count) => afterFirst(5 * MINUTE, count, false) / MINUTE)).toEqual([0.5, 1, 2, 4, 5, 5, 5]);
    expect([1, 2].map((count) => afterFirst(10 * SECOND, count, false) / SECOND)).toEqual([10, 10]);
  });

  it('rises from 30 s to the interval for every new source that is not remote, and a fifth longer by chance', () => {
    const times = fc.integer({ min: 1, max: 8 * HOUR });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 100 }), fc.double({ min: 0, max: 1, noNaN: true }), (intervalMs, count, chance) => {
        const pause = pauseAfter(intervalMs, { count, isNew: true, isRemote: false }, null, chance);
        const planned = Math.min(intervalMs, 30 * SECOND * 2 ** (count - 1));
        expect(pause).toBeGreaterThanOrEqual(planned);
        expect(pause).toBeLessThanOrEqual(Math.min(intervalMs, 1.2 * planned));
      }),
    );
  });
});
