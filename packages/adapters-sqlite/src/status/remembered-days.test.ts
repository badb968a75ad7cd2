import { DAY, MINUTE, NO_CHECKS, startOfDay, type DaySlice, type DaysQuery, type Instant } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { RememberedDays } from './remembered-days.js';

const TODAY = startOfDay(NOW);
const boardOf = (days: number, now = NOW): DaysQuery => ({
  serviceKeys: null,
  window: { from: startOfDay(now) - days * DAY, to: now, withoutLatency: true },
  now,
});

/** A store that holds a number for each day of a service, and counts how often days that have ended are read. */
function started() {
  const stored = new Map<string, Map<Instant, number>>();
  const remembered = new RememberedDays();
  let [changes, pastReads] = [0, 0];
  const slicesOf = ({ serviceKeys, window }: DaysQuery): ReadonlyMap<string, readonly DaySlice[]> => {
    const isAsked = (day: Instant): boolean => day >= startOfDay(window.from) && day <= window.to;
    const all = [...stored]
      .filter(([key]) => serviceKeys?.includes(key) ?? true)
      .map(([key, days]) => {
        const asked = [...days].filter(([day]) => isAsked(day)).sort(([a], [b]) => a - b);
        const slices = asked.map(([day, operational]) => ({
          day,
          tally: { counts: { ...NO_CHECKS, operational }, coveredMs: 0, latency: { buckets: [], max: 0 } },
        }));
        return [key, slices] as const;
      });
    return new Map(all.filter(([, slices]) => slices.length > 0));
  };
  return {
    pastReads: () => pastReads,
    /** @param isCounted whether the store counts it as a change of a day that has ended */
    put: (key: string, day: Instant, count: number, isCounted = day < TODAY) => {
      stored.set(key, new Map([...(stored.get(key) ?? []), [day, count]]));
      if (isCounted) changes++;
    },
    expectSame: async (query: DaysQuery) => {
      const found = await remembered.days(query, changes, (asked) => {
        if (asked.window.from < startOfDay(asked.now)) pastReads++;
        return Promise.resolve(slicesOf(asked));
      });
      expect(new Map([...found].sort())).toEqual(new Map([...slicesOf(query)].sort()));
    },
  };
}

describe('remembered days', () => {
  it('are those that are stored, whatever is written, and are read once while no past day changes', async () => {
    const { put, expectSame, pastReads } = started();
    put('a', TODAY - 3 * DAY, 1);
    put('a', TODAY, 1);
    put('b', TODAY - 40 * DAY, 1);
    for (let time = 0; time < 2; time++) await expectSame(boardOf(89));
    put('a', TODAY, 2);
    put('new', TODAY, 1);
    await expectSame(boardOf(89));
    expect(pastReads()).toBe(1);
    put('a', TODAY - 2 * DAY, 1);
    put('c', TODAY - DAY, 1);
    await expectSame(boardOf(89));
    expect(pastReads()).toBe(2);
    await expectSame(boardOf(365));
    expect(pastReads()).toBe(3);
    await expectSame(boardOf(365, NOW + DAY));
    expect(pastReads()).toBe(4);
  });

  it('hold a write of the last day that was stored after midnight, after at most a minute', async () => {
    const { put, expectSame, pastReads } = started();
    put('a', TODAY - DAY, 1);
    await expectSame(boardOf(89));
    put('a', TODAY - DAY, 2, false);
    await expectSame(boardOf(89, NOW + MINUTE + 1));
    await expectSame(boardOf(89, NOW + MINUTE));
    expect(pastReads()).toBe(3);
  });

  it.each<[string, Partial<DaysQuery>]>([
    ['of single services', { serviceKeys: ['a'] }],
    ['with response times', { window: { from: TODAY - 9 * DAY, to: NOW } }],
    ['of today', { window: { from: TODAY, to: NOW, withoutLatency: true } }],
    ['of the past alone', { window: { from: TODAY - 9 * DAY, to: TODAY - DAY, withoutLatency: true } }],
  ])('are not kept if they are %s', async (_what, other) => {
    const { put, expectSame } = started();
    put('a', TODAY - 3 * DAY, 1);
    put('b', TODAY, 1);
    for (let time = 0; time < 3; time++) await expectSame(time === 1 ? boardOf(9) : { ...boardOf(9), ...other });
  });

  it('are not kept of so many services and days that they would fill the memory', async () => {
    const { put, expectSame, pastReads } = started();
    for (let service = 0; service < 120; service++) for (let day = 1; day <= 366; day++) put(String(service), TODAY - day * DAY, day);
    for (let time = 0; time < 2; time++) await expectSame(boardOf(366));
    expect(pastReads()).toBe(2);
  });
});
