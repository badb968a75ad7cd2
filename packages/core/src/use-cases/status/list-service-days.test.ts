import fc from 'fast-check';
import {
  DAY,
  HOUR,
  MINUTE,
  NotFoundError,
  SERVICE_STATES,
  startOfDay,
  type DayPosition,
  type DayStatus,
  type ListServiceDaysInput,
  type StoredRecord,
} from '@vitrine/core';
import { aCheck, aService, NOW, StandingClock } from '@vitrine/core/testing';
import { context, fakeReaders } from '../../../test/fake-readers.js';
import { useCasesOver } from '../../../test/fake-use-cases.js';

const key = aService().key;
const today = startOfDay(NOW);
const range = { key, limit: 100, after: null, from: null, to: null };

function daysOver(records: readonly StoredRecord[], now = NOW) {
  const clock = new StandingClock(now);
  const readers = fakeReaders([aService(), ...records]);
  const { listServiceDays, getService } = useCasesOver(readers, clock);
  const list = async (over: Partial<ListServiceDaysInput> = {}) => (await listServiceDays.execute({ ...range, ...over }, context)).data;
  const service = async () => (await getService.execute({ key }, context)).data;
  return { list, service, clock, readers };
}

function sumOf(days: readonly DayStatus[]) {
  const total = { operational: 0, degraded: 0, outage: 0, maintenance: 0, unknown: 0 };
  for (const { checks } of days) for (const state of SERVICE_STATES) total[state] += checks[state];
  return total;
}

describe('the days of the uptime window', () => {
  it.each([
    ['some time of the day', NOW],
    ['midnight sharp', today],
    ['a millisecond before midnight', today - 1],
    ['a millisecond after midnight', today + 1],
    ['a leap day', Date.UTC(2028, 1, 29, 12)],
    ['the end of a year', Date.UTC(2026, 11, 31, 23, 59, 59, 999)],
  ])('are 91 dates at %s, newest first, every one listed', async (_, now) => {
    const { items, next } = await daysOver([], now).list();
    expect(items.map(({ day }) => day)).toEqual(Array.from({ length: 91 }, (__, index) => startOfDay(now) - index * DAY));
    expect(next).toBeNull();
  });

  it('cuts both ends at the window', async () => {
    const { items } = await daysOver([aCheck({ checkedAt: NOW - 100 * DAY })]).list();
    expect(items.map(({ complete }) => complete)).toEqual([false, ...Array.from({ length: 89 }, () => true), false]);
  });

  it('are unknown and null where nothing was checked', async () => {
    const { items } = await daysOver([]).list();
    expect(items.every((day) => day.state === 'unknown' && day.uptimePercent === null && day.coveragePercent === null)).toBe(true);
  });

  const times = fc.oneof(
    fc.integer({ min: NOW - 92 * DAY, max: NOW + 2 * MINUTE }),
    fc.constantFrom(NOW, NOW - 90 * DAY, NOW - 90 * DAY - 1, NOW + MINUTE, NOW + MINUTE + 1, today, today - 1, today - DAY),
  );
  const checks = fc.array(
    fc
      .record({ checkedAt: times, state: fc.constantFrom(...SERVICE_STATES), responseTimeMs: fc.nat({ max: 500 }) })
      .map((over) => aCheck({ ...over, validForMs: 6 * HOUR })),
    { maxLength: 40 },
  );
  const moments = fc.constantFrom(NOW, today, today + 1, today - 1);

  it('sum up to the published figures, whatever was checked and when', async () => {
    await fc.assert(
      fc.asyncProperty(checks, moments, async (list, now) => {
        const { list: days, service } = daysOver(list, now);
        expect(sumOf((await days()).items)).toEqual((await service()).checks);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 5_000 : 40 },
    );
  });

  it('are the same in pages of any length, cut at the moment of the first page', async () => {
    const stored = Array.from({ length: 200 }, (_, index) => aCheck({ checkedAt: NOW - index * 11 * HOUR, validForMs: 6 * HOUR }));
    const whole = await daysOver(stored).list();
    for (const limit of [1, 7, 90, 91]) {
      const { list, clock } = daysOver(stored);
      const joined: DayStatus[] = [];
      let after: DayPosition | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ limit, after });
        expect(page.items.length === limit || page.next === null).toBe(true);
        joined.push(...page.items);
        after = page.next;
        clock.set(clock.now() + 3 * HOUR);
      } while (after !== null);
      expect(joined).toEqual(whole.items);
    }
  });

  it('reads no more days than a page shows', async () => {
    const { list, readers } = daysOver([]);
    await list({ limit: 2, after: { now: NOW, day: today - 3 * DAY } });
    expect(readers.calls).toContain(`check.days ${today - 5 * DAY} ${today - 3 * DAY}`);
  });

  it('are not moved into the future by a forged position', async () => {
    const forged = { now: NOW + 400 * DAY, day: today + 400 * DAY + 5 };
    expect((await daysOver([]).list({ after: forged })).items[0]?.day).toBe(today);
  });
});

describe('the days of a range', () => {
  const half = aCheck({ checkedAt: today - 10 * DAY, validForMs: 12 * HOUR });

  it('are whole days, from any moment of the first to any moment of the last', async () => {
    const { items } = await daysOver([half]).list({ from: today - 10 * DAY + 5 * HOUR, to: today - 9 * DAY + HOUR });
    expect(items.map(({ day, complete }) => [day, complete])).toEqual([
      [today - 9 * DAY, true],
      [today - 10 * DAY, true],
    ]);
    expect(items[1]).toMatchObject({ state: 'operational', uptimePercent: 100, coveragePercent: 50, checks: { operational: 1 } });
    expect(items[0]).toMatchObject({ state: 'unknown', uptimePercent: null, coveragePercent: 0 });
  });

  it('are one day for a single date', async () => {
    const { items } = await daysOver([half]).list({ from: today - 10 * DAY, to: today - 10 * DAY });
    expect(items.map(({ day }) => day)).toEqual([today - 10 * DAY]);
  });

  it('count a check at midnight in the day that begins', async () => {
    const { items } = await daysOver([half]).list({ from: today - 11 * DAY, to: today - 10 * DAY });
    expect(items.map(({ checks }) => checks.operational)).toEqual([1, 0]);
  });

  it('end today, which is not complete', async () => {
    const { items } = await daysOver([]).list({ from: today - DAY, to: NOW + 30 * DAY });
    expect(items.map(({ day, complete }) => [day, complete])).toEqual([
      [today, false],
      [today - DAY, true],
    ]);
  });

  it('begin 90 days before the end when only that is given, and go on to today when only the start is', async () => {
    expect((await daysOver([]).list({ to: today - 20 * DAY })).items.at(-1)?.day).toBe(today - 110 * DAY);
    expect((await daysOver([]).list({ from: today - 3 * DAY })).items).toHaveLength(4);
  });

  it('are none in the future', async () => {
    expect(await daysOver([]).list({ from: today + DAY, to: today + 5 * DAY })).toEqual({ items: [], next: null });
    expect(await daysOver([]).list({ from: today + 500 * DAY })).toEqual({ items: [], next: null });
  });

  it('are 400 at most', async () => {
    const from = today - 399 * DAY;
    const first = await daysOver([]).list({ from, to: NOW });
    expect(first.items).toHaveLength(100);
    expect((await daysOver([]).list({ from, to: NOW, after: { now: NOW, day: from + DAY } })).items.map(({ day }) => day)).toEqual([from]);
    await expect(daysOver([]).list({ from: from - 1, to: NOW })).rejects.toMatchObject({
      kind: 'invalid_input',
      field: 'from',
      message: 'must be less than 400 days before to, or before today without it',
    });
  });

  it('are not found for a service that is not known', async () => {
    const { listServiceDays } = useCasesOver(fakeReaders([]));
    await expect(listServiceDays.execute(range, context)).rejects.toEqual(new NotFoundError());
  });
});
