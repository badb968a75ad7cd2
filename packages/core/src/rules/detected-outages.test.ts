import fc from 'fast-check';
import { type Check, SERVICE_STATES } from '../kinds/check.js';
import { HOUR, type Instant, MINUTE } from '../kinds/instant.js';
import { NOW, aCheck, aProvenance } from '../testing/index.js';
import { MISSED, type Outage, OutageTimeline, detectedOutages, outageMarks } from './detected-outages.js';
import { currentState } from './service-status.js';
import { compareDuplicates } from './uptime.js';

interface Drawn {
  readonly validFor: number;
  readonly source: string;
  readonly kind: string;
  readonly rawState: string;
}

const MEASURED = 'confirmed-from-source';

function check(at: Instant, state: Check['state'], over: Partial<Drawn> = {}): Check {
  const { validFor = 15 * MINUTE, source = 'probe', kind = MEASURED, rawState = '200' } = over;
  return aCheck({ checkedAt: at, state, rawState, validForMs: validFor, provenance: aProvenance({ source, sourceKind: kind, observedAt: at }) });
}

const drawn = fc
  .record({
    at: fc.integer({ min: 0, max: 60 }),
    state: fc.constantFrom(...SERVICE_STATES, 'outage'),
    validFor: fc.integer({ min: 1, max: 20 }),
    source: fc.constantFrom('a', 'b', 'provider'),
  })
  .map(({ at, state, ...over }) => check(at, state, { ...over, kind: over.source === 'provider' ? 'official-source' : MEASURED }));
const someChecks = fc.array(drawn, { maxLength: 40 });
/** Some outages of them are missed heartbeats. */
const someHeartbeats = fc
  .array(fc.tuple(drawn, fc.boolean()), { maxLength: 40 })
  .map((all) => all.map(([one, isMissed]) => (isMissed && one.state === 'outage' ? { ...one, rawState: MISSED } : one)));
const moment = fc.integer({ min: 0, max: 90 });

/** The rule as people would say it, moment by moment: slow, and without sums. */
function outagesByMoment(all: readonly Check[], now: Instant): readonly Outage[] {
  const known = all.filter(({ state, provenance, checkedAt }) => state !== 'unknown' && provenance.sourceKind === MEASURED && checkedAt <= now);
  const standing = known.filter((one) => !known.some((other) => isSame(one, other) && isBetter(other, one, known)));
  const newestAt = (at: Instant) =>
    ['a', 'b'].flatMap(
      (source) =>
        standing
          .filter((one) => one.provenance.source === source && one.checkedAt <= at)
          .sort(byTime)
          .at(-1) ?? [],
    );
  const isOut = (at: Instant): boolean => currentState(newestAt(at), at) === 'outage';
  const outages: Outage[] = [];
  for (let at = 0; at <= now; at++) {
    if (!isOut(at) || (at > 0 && isOut(at - 1))) continue;
    let end = at;
    while (end <= now && isOut(end)) end++;
    const confirming = standing.filter(({ state, checkedAt }) => state === 'outage' && checkedAt >= at && checkedAt < end);
    const isOver = end <= now;
    const hasExpired = newestAt(end).some(({ state, checkedAt, validForMs }) => state === 'outage' && checkedAt + validForMs === end);
    outages.push({ startAt: at, endAt: isOver ? end : null, confirmingChecks: confirming.length, endUncertain: isOver && hasExpired });
  }
  return outages;
}

const byTime = (a: Check, b: Check): number => a.checkedAt - b.checkedAt;
const isSame = (a: Check, b: Check): boolean => a.checkedAt === b.checkedAt && a.provenance.source === b.provenance.source;
const isBetter = (a: Check, b: Check, all: readonly Check[]): boolean =>
  compareDuplicates(a, b) > 0 || (compareDuplicates(a, b) === 0 && all.indexOf(a) < all.indexOf(b));

describe('detectedOutages', () => {
  it('says what the state of the service says at each moment', () => {
    fc.assert(
      fc.property(someChecks, moment, (checks, now) => {
        expect(detectedOutages(checks, now)).toEqual(outagesByMoment(checks, now));
      }),
    );
  });

  it('does not depend on the order and the number of the checks', () => {
    fc.assert(
      fc.property(someHeartbeats, fc.integer(), moment, (checks, seed, now) => {
        const mixed = [...checks, ...checks.slice(0, 5)].map((one, index) => [(index * 7_919 + seed) % 101, one] as const);
        const shuffled = mixed.sort(([a], [b]) => a - b).map(([, one]) => one);
        expect(detectedOutages(shuffled, now)).toEqual(detectedOutages(checks, now));
      }),
    );
  });

  it('gives the same from parts, wherever they begin and end', () => {
    fc.assert(
      fc.property(someHeartbeats, fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 }), (checks, cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), Infinity];
        const timeline = new OutageTimeline();
        let from = -Infinity;
        for (const to of ends) {
          const part = checks.filter(({ checkedAt }) => checkedAt >= from && checkedAt < to);
          // A part without an outage may be left out if no run is open.
          if (timeline.isOpen || part.some(({ state }) => state === 'outage')) timeline.add(outageMarks(part));
          from = to;
        }
        expect(timeline.outages(200)).toEqual(detectedOutages(checks, 200));
      }),
    );
  });

  const start = NOW - HOUR;
  const at = (minutes: number): Instant => start + minutes * MINUTE;

  it('begins with the first check that found it, and ends with the first that did not', () => {
    const checks = [check(at(0), 'operational'), check(at(1), 'outage'), check(at(2), 'outage'), check(at(3), 'degraded'), check(at(4), 'outage')];
    expect(detectedOutages(checks, at(5))).toEqual([
      { startAt: at(1), endAt: at(3), confirmingChecks: 2, endUncertain: false },
      { startAt: at(4), endAt: null, confirmingChecks: 1, endUncertain: false },
    ]);
  });

  it('has an uncertain end when its checks expire, and is another outage after the gap', () => {
    const checks = [check(at(0), 'outage'), check(at(30), 'outage'), check(at(31), 'operational')];
    expect(detectedOutages(checks, NOW)).toEqual([
      { startAt: at(0), endAt: at(15), confirmingChecks: 1, endUncertain: true },
      { startAt: at(30), endAt: at(31), confirmingChecks: 1, endUncertain: false },
    ]);
  });

  it('goes on if the next check after a gap is a missed heartbeat, also after another gap', () => {
    const missed = { rawState: MISSED };
    const checks = [0, 30, 90].map((minutes) => check(at(minutes), 'outage', missed));
    expect(detectedOutages(checks, at(95))).toEqual([{ startAt: at(0), endAt: null, confirmingChecks: 3, endUncertain: false }]);
    expect(detectedOutages(checks, at(200))).toEqual([{ startAt: at(0), endAt: at(105), confirmingChecks: 3, endUncertain: true }]);
  });

  it('does not go on with a missed heartbeat if the source said something else before', () => {
    const checks = [check(at(0), 'outage'), check(at(30), 'operational'), check(at(60), 'outage', { rawState: MISSED })];
    expect(detectedOutages(checks, at(61))).toEqual([
      { startAt: at(0), endAt: at(15), confirmingChecks: 1, endUncertain: true },
      { startAt: at(60), endAt: null, confirmingChecks: 1, endUncertain: false },
    ]);
  });

  it('is neither confirmed nor ended by checks that are unknown', () => {
    const checks = [check(at(0), 'unknown'), check(at(1), 'outage'), check(at(2), 'unknown'), check(at(3), 'outage'), check(at(4), 'operational')];
    expect(detectedOutages(checks, NOW)).toEqual([{ startAt: at(1), endAt: at(4), confirmingChecks: 2, endUncertain: false }]);
  });

  it('ends with maintenance, which is no outage', () => {
    expect(detectedOutages([check(at(0), 'outage'), check(at(1), 'maintenance'), check(at(2), 'maintenance')], NOW)).toEqual([
      { startAt: at(0), endAt: at(1), confirmingChecks: 1, endUncertain: false },
    ]);
  });

  it('lasts while any source finds it', () => {
    const other = { source: 'other' };
    const checks = [check(at(0), 'outage'), check(at(1), 'outage', other), check(at(2), 'operational'), check(at(5), 'operational', other)];
    expect(detectedOutages(checks, NOW)).toEqual([{ startAt: at(0), endAt: at(5), confirmingChecks: 2, endUncertain: false }]);
  });

  it('is never found by what a provider says, nor by checks of the future', () => {
    expect(detectedOutages([check(at(0), 'outage', { kind: 'official-source' }), check(NOW + 1, 'outage')], NOW)).toEqual([]);
  });
});
