import { DAY } from '@vitrine/core';
import { weeksOf } from './activity.js';

const FRIDAY = Date.UTC(2026, 10, 20);
const MONDAY = FRIDAY - 4 * DAY;

/** So many days until Friday, on each of which one commit was made, except on the first ones. */
function daysUntilFriday(count: number, quiet = 0) {
  return Array.from({ length: count }, (_, index) => ({
    day: FRIDAY - (count - 1 - index) * DAY,
    commits: index < quiet ? 0 : 1,
    releases: index === count - 1 ? 1 : 0,
  }));
}

describe('weeks of activity', () => {
  it('begin on Mondays with the first activity, and the last one is that of today', () => {
    expect(weeksOf(daysUntilFriday(60, 50), 20)).toEqual([
      { day: MONDAY - 7 * DAY, commits: 5, releases: 0 },
      { day: MONDAY, commits: 5, releases: 1 },
    ]);
  });

  it('are at most as many as asked for', () => {
    expect(weeksOf(daysUntilFriday(365), 26).map(({ commits }) => commits)).toEqual([...Array<number>(25).fill(7), 5]);
  });

  it('are none without activity', () => {
    expect(weeksOf([], 26)).toEqual([]);
    expect(weeksOf([{ day: FRIDAY, commits: 0, releases: 0 }], 26)).toEqual([]);
  });
});
