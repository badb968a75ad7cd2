import fc from 'fast-check';
import { MINUTE } from '../domain/shared/instant.js';
import { aSync, NOW } from '../testing/index.js';
import { combinedStatus, freshnessOf, type DataStatus } from './freshness.js';

const STATUSES: readonly DataStatus[] = ['unavailable', 'partial', 'stale', 'unknown', 'fresh'];

describe('freshnessOf', () => {
  const synced = (age: number, intervalMs = 5 * MINUTE) => aSync({ lastSuccessAt: NOW - age, intervalMs });

  it.each([
    [0, 'fresh'],
    [10 * MINUTE, 'fresh'],
    [10 * MINUTE + 1, 'stale'],
    [-MINUTE, 'fresh'],
  ])('of a run %d ms ago, one every five minutes, is %s', (age, status) => {
    expect(freshnessOf('commit', [synced(age)], NOW)).toBe(status);
  });

  it('is unknown when no run for the kind is recorded', () => {
    expect(freshnessOf('commit', [], NOW)).toBe('unknown');
    expect(freshnessOf('news', [synced(0)], NOW)).toBe('unknown');
  });

  it('is judged by the newest run, in any order', () => {
    const runs = [synced(60 * MINUTE), synced(MINUTE), synced(30 * MINUTE)];
    expect(freshnessOf('commit', runs, NOW)).toBe('fresh');
    expect(freshnessOf('commit', [...runs].reverse(), NOW)).toBe('fresh');
  });
});

describe('combinedStatus', () => {
  it('lets the strongest count', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STATUSES), { minLength: 1 }), (statuses) => {
        expect(combinedStatus(statuses)).toBe(STATUSES.find((status) => statuses.includes(status)));
      }),
    );
  });

  it('is unknown when there is nothing to judge', () => {
    expect(combinedStatus([])).toBe('unknown');
  });
});
