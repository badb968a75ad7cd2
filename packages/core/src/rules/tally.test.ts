import fc from 'fast-check';
import { type Check, MIN_VALIDITY_MS, SERVICE_STATES, type ServiceState } from '../kinds/check.js';
import { DAY, MINUTE, SECOND, startOfDay } from '../kinds/instant.js';
import type { Carry, Tally, Window } from '../kinds/status-day.js';
import { NOW, Random, aCheck, aProvenance } from '../testing/index.js';
import { NOTHING_CARRIED } from './timeline.js';
import {
  NO_CHECKS,
  NO_TALLY,
  TallyBuilder,
  compareDuplicates,
  countedAt,
  coveragePercent,
  mergeTallies,
  ratedChecks,
  tallyOf,
  tallyOfPeriod,
  uptimeOf,
} from './uptime.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const RUNS = torture ? 20_000 : 20;

interface Drawn {
  readonly at: number;
  readonly state: ServiceState;
  readonly validFor: number;
  readonly ms: number | null;
  readonly source: string;
}

const toCheck = ({ at, state, validFor, ms, source }: Drawn): Check =>
  aCheck({ checkedAt: at, state, validForMs: validFor, responseTimeMs: ms, rawState: state, provenance: aProvenance({ source }) });

/** A window from 20 to 80 in a timeline of 100 milliseconds, so that a test can count the covered milliseconds one by one. */
const SMALL: Window = { from: 20, to: 80 };
const smallCheck = fc.record<Drawn>({
  at: fc.integer({ min: 0, max: 99 }),
  state: fc.constantFrom(...SERVICE_STATES),
  validFor: fc.integer({ min: 1, max: 30 }),
  ms: fc.option(fc.integer({ min: 0, max: 5_000 })),
  source: fc.constantFrom('a', 'b'),
});
const smallChecks = fc.array(smallCheck.map(toCheck), { maxLength: 40 });

function standing(checks: readonly Check[]): Check[] {
  return checks.filter(
    (check, index) =>
      !checks.some((other, otherIndex) => {
        const isSame = other.checkedAt === check.checkedAt && other.provenance.source === check.provenance.source;
        const order = compareDuplicates(other, check);
        return isSame && otherIndex !== index && (order > 0 || (order === 0 && otherIndex < index));
      }),
  );
}

/** Counts a small timeline millisecond by millisecond. */
function bruteForce(checks: readonly Check[], window: Window): Tally['counts'] & { coveredMs: number } {
  const counts = { ...NO_CHECKS };
  const kept = standing(checks);
  for (const { checkedAt, state } of kept) if (checkedAt >= window.from && checkedAt <= window.to) counts[state] += 1;
  let coveredMs = 0;
  for (let ms = window.from; ms < window.to; ms++) {
    if (kept.some(({ checkedAt, state, validForMs }) => state !== 'unknown' && checkedAt <= ms && ms < checkedAt + validForMs)) coveredMs += 1;
  }
  return { ...counts, coveredMs };
}

const flat = ({ counts, coveredMs }: Tally) => ({ ...counts, coveredMs });

describe('tallyOf', () => {
  it('agrees with a timeline counted by hand', () => {
    fc.assert(
      fc.property(smallChecks, (checks) => {
        expect(flat(tallyOf(checks, SMALL, 1_000))).toEqual(bruteForce(checks, SMALL));
      }),
      { numRuns: torture ? 200_000 : 20 },
    );
  });

  it('gives the same for every order, and for every check given twice', () => {
    fc.assert(
      fc.property(smallChecks, fc.integer(), (checks, seed) => {
        const shuffled = new Random(seed).shuffled([...checks, ...checks]);
        expect(tallyOf(shuffled, SMALL, 1_000)).toEqual(tallyOf(checks, SMALL, 1_000));
      }),
      { numRuns: RUNS },
    );
  });

  it('gives the same for lists that are joined, however they were split', () => {
    fc.assert(
      fc.property(smallChecks, smallChecks, (left, right) => {
        expect(tallyOf([...right, ...left], SMALL, 1_000)).toEqual(tallyOf([...left, ...right], SMALL, 1_000));
      }),
      { numRuns: RUNS },
    );
  });

  it('does not change when all times and now are shifted together', () => {
    fc.assert(
      fc.property(smallChecks, fc.integer({ min: -4_000_000, max: 4_000_000 }), (checks, shift) => {
        const shifted = checks.map((check) => ({ ...check, checkedAt: check.checkedAt + shift }));
        const window = { from: SMALL.from + shift, to: SMALL.to + shift };
        const tally = tallyOf(checks, SMALL, 1_000);
        const changedAt = tally.changedAt === null ? null : tally.changedAt + shift;
        expect(tallyOf(shifted, window, 1_000 + shift)).toEqual({ ...tally, changedAt });
      }),
      { numRuns: RUNS },
    );
  });

  it('counts nothing but coverage for maintenance, unknown and checks outside the window', () => {
    fc.assert(
      fc.property(smallChecks, smallCheck, (checks, drawn) => {
        const silent = toCheck({ ...drawn, source: 'c', state: drawn.at >= 20 && drawn.at <= 80 ? 'maintenance' : drawn.state });
        const before = tallyOf(checks, SMALL, 1_000);
        const after = tallyOf([...checks, silent], SMALL, 1_000);
        expect(uptimeOf(after.counts)).toEqual(uptimeOf(before.counts));
        expect(after.latency).toEqual(before.latency);
        expect(after.coveredMs).toBeGreaterThanOrEqual(before.coveredMs);
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps both checks of one time from two sources', () => {
    const checks = ['a', 'b'].map((source) => aCheck({ provenance: aProvenance({ source }) }));
    expect(ratedChecks(tallyOf(checks, { from: NOW - DAY, to: NOW }, NOW).counts)).toBe(2);
  });

  it('counts an outage once, whichever of unknown, operational and outage was stored first', () => {
    const checks = (['unknown', 'operational', 'outage'] as const).map((state) => aCheck({ state }));
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    for (const order of orders) {
      const ordered = order.flatMap((index) => checks[index] ?? []);
      expect(tallyOf(ordered, { from: NOW - DAY, to: NOW }, NOW).counts).toEqual({ ...NO_CHECKS, outage: 1 });
    }
  });

  it.each([
    ['at exactly now', NOW, 1],
    ['at now - 90 days', NOW - 90 * DAY, 1],
    ['one millisecond earlier', NOW - 90 * DAY - 1, 0],
    ['30 s ahead of now', NOW + 30 * SECOND, 1],
    ['60 s ahead of now', NOW + 60 * SECOND, 1],
    ['one millisecond later', NOW + 60 * SECOND + 1, 0],
    ['2 minutes ahead of now', NOW + 2 * MINUTE, 0],
  ])('counts a check %s: %#', (_, checkedAt, counted) => {
    const { counts, coveredMs } = tallyOf([aCheck({ checkedAt })], { from: NOW - 90 * DAY, to: NOW }, NOW);
    expect(counts.operational).toBe(counted);
    expect(coveredMs).toBe(checkedAt >= NOW || checkedAt + MIN_VALIDITY_MS < NOW - 90 * DAY ? 0 : MIN_VALIDITY_MS - (counted === 1 ? 0 : 1));
  });

  it('covers 85 days of hourly checks and 5 of checks a minute whole', () => {
    const start = NOW - 90 * DAY;
    const hourly = Array.from({ length: 85 * 24 }, (_, hour) => aCheck({ checkedAt: start + hour * 60 * MINUTE, validForMs: 180 * MINUTE }));
    const everyMinute = Array.from({ length: 5 * 1_440 }, (_, minute) => aCheck({ checkedAt: start + 85 * DAY + minute * MINUTE }));
    const tally = tallyOf([...everyMinute, ...hourly], { from: start, to: NOW }, NOW);
    expect(coveragePercent(tally.coveredMs, NOW - start)).toBe(100);
    expect(uptimeOf(tally.counts)).toEqual({ uptimePercent: 100, checksTracked: 85 * 24 + 5 * 1_440 });
  });

  it('keeps the percentage over a gap of 30 days, while the coverage falls', () => {
    const ends = [
      [90, 61],
      [31, 0],
    ] as const;
    const checks = ends.flatMap(([from, to]) =>
      Array.from({ length: from - to }, (_, day) => aCheck({ checkedAt: NOW - (from - day) * DAY, validForMs: DAY })),
    );
    const tally = tallyOf(checks, { from: NOW - 90 * DAY, to: NOW }, NOW);
    expect(uptimeOf(tally.counts)).toEqual({ uptimePercent: 100, checksTracked: 60 });
    expect(coveragePercent(tally.coveredMs, 90 * DAY)).toBe(66.67);
  });
});

describe('TallyBuilder', () => {
  /** One tally for each day, as a store keeps them, each with what the day before carries. */
  function dayByDay(checks: readonly Check[], from: number, days: number): Tally[] {
    const sorted = standing(checks).sort((a, b) => a.checkedAt - b.checkedAt);
    const before = new TallyBuilder(0, NOTHING_CARRIED);
    for (const check of sorted) if (check.checkedAt < from) before.put(check);
    let carry: Carry = before.end(from);
    return Array.from({ length: days }, (_, index) => {
      const start = from + index * DAY;
      const builder = new TallyBuilder(start, carry);
      for (const check of sorted) if (check.checkedAt >= start && check.checkedAt < start + DAY) builder.put(check);
      const { coveredUntil, claims, ...tally } = builder.end(start + DAY);
      carry = { coveredUntil, claims };
      return tally;
    });
  }

  const start = startOfDay(NOW) - 3 * DAY;
  const dayChecks = fc.array(
    fc
      .record<Drawn>({
        at: fc.oneof(
          fc.integer({ min: start - DAY, max: start + 4 * DAY }),
          fc.constantFrom(start, start + DAY, start + 2 * DAY, start + DAY - 1, start + 2 * DAY + 1),
        ),
        state: fc.constantFrom(...SERVICE_STATES),
        validFor: fc.integer({ min: MIN_VALIDITY_MS, max: DAY }),
        ms: fc.option(fc.integer({ min: 0, max: DAY })),
        source: fc.constantFrom('a', 'b'),
      })
      .map(toCheck),
    { maxLength: 60 },
  );

  it('gives day by day what the whole period gives', () => {
    fc.assert(
      fc.property(dayChecks, (checks) => {
        expect(mergeTallies(dayByDay(checks, start, 3))).toEqual(tallyOfPeriod(checks, { from: start, to: start + 3 * DAY }));
      }),
      { numRuns: torture ? 5_000 : 20 },
    );
  });

  it('covers the beginning of a period from checks before it', () => {
    const covered = (coveredUntil: number) => new TallyBuilder(100, { coveredUntil, claims: [] }).end(200).coveredMs;
    expect([covered(130), covered(900), covered(90)]).toEqual([30, 100, 0]);
  });

  it('collects response times of operational and degraded checks only', () => {
    const builder = new TallyBuilder(0, NOTHING_CARRIED);
    SERVICE_STATES.forEach((state, index) => {
      builder.put(aCheck({ state, checkedAt: index, responseTimeMs: 10 + index }));
    });
    const { latency } = builder.end(100);
    expect(latency.max).toBe(10 + SERVICE_STATES.indexOf('degraded'));
    expect(latency.buckets.reduce((sum, [, count]) => sum + count, 0)).toBe(2);
  });

  it('starts empty', () => {
    expect(mergeTallies([])).toEqual(NO_TALLY);
  });
});

describe('countedAt', () => {
  it.each([
    [NOW - 1, NOW - 1],
    [NOW, NOW],
    [NOW + 1, NOW],
    [NOW + 60_000, NOW],
    [NOW + 60_001, null],
  ])('counts %d as at %p', (checkedAt, at) => {
    expect(countedAt(checkedAt, NOW)).toBe(at);
  });
});

describe('compareDuplicates', () => {
  it.each([
    ['a rated one over an unrated one', { state: 'operational' }, { state: 'maintenance', responseTimeMs: 9_000 }],
    ['of two rated ones the worse', { state: 'outage', responseTimeMs: null }, { state: 'degraded' }],
    ['of two unrated ones the worse', { state: 'maintenance' }, { state: 'unknown' }],
    ['the slower one', { responseTimeMs: 300 }, { responseTimeMs: 299 }],
    ['one with a response time', { responseTimeMs: 0 }, { responseTimeMs: null }],
    ['the longer valid one', { validForMs: 2 * MIN_VALIDITY_MS }, {}],
    ['the later word', { rawState: 'up' }, { rawState: 'ok' }],
  ] as const)('lets stand %s', (_, winner, loser) => {
    expect(compareDuplicates(aCheck(winner), aCheck(loser))).toBeGreaterThan(0);
    expect(compareDuplicates(aCheck(loser), aCheck(winner))).toBeLessThan(0);
  });
});
