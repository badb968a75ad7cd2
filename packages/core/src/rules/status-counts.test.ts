import fc from 'fast-check';
import { type Check, MAX_VALIDITY_MS, SERVICE_STATES, type ServiceState, UNCONFIRMED, worstOf } from '../kinds/check.js';
import { DAY, HOUR, type Instant, MINUTE, SECOND, startOfDay, startOfHour } from '../kinds/instant.js';
import { latencySummary } from '../kinds/latency.js';
import { compareText } from '../kinds/page.js';
import type { CheckIdentity, StatusDay, Tally } from '../kinds/status-day.js';
import { NOW, aCheck, aProvenance } from '../testing/index.js';
import { type Recount, changeByPut, changeByRemoval, keptHours, recountsOf } from './changing-days.js';
import { countDay, withNewest } from './count-day.js';
import { evidenceOf, pastRanges, presentRange, rangeParts, recentHours, sumsOfParts } from './evidence.js';
import { currentState, decidingChecks, uptimeWindows } from './service-status.js';
import { NOTHING_CARRIED, Timeline, sameReach } from './timeline.js';
import { compareDuplicates, countedAt, mergeTallies, tallyOf, tallyOfPeriod } from './uptime.js';

const KEY = 'acme:api';
const TODAY = startOfDay(NOW);
const torture = process.env['VITRINE_TORTURE'] === '1';
const RUNS = torture ? 2_000 : 3;

/** The least that a store does: it keeps checks and days of one service, and counts what changes. */
class CountedStore {
  readonly #checks = new Map<string, Check>();
  readonly days = new Map<Instant, StatusDay>();
  /** How many days were counted. */
  counted = 0;

  put(batch: readonly Check[]): void {
    for (const check of batch) {
      const other = this.#checks.get(keyOf(identityOf(check)));
      if (other === undefined || compareDuplicates(check, other) > 0) this.#checks.set(keyOf(identityOf(check)), check);
    }
    this.#count(recountsOf(batch.map(changeByPut)));
  }

  remove(index: number): void {
    const check = this.checks()[index % Math.max(1, this.#checks.size)];
    if (check === undefined) return;
    this.#checks.delete(keyOf(identityOf(check)));
    this.#count(recountsOf([changeByRemoval({ kind: 'check', ...identityOf(check) })]));
  }

  checks(): Check[] {
    return [...this.#checks.values()].sort((a, b) => a.checkedAt - b.checkedAt);
  }

  sorted(): StatusDay[] {
    return [...this.days.values()].sort((a, b) => a.day - b.day);
  }

  /** The evidence at a moment, from stored days, stored hours and the raw checks of the present hour. */
  evidence(now: Instant) {
    const checks = this.checks();
    const [first, last] = [checks[0], checks.at(-1)];
    if (first === undefined || last === undefined) return null;
    const windows = uptimeWindows(now);
    const { from, to } = presentRange(now);
    const present = {
      latest: {
        serviceKey: KEY,
        firstCheckedAt: first.checkedAt,
        lastCheckedAt: last.checkedAt,
        sources: withNewest(
          [],
          checks.filter(({ checkedAt }) => countedAt(checkedAt, now) !== null),
        ),
      },
      hours: this.#hours(recentHours(now)),
      checks: checks.filter(({ checkedAt }) => checkedAt >= from && checkedAt <= to),
    };
    const ranges = pastRanges(windows, now);
    const parts = rangeParts(ranges);
    const tallies = parts.map((part) => {
      const whole = this.sorted().filter(({ day }) => day >= part.from && day < part.to);
      return mergeTallies(part.kind === 'days' ? whole : this.#hours(part), part);
    });
    const past = sumsOfParts(ranges, parts, tallies);
    return evidenceOf(present, past, { windows, now });
  }

  #hours({ from, to }: { readonly from: Instant; readonly to: Instant }) {
    return this.sorted()
      .flatMap(({ hours }) => hours)
      .filter(({ hour }) => hour >= from && hour < to);
  }

  #count(recounts: readonly Recount[]): void {
    const pending = new Map(recounts.map((recount) => [recount.day, recount]));
    for (let day = Math.min(...pending.keys()); pending.size > 0; day = Math.min(...pending.keys())) {
      const recount = pending.get(day) ?? fail();
      pending.delete(day);
      const stored = this.days.get(day) ?? null;
      const kept = keptHours(stored, recount);
      const from = kept?.from ?? day;
      const checks = this.checks().filter(({ checkedAt }) => checkedAt >= from && checkedAt < day + DAY);
      const counted = countDay(recount, checks, this.days.get(day - DAY) ?? NOTHING_CARRIED, kept);
      this.counted += 1;
      if (counted === null) this.days.delete(day);
      else this.days.set(day, counted);
      const next = day + DAY;
      if (!sameReach(stored ?? NOTHING_CARRIED, counted ?? NOTHING_CARRIED, next)) pending.set(next, { serviceKey: KEY, day: next, from: next });
    }
  }
}

function identityOf({ serviceKey, checkedAt, provenance }: Check): CheckIdentity {
  return { serviceKey, checkedAt, source: provenance.source };
}

function keyOf({ checkedAt, source }: CheckIdentity): string {
  return `${String(checkedAt)} ${source}`;
}

function part({ counts, coveredMs, outageMs, degradedMs, changedAt, latency }: Tally): Tally {
  return { counts, coveredMs, outageMs, degradedMs, changedAt, latency };
}

/** The median response time of an hour. */
function medianOf(checks: readonly Check[], hour: Instant, now: Instant): number | null {
  const own = checks.filter(({ checkedAt }) => startOfHour(countedAt(checkedAt, now) ?? Infinity) === hour);
  return latencySummary(tallyOf(own, { from: hour, to: Math.min(hour + HOUR, now) }, now).latency)?.p50 ?? null;
}

function newestOfEach(checks: readonly Check[]): Check[] {
  const newest = new Map(checks.map((check) => [check.provenance.source, check]));
  return [...newest.values()].sort((a, b) => compareText(a.provenance.source, b.provenance.source));
}

const moment = fc.oneof(
  fc.integer({ min: TODAY - 5 * DAY, max: NOW }),
  fc.integer({ min: TODAY - 50 * DAY, max: NOW }),
  fc.integer({ min: NOW - 3 * HOUR, max: NOW + 10 * MINUTE }),
  fc.constantFrom(
    TODAY,
    TODAY - 1,
    TODAY - DAY,
    TODAY - 3 * DAY,
    TODAY + DAY,
    startOfHour(NOW),
    startOfHour(NOW) - 15 * MINUTE,
    NOW,
    NOW + 90 * SECOND,
  ),
);

const someCheck = fc
  .record({
    checkedAt: moment,
    state: fc.constantFrom(...SERVICE_STATES),
    rawState: fc.constantFrom('up', 'down', UNCONFIRMED),
    responseTimeMs: fc.option(fc.nat({ max: DAY }), { nil: null }),
    validForMs: fc.constantFrom(15 * MINUTE, 5 * HOUR, DAY, 3 * DAY + HOUR, MAX_VALIDITY_MS),
    source: fc.constantFrom('probe', 'Zoë', '\u{10ffff}'),
  })
  .map(({ source, ...rest }): Check => aCheck({ serviceKey: KEY, ...rest, provenance: aProvenance({ source, observedAt: rest.checkedAt }) }));

/** Puts a batch, and removes one of the stored checks. Then time passes. */
const step = fc.record({
  batch: fc.array(someCheck, { maxLength: 12 }),
  removed: fc.option(fc.nat(), { nil: null, freq: 4 }),
  pause: fc.constantFrom(0, 7 * SECOND, 61 * SECOND, HOUR, 20 * HOUR),
});
const steps = fc.array(step, { minLength: 1, maxLength: 4 });

function play(
  list: readonly { readonly batch: readonly Check[]; readonly removed: number | null; readonly pause: number }[],
  look: (store: CountedStore, now: Instant) => void,
): void {
  const store = new CountedStore();
  let now: Instant = NOW;
  for (const { batch, removed, pause } of list) {
    if (batch.length > 0) store.put(batch);
    if (removed !== null) store.remove(removed);
    now += pause;
    look(store, now);
  }
}

describe('status counts', () => {
  it('give the same evidence as the raw checks, while checks arrive late, arrive twice and are removed, and time passes', () => {
    fc.assert(
      fc.property(steps, (list) => {
        play(list, (store, now) => {
          const checks = store.checks();
          const counted = checks.filter(({ checkedAt }) => countedAt(checkedAt, now) !== null);
          const found = store.evidence(now);
          const [first, last] = [counted[0], counted.at(-1)];
          if (first === undefined || last === undefined) {
            expect(found).toBeNull();
            return;
          }
          const newest = newestOfEach(counted);
          expect(found).toMatchObject({
            trackedFrom: Math.min(first.checkedAt, now),
            lastCheckedAt: Math.min(last.checkedAt, now),
            newest,
            newestKnown: newestOfEach(counted.filter(({ state }) => state !== 'unknown')),
            tallies: uptimeWindows(now).map((window) => tallyOf(checks, window, now)),
            today: tallyOf(checks, { from: startOfDay(now), to: now }, now),
            ever: tallyOf(checks, { from: first.checkedAt, to: now, withoutLatency: true }, now),
            recentMs: Array.from({ length: 24 }, (_, index) => medianOf(checks, startOfHour(now) - (23 - index) * HOUR, now)),
            thisHour: tallyOf(checks, { from: startOfHour(now), to: now }, now),
            stateSince: tallyOf(checks, { from: first.checkedAt, to: now }, now).changedAt ?? Math.min(first.checkedAt, now),
          });
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('are of each stored day and hour what the raw checks say, and days sum up to windows', () => {
    fc.assert(
      fc.property(steps, (list) => {
        play(list, (store) => {
          const checks = store.checks();
          for (const day of store.sorted()) {
            expect(part(day)).toEqual(tallyOfPeriod(checks, { from: day.day, to: day.day + DAY }));
            // Each hour of a year would take minutes.
            const hour = day.hours[day.counts.operational % day.hours.length] ?? fail();
            expect(part(hour)).toEqual(tallyOfPeriod(checks, { from: hour.hour, to: hour.hour + HOUR }));
            expect(part(mergeTallies(day.hours))).toEqual(part(day));
          }
          const [first, last] = [store.sorted()[0], store.sorted().at(-1)];
          if (first === undefined || last === undefined) return;
          expect(mergeTallies(store.sorted())).toEqual(tallyOfPeriod(checks, { from: first.day, to: last.day + DAY }));
          // Nothing is valid where no day is stored.
          expect(tallyOfPeriod(checks, { from: last.day + DAY, to: last.day + 99 * DAY })).toEqual(mergeTallies([]));
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('are the same in any order and any batches', () => {
    fc.assert(
      fc.property(fc.array(someCheck, { minLength: 1, maxLength: torture ? 40 : 20 }), fc.infiniteStream(fc.nat({ max: 9 })), (checks, random) => {
        const shuffled = checks.map((check) => ({ check, at: random.next().value ?? 0 })).sort((a, b) => a.at - b.at);
        const [sorted, mixed] = [new CountedStore(), new CountedStore()];
        sorted.put([...checks].sort((a, b) => a.checkedAt - b.checkedAt));
        for (let start = 0; start < shuffled.length;) {
          const end = start + 1 + (random.next().value ?? 0);
          mixed.put(shuffled.slice(start, end).map(({ check }) => check));
          start = end;
        }
        expect(mixed.sorted()).toEqual(sorted.sorted());
      }),
      { numRuns: RUNS },
    );
  });

  it('count a late check again in the days that it covers only, at most 33', () => {
    const store = new CountedStore();
    const daily = Array.from({ length: 60 }, (_, index) => aCheck({ serviceKey: KEY, checkedAt: TODAY - index * DAY }));
    store.put(daily);
    const countedBy = (check: Check): number => {
      const before = store.counted;
      store.put([check]);
      return store.counted - before;
    };
    const late = aCheck({ serviceKey: KEY, checkedAt: TODAY - 50 * DAY + 5 * HOUR, provenance: aProvenance({ source: 'late' }) });
    expect(countedBy(late)).toBe(1);
    expect(countedBy({ ...late, checkedAt: late.checkedAt + 1, validForMs: 2 * DAY })).toBe(3);
    expect(countedBy({ ...late, checkedAt: late.checkedAt + 2, validForMs: MAX_VALIDITY_MS })).toBe(33);
  });

  it('know no time in outage of a sum of which a part does not know it', () => {
    const known = tallyOfPeriod([aCheck({ state: 'outage' })], { from: TODAY, to: TODAY + DAY });
    expect(mergeTallies([known, { ...known, outageMs: null }])).toMatchObject({ outageMs: null, degradedMs: 0 });
  });
});

/** The states of all sources at a moment, by definition. */
function stateAt(checks: readonly Check[], at: Instant): ServiceState {
  const until = checks.filter(({ checkedAt }) => checkedAt <= at).sort((a, b) => a.checkedAt - b.checkedAt);
  const deciding = decidingChecks({ newest: newestOfEach(until), newestKnown: newestOfEach(until.filter(({ state }) => state !== 'unknown')) });
  return currentState(deciding, at);
}

/** The worst rated state at a moment: of each source its newest rated check, if it is still valid. */
function ratedAt(checks: readonly Check[], at: Instant): ServiceState {
  const rated = checks.filter(({ checkedAt, state }) => checkedAt <= at && (state === 'operational' || state === 'degraded' || state === 'outage'));
  const newest = newestOfEach(rated.sort((a, b) => a.checkedAt - b.checkedAt));
  return worstOf(newest.filter(({ checkedAt, validForMs }) => at < checkedAt + validForMs).map(({ state }) => state));
}

describe('Timeline', () => {
  const small = fc.array(
    fc
      .record({
        checkedAt: fc.integer({ min: 0, max: 99 }),
        state: fc.constantFrom(...SERVICE_STATES),
        validForMs: fc.integer({ min: 1, max: 40 }),
        source: fc.constantFrom('a', 'b'),
      })
      .map(({ source, ...rest }) => aCheck({ ...rest, rawState: rest.state, provenance: aProvenance({ source }) })),
    { maxLength: 20 },
  );

  it('agrees with a timeline that is counted by hand, millisecond by millisecond', () => {
    fc.assert(
      fc.property(small, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 80 }), (drawn, from, length) => {
        const standing = [...new Map(drawn.map((check) => [keyOf(identityOf(check)), check])).values()].sort((a, b) => a.checkedAt - b.checkedAt);
        const to = from + length;
        const by = { outage: 0, degraded: 0 };
        let changedAt: Instant | null = null;
        for (let ms = from; ms < to; ms++) {
          const rated = ratedAt(standing, ms);
          if (rated === 'outage' || rated === 'degraded') by[rated] += 1;
          if (stateAt(standing, ms) !== (ms === 0 ? 'unknown' : stateAt(standing, ms - 1))) changedAt = ms;
        }
        const { outageMs, degradedMs, changedAt: found } = tallyOfPeriod(standing, { from, to });
        expect([outageMs, degradedMs, found]).toEqual([by.outage, by.degraded, changedAt]);
        const past = standing.filter(({ checkedAt }) => checkedAt <= to);
        expect(tallyOf(past, { from, to }, to).changedAt).toBe(stateAt(standing, to) === stateAt(standing, to - 1) ? changedAt : to);
      }),
      { numRuns: torture ? 50_000 : 20 },
    );
  });

  it('keeps the last state while a failure is unconfirmed', () => {
    const timeline = new Timeline(0, NOTHING_CARRIED);
    const put = (at: number, state: ServiceState, rawState: string): ServiceState => {
      timeline.put(at, aCheck({ checkedAt: at, state, rawState, validForMs: 100 }));
      return present(at);
    };
    const present = (at: number): ServiceState => worstOf(timeline.carry.claims.filter(({ until }) => until > at).map(({ state }) => state));
    expect([put(1, 'operational', 'up'), put(2, 'unknown', UNCONFIRMED), put(3, 'unknown', 'no network')]).toEqual([
      'operational',
      'operational',
      'unknown',
    ]);
    expect([put(4, 'unknown', UNCONFIRMED), put(5, 'outage', 'down'), put(6, 'unknown', UNCONFIRMED)]).toEqual(['operational', 'outage', 'outage']);
    timeline.advance(300);
    expect(present(300)).toBe('unknown');
    expect(timeline.figures).toMatchObject({ outageMs: 100, changedAt: 105 });
  });
});

function fail(): never {
  throw new Error('expected a value');
}
