import fc from 'fast-check';
import { EARLIEST_INSTANT, LATEST_INSTANT, REPOSITORY_SEARCH_TIME, SERVICE_SEARCH_TIME } from '@vitrine/core';
import { backwardSecond, firstPlace, TIMELESS_SECOND } from './entry-words.js';

const instants = fc.integer({ min: EARLIEST_INSTANT, max: LATEST_INSTANT });

describe('backwardSecond', () => {
  it('puts a later time first, unless both are in the same second', () => {
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        const order = Math.sign(Math.floor(b / 1_000) - Math.floor(a / 1_000));
        expect(Math.sign(backwardSecond(a) - backwardSecond(b))).toBe(order);
      }),
    );
  });

  it('puts repositories and services before everything else', () => {
    expect([REPOSITORY_SEARCH_TIME, SERVICE_SEARCH_TIME].map(backwardSecond)).toEqual([TIMELESS_SECOND, TIMELESS_SECOND]);
    expect(backwardSecond(LATEST_INSTANT)).toBeGreaterThan(TIMELESS_SECOND);
  });

  it('gives places that SQLite can store', () => {
    expect(firstPlace(backwardSecond(EARLIEST_INSTANT) + 1)).toBeLessThan(2n ** 63n);
  });
});
