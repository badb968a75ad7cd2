import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, formatDate, parseDateTime, startOfDay } from '../kinds/instant.js';
import { aCheck } from '../testing/index.js';
import { NO_CHECKS, coveragePercent, ratedChecks, stateOfDay, tallyOf, uptimeOf, uptimeWindow } from './uptime.js';

const torture = process.env['VITRINE_TORTURE'] === '1';

interface Vectors {
  readonly uptime: readonly { operational: number; degraded: number; outage: number; uptimePercent: number | null; checksTracked: number }[];
  readonly coverage: readonly { coveredMs: number; lengthMs: number; coveragePercent: number | null }[];
}
const vectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/uptime.json'), 'utf8')) as Vectors;

interface WindowVectors {
  readonly windows: readonly { now: string; days: number; from: string; dates: number; firstDate: string; complete: boolean }[];
  readonly checks: readonly { now: string; days: number; checkedAt: string; counts: boolean }[];
}
const windowVectors = JSON.parse(readFileSync(join(__dirname, '../testing/vectors/windows.json'), 'utf8')) as WindowVectors;
const at = (text: string): number => parseDateTime(text) ?? Number.NaN;

const percentOf = (up: number, rated: number): number | null => uptimeOf({ ...NO_CHECKS, operational: up, outage: rated - up }).uptimePercent;

/** The same computation in whole numbers far below 2 ** 53, so that it is exact. In hundredths, half rounded away from zero. */
function exactHundredths(up: number, rated: number): number {
  const twice = 20_000 * up + rated;
  const rounded = (twice - (twice % (2 * rated))) / (2 * rated);
  if (up < rated && rounded === 10_000) return 9_999;
  return up > 0 && rounded === 0 ? 1 : rounded;
}

describe('uptimeOf', () => {
  it.each(vectors.uptime)('gives $uptimePercent for $operational up, $degraded degraded, $outage down', (vector) => {
    const { operational, degraded, outage, uptimePercent, checksTracked } = vector;
    expect(uptimeOf({ ...NO_CHECKS, operational, degraded, outage })).toEqual({ uptimePercent, checksTracked });
  });

  it('ignores maintenance and unknown checks', () => {
    expect(uptimeOf({ ...NO_CHECKS, maintenance: 7, unknown: 9 })).toEqual({ uptimePercent: null, checksTracked: 0 });
    expect(uptimeOf({ operational: 2, degraded: 0, outage: 1, maintenance: 7, unknown: 9 })).toEqual({ uptimePercent: 66.67, checksTracked: 3 });
  });

  it('is exact for every share of many checks, and never flatters', () => {
    const wrong: string[] = [];
    for (let rated = 1; rated <= (torture ? 2_000 : 400); rated++) {
      let last = -1;
      for (let up = 0; up <= rated; up++) {
        const percent = percentOf(up, rated) ?? -1;
        const isRight = percent === exactHundredths(up, rated) / 100 && percent >= last;
        if (!isRight || (percent === 100) !== (up === rated) || (percent === 0) !== (up === 0)) wrong.push(`${up} of ${rated}: ${percent}`);
        last = percent;
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is exact for any number of checks', () => {
    const counts = fc.integer({ min: 1, max: 100_000_000_000 }).chain((rated) => fc.tuple(fc.integer({ min: 0, max: rated }), fc.constant(rated)));
    fc.assert(
      fc.property(counts, ([up, rated]) => percentOf(up, rated) === exactHundredths(up, rated) / 100),
      { numRuns: torture ? 200_000 : 20 },
    );
  });

  it('never falls by one more check that is up, and never rises by one more that is down', () => {
    const counts = fc.tuple(fc.nat({ max: 500_000 }), fc.nat({ max: 500_000 }));
    fc.assert(
      fc.property(counts, ([up, down]) => {
        const before = percentOf(up, up + down);
        return before === null || ((percentOf(up + 1, up + down + 1) ?? -1) >= before && (percentOf(up, up + down + 1) ?? 101) <= before);
      }),
      { numRuns: torture ? 200_000 : 20 },
    );
  });
});

describe('uptimeWindow', () => {
  it.each(windowVectors.windows)('of $days days begins at $from at $now', ({ now, days, from, dates, firstDate, complete }) => {
    const window = uptimeWindow(days, at(now));
    expect(window).toEqual({ from: at(from), to: at(now) });
    expect((startOfDay(window.to) - startOfDay(window.from)) / DAY + 1).toBe(dates);
    expect([formatDate(window.from), startOfDay(window.from) === window.from]).toEqual([firstDate, complete]);
  });

  it.each(windowVectors.checks)('of $days days at $now counts a check at $checkedAt: $counts', ({ now, days, checkedAt, counts }) => {
    const { operational } = tallyOf([aCheck({ checkedAt: at(checkedAt) })], uptimeWindow(days, at(now)), at(now)).counts;
    expect(operational).toBe(counts ? 1 : 0);
  });

  it('touches one date more than it has days, whatever the time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.integer({ min: 1, max: 400 }), (now, days) => {
        const { from, to } = uptimeWindow(days, now);
        expect(Number.isInteger(from / HOUR)).toBe(true);
        expect(to - from - days * DAY).toBeLessThan(60 * MINUTE);
        expect((startOfDay(to) - startOfDay(from)) / DAY).toBe(days);
      }),
    );
  });
});

describe('coveragePercent', () => {
  it.each(vectors.coverage)('gives $coveragePercent for $coveredMs of $lengthMs ms', (vector) => {
    expect(coveragePercent(vector.coveredMs, vector.lengthMs)).toBe(vector.coveragePercent);
  });

  it('is null for a stretch that has not begun', () => {
    expect(coveragePercent(0, -5)).toBeNull();
  });

  it('reads 100 exactly when complete', () => {
    const shares = fc
      .integer({ min: 1, max: 400 * 86_400_000 })
      .chain((length) => fc.tuple(fc.integer({ min: 0, max: length }), fc.constant(length)));
    fc.assert(
      fc.property(shares, ([covered, length]) => (coveragePercent(covered, length) === 100) === (covered === length)),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 2_000 : 20 },
    );
  });
});

describe('stateOfDay', () => {
  it.each([
    ['unknown', {}],
    ['unknown', { unknown: 3 }],
    ['maintenance', { unknown: 3, maintenance: 1 }],
    ['operational', { operational: 1, maintenance: 9, unknown: 9 }],
    ['degraded', { operational: 9, degraded: 1, maintenance: 9 }],
    ['outage', { operational: 9, degraded: 9, outage: 1, maintenance: 9 }],
  ] as const)('is %s for %p', (state, counts) => {
    expect(stateOfDay({ ...NO_CHECKS, ...counts })).toBe(state);
  });
});

describe('ratedChecks', () => {
  it('adds operational, degraded and outage', () => {
    expect(ratedChecks({ operational: 1, degraded: 10, outage: 100, maintenance: 1_000, unknown: 10_000 })).toBe(111);
  });
});
