import type { Check } from '../kinds/check.js';
import { DAY, HOUR, MINUTE } from '../kinds/instant.js';
import type { ServiceEvidence } from '../kinds/service-status.js';
import { NOW, aCheck, aService } from '../testing/index.js';
import {
  overallStateOf,
  periodStatusOf,
  serviceChangesAt,
  serviceJudgedAgain,
  serviceStatusOf,
  statusJudgedAgain,
  uptimeWindows,
} from './service-status.js';
import { NO_CHECKS, NO_TALLY, tallyOf, tallyOfPeriod } from './uptime.js';

function evidenceOf(...checks: readonly ReturnType<typeof aCheck>[]): ServiceEvidence {
  const newest = checks.reduce((a, b) => (b.checkedAt > a.checkedAt ? b : a));
  const trackedFrom = Math.min(...checks.map(({ checkedAt }) => checkedAt));
  return {
    trackedFrom,
    stateSince: tallyOf(checks, { from: trackedFrom, to: NOW }, NOW).changedAt ?? trackedFrom,
    ever: tallyOf(checks, { from: trackedFrom, to: NOW, withoutLatency: true }, NOW),
    today: NO_TALLY,
    thisHour: NO_TALLY,
    recentMs: [],
    lastCheckedAt: Math.min(newest.checkedAt, NOW),
    newest: [newest],
    newestKnown: newest.state === 'unknown' ? [] : [newest],
    tallies: uptimeWindows(NOW).map((window) => tallyOf(checks, window, NOW)),
  };
}

const NO_INCIDENTS = { current: [], historicalAvailable: true } as const;

describe('overallStateOf', () => {
  const serviceIn = (state: Check['state'], dependency: boolean) =>
    serviceStatusOf(aService({ dependency }), evidenceOf(aCheck({ state, checkedAt: NOW - MINUTE })), NOW);

  it('is the worst state of the services that are not dependencies', () => {
    expect(overallStateOf([serviceIn('operational', false), serviceIn('outage', true)])).toBe('operational');
    expect(overallStateOf([serviceIn('degraded', false), serviceIn('operational', true)])).toBe('degraded');
  });

  it('is unknown when every service is a dependency', () => {
    expect(overallStateOf([serviceIn('operational', true)])).toBe('unknown');
  });
});

describe('serviceStatusOf', () => {
  it('says nothing good of a service that was never checked', () => {
    expect(serviceStatusOf(aService(), null, NOW)).toMatchObject({
      uptimePercent: null,
      checksTracked: 0,
      currentState: 'unknown',
      lastKnownState: null,
      lastCheckedAt: null,
      trackedFrom: null,
      coveragePercent: null,
      responseTimeMs: null,
      checks: NO_CHECKS,
      windows: { '24h': { uptimePercent: null, checksTracked: 0 }, '365d': { uptimePercent: null, checksTracked: 0 } },
      provenance: aService().provenance,
    });
  });

  it('publishes 90 days, and each window beside it', () => {
    const ages = [HOUR, 2 * DAY, 10 * DAY, 40 * DAY, 100 * DAY];
    const status = serviceStatusOf(aService(), evidenceOf(...ages.map((age) => aCheck({ checkedAt: NOW - age }))), NOW);
    expect(status.checksTracked).toBe(4);
    expect(Object.entries(status.windows).map(([name, { checksTracked }]) => [name, checksTracked])).toEqual([
      ['24h', 1],
      ['7d', 2],
      ['30d', 3],
      ['90d', 4],
      ['365d', 5],
    ]);
  });

  it('is 100 and degraded when every check was degraded', () => {
    const status = serviceStatusOf(aService(), evidenceOf(aCheck({ state: 'degraded' })), NOW);
    expect(status).toMatchObject({ uptimePercent: 100, currentState: 'degraded', lastKnownState: 'degraded' });
  });

  it('keeps its percentage when its newest check is no evidence any more', () => {
    const status = serviceStatusOf(aService(), evidenceOf(aCheck({ checkedAt: NOW - 16 * MINUTE })), NOW);
    expect(status).toMatchObject({ uptimePercent: 100, currentState: 'unknown', lastKnownState: 'operational', coveragePercent: 93.75 });
  });

  it('has no percentage of maintenance alone', () => {
    expect(serviceStatusOf(aService(), evidenceOf(aCheck({ state: 'maintenance' })), NOW)).toMatchObject({
      uptimePercent: null,
      checksTracked: 0,
      currentState: 'maintenance',
    });
  });

  it('bears the time of its newest check', () => {
    expect(serviceStatusOf(aService(), evidenceOf(aCheck({ checkedAt: NOW - 5 * MINUTE })), NOW).provenance.observedAt).toBe(NOW - 5 * MINUTE);
  });

  it('measures coverage from the first check on, and has none at zero length', () => {
    expect(serviceStatusOf(aService(), evidenceOf(aCheck({ checkedAt: NOW })), NOW).coveragePercent).toBeNull();
    const day = Array.from({ length: 48 }, (_, hour) => aCheck({ checkedAt: NOW - (hour + 1) * 30 * MINUTE }));
    expect(serviceStatusOf(aService(), evidenceOf(...day), NOW).coveragePercent).toBe(50);
  });
});

describe('a status that is judged again', () => {
  const valid = aCheck({ checkedAt: NOW - 5 * MINUTE, validForMs: 15 * MINUTE });
  const made = serviceStatusOf(aService(), evidenceOf(valid), NOW);

  it('stays as it was as long as its checks are evidence, and becomes unknown with them', () => {
    expect(serviceJudgedAgain(made, NOW)).toEqual(made);
    expect(serviceJudgedAgain(made, NOW + 10 * MINUTE - 1).currentState).toBe('operational');
    const ended = { ...made, currentState: 'unknown', stateSince: NOW + 10 * MINUTE, stateReason: null };
    expect(serviceJudgedAgain(made, NOW + 10 * MINUTE)).toEqual(ended);
    expect(serviceJudgedAgain(made, NOW + HOUR)).toEqual(ended);
    expect(serviceChangesAt(made, NOW)).toBe(NOW + 10 * MINUTE);
    expect(serviceJudgedAgain(made, NOW + DAY)).toMatchObject({ currentState: 'unknown', lastKnownState: 'operational', uptimePercent: 100 });
  });

  it('takes the whole with it', () => {
    const lasting = serviceStatusOf(aService({ key: 'acme:docs' }), evidenceOf(aCheck({ state: 'maintenance', validForMs: DAY })), NOW);
    const overview = (...services: (typeof made)[]) => ({ overallState: 'operational', services, incidents: NO_INCIDENTS, observedAt: NOW }) as const;
    expect(statusJudgedAgain(overview(made), NOW + HOUR).overallState).toBe('unknown');
    expect(statusJudgedAgain(overview(made, lasting), NOW + HOUR).overallState).toBe('maintenance');
    expect(statusJudgedAgain(overview(made), NOW)).toEqual(overview(made));
  });
});

describe('since when and why a service has its state', () => {
  const check = (minutesAgo: number, state: Check['state'], rawState: string, source = 'a') =>
    aCheck({ checkedAt: NOW - minutesAgo * MINUTE, state, rawState, validForMs: 15 * MINUTE, provenance: { ...aCheck().provenance, source } });
  const statusOf = (...checks: readonly Check[]) => {
    const newest = [...new Map(checks.map((one) => [one.provenance.source, one])).values()];
    const known = newest.filter(({ state }) => state !== 'unknown');
    return serviceStatusOf(aService(), { ...evidenceOf(...checks), newest, newestKnown: known }, NOW);
  };

  it('is the first check of the state, and the word of the newest one that decides it', () => {
    const status = statusOf(check(20, 'operational', '200'), check(9, 'outage', 'refused'), check(4, 'outage', 'timeout'));
    expect(status).toMatchObject({ currentState: 'outage', stateSince: NOW - 9 * MINUTE, stateReason: 'timeout' });
  });

  it('starts again after a time without a valid check', () => {
    expect(statusOf(check(40, 'operational', '200'), check(9, 'operational', '200'))).toMatchObject({ stateSince: NOW - 9 * MINUTE });
  });

  it('is of the worst of several sources', () => {
    const status = statusOf(check(9, 'outage', '503', 'a'), check(2, 'operational', '200', 'b'));
    expect(status).toMatchObject({ currentState: 'outage', stateSince: NOW - 9 * MINUTE, stateReason: '503' });
    expect(serviceJudgedAgain(status, NOW + 7 * MINUTE)).toMatchObject({
      currentState: 'operational',
      stateSince: NOW + 6 * MINUTE,
      stateReason: '200',
    });
  });

  it('has no reason without a valid check, and no beginning without any check', () => {
    expect(statusOf(check(40, 'operational', '200'))).toMatchObject({ currentState: 'unknown', stateSince: NOW - 25 * MINUTE, stateReason: null });
    expect(serviceStatusOf(aService(), null, NOW)).toMatchObject({ stateSince: null, stateReason: null });
  });
});

describe('periodStatusOf', () => {
  const day = NOW - (NOW % DAY);
  const whole = { from: day - 5 * DAY, to: day + DAY };
  const tally = tallyOfPeriod([aCheck({ checkedAt: day, validForMs: 6 * HOUR })], { from: day, to: day + DAY });
  const periodOf = (counted: typeof tally | null, window = whole, trackedFrom: number | null = day - DAY) =>
    periodStatusOf({ start: day, lengthMs: DAY, tally: counted, incidents: ['inc_1'] }, window, trackedFrom);

  it('is complete exactly when all of it is in the window', () => {
    expect(periodOf(tally)).toMatchObject({ complete: true, coveragePercent: 25, outageMs: 0, degradedMs: 0, incidents: ['inc_1'] });
    expect(periodOf(tally, { ...whole, to: day + 12 * HOUR })).toMatchObject({ complete: false, coveragePercent: 50 });
    expect(periodOf(tally, { ...whole, from: day + 1 }).complete).toBe(false);
  });

  it('is unknown and null without a check', () => {
    const nothing = { state: 'unknown', uptimePercent: null, coveragePercent: null, responseTimeMs: null, outageMs: null, degradedMs: null };
    expect(periodOf(null, whole, null)).toMatchObject(nothing);
    expect(periodOf(null).coveragePercent).toBe(0);
    expect(periodOf(null, whole, day + 2 * DAY).coveragePercent).toBeNull();
  });

  it('is covered from the first check of the service on', () => {
    expect(periodOf(tally, whole, day + 18 * HOUR).coveragePercent).toBe(100);
  });
});
