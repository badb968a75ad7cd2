import fc from 'fast-check';
import { MIN_VALIDITY_MS, SERVICE_STATES, UNCONFIRMED, isRated, severityOf, validityOf, worstOf } from '../kinds/check.js';
import { DAY, HOUR, MINUTE, SECOND } from '../kinds/instant.js';
import { NOW, aCheck, aProvenance } from '../testing/index.js';
import { currentState, decidingChecks, lastKnownState } from './service-status.js';

describe('currentState', () => {
  it('is unknown without a check: never operational by default', () => {
    expect(currentState([], NOW)).toBe('unknown');
  });

  it.each([
    [14 * MINUTE, 'operational'],
    [15 * MINUTE - 1, 'operational'],
    [15 * MINUTE, 'unknown'],
    [16 * MINUTE, 'unknown'],
  ])('of a single check %d ms ago is %s', (age, state) => {
    expect(currentState([aCheck({ checkedAt: NOW - age })], NOW)).toBe(state);
  });

  it('counts a check that is a little ahead', () => {
    expect(currentState([aCheck({ checkedAt: NOW + 30 * SECOND, state: 'degraded' })], NOW)).toBe('degraded');
  });

  it('is the worst of the valid sources, in any order', () => {
    const up = aCheck({ state: 'operational' });
    const down = aCheck({ state: 'outage' });
    expect(currentState([up, down], NOW)).toBe('outage');
    expect(currentState([down, up], NOW)).toBe('outage');
  });

  it('forgets a source whose newest check is no evidence any more', () => {
    const old = aCheck({ state: 'outage', checkedAt: NOW - HOUR });
    expect(currentState([old, aCheck()], NOW)).toBe('operational');
    expect(currentState([old], NOW)).toBe('unknown');
  });

  it('lets a valid unknown check hide no failure, and no failure be hidden by maintenance', () => {
    const states = fc.array(fc.constantFrom(...SERVICE_STATES), { minLength: 1 });
    fc.assert(
      fc.property(
        states,
        (list) =>
          severityOf(
            currentState(
              list.map((state) => aCheck({ state })),
              NOW,
            ),
          ) === Math.max(...list.map(severityOf)),
      ),
    );
  });
});

describe('decidingChecks', () => {
  const from = (source: string) => ({ provenance: aProvenance({ source }) });
  const failure = aCheck({ state: 'unknown', rawState: UNCONFIRMED, ...from('a') });

  it.each(SERVICE_STATES.filter((state) => state !== 'unknown'))('keep the state %s of a source while its failure is unconfirmed', (state) => {
    const before = aCheck({ state, checkedAt: NOW - MINUTE, ...from('a') });
    const deciding = decidingChecks({ newest: [failure], newestKnown: [aCheck({ state: 'outage', ...from('b') }), before] });
    expect(deciding).toEqual([before]);
    expect(currentState(deciding, NOW)).toBe(state);
  });

  it('keep the last state only as long as its check is valid', () => {
    const old = aCheck({ checkedAt: NOW - HOUR, ...from('a') });
    expect(currentState(decidingChecks({ newest: [failure], newestKnown: [old] }), NOW)).toBe('unknown');
  });

  it('are the newest ones in all other cases', () => {
    const offline = aCheck({ state: 'unknown', rawState: 'prober offline', ...from('a') });
    expect(decidingChecks({ newest: [offline], newestKnown: [aCheck(from('a'))] })).toEqual([offline]);
    expect(decidingChecks({ newest: [failure], newestKnown: [] })).toEqual([failure]);
  });
});

describe('lastKnownState', () => {
  it('is null when nothing was ever known', () => {
    expect(lastKnownState([])).toBeNull();
  });

  it('remembers the worst of any age', () => {
    expect(lastKnownState([aCheck({ checkedAt: NOW - 300 * DAY, state: 'degraded' }), aCheck()])).toBe('degraded');
  });
});

describe('worstOf', () => {
  it.each([
    [[], 'unknown'],
    [['operational', 'operational'], 'operational'],
    [['operational', 'unknown'], 'unknown'],
    [['maintenance', 'outage', 'operational'], 'outage'],
    [['maintenance', 'degraded'], 'degraded'],
    [['maintenance', 'unknown'], 'maintenance'],
  ] as const)('of %p is %s', (states, worst) => {
    expect(worstOf(states)).toBe(worst);
  });

  it('orders the states as published', () => {
    const severities = { operational: 0, unknown: 1, maintenance: 2, degraded: 3, outage: 4 };
    expect(Object.fromEntries(SERVICE_STATES.map((state) => [state, severityOf(state)]))).toEqual(severities);
    expect(SERVICE_STATES.filter(isRated)).toEqual(['operational', 'degraded', 'outage']);
  });
});

describe('validityOf', () => {
  it.each([
    [10 * SECOND, MIN_VALIDITY_MS],
    [5 * MINUTE, 15 * MINUTE],
    [HOUR, 3 * HOUR],
    [8 * HOUR, DAY],
    [DAY, DAY],
  ])('of an interval of %d ms is %d ms', (interval, validity) => {
    expect(validityOf(interval)).toBe(validity);
  });
});
