import fc from 'fast-check';
import {
  DAY,
  EARLIEST_INSTANT,
  HOUR,
  MINUTE,
  NotFoundError,
  SERVICE_STATES,
  startOfDay,
  startOfHour,
  type ListServicePeriodsInput,
  type PeriodPosition,
  type PeriodStatus,
  type StoredRecord,
} from '@vitrine/core';
import { aCheck, anIncident, aService, NOW, StandingClock } from '@vitrine/core/testing';
import { context, failing, fakeReaders } from '../../../test/fake-readers.js';
import { useCasesOver } from '../../../test/fake-use-cases.js';

const key = aService().key;
const today = startOfDay(NOW);
const range = { key, limit: 100, after: null, from: null, to: null };

function daysOver(records: readonly StoredRecord[], now = NOW) {
  const clock = new StandingClock(now);
  const readers = fakeReaders([aService(), ...records]);
  const { listServiceDays, getService } = useCasesOver(readers, clock);
  const list = async (over: Partial<ListServicePeriodsInput> = {}) => (await listServiceDays.execute({ ...range, ...over }, context)).data;
  const service = async () => (await getService.execute({ key }, context)).data;
  return { list, service, clock, readers };
}

function sumOf(days: readonly PeriodStatus[]) {
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
    expect(items.map(({ start }) => start)).toEqual(Array.from({ length: 91 }, (__, index) => startOfDay(now) - index * DAY));
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
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 5_000 : 6 },
    );
  });

  it('are the same in pages of any length, cut at the moment of the first page', async () => {
    const stored = Array.from({ length: 50 }, (_, index) => aCheck({ checkedAt: NOW - index * 43 * HOUR, validForMs: 6 * HOUR }));
    const whole = await daysOver(stored).list();
    for (const limit of process.env['VITRINE_TORTURE'] === '1' ? [1, 7, 90, 91] : [60]) {
      const { list, clock } = daysOver(stored);
      const joined: PeriodStatus[] = [];
      let after: PeriodPosition | null = null;
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
    await list({ limit: 2, after: { now: NOW, start: today - 3 * DAY } });
    expect(readers.calls).toContain(`check.days ${today - 5 * DAY} ${today - 3 * DAY}`);
    expect(readers.calls.filter((call) => call.startsWith('check.hours'))).toEqual([]);
  });

  it('are not moved into the future by a forged position', async () => {
    const forged = { now: NOW + 400 * DAY, start: today + 400 * DAY + 5 };
    expect((await daysOver([]).list({ after: forged })).items[0]?.start).toBe(today);
  });
});

describe('the days of a range', () => {
  const half = aCheck({ checkedAt: today - 10 * DAY, validForMs: 12 * HOUR });

  it('are whole days, from any moment of the first to any moment of the last', async () => {
    const { items } = await daysOver([half]).list({ from: today - 10 * DAY + 5 * HOUR, to: today - 9 * DAY + HOUR });
    expect(items.map(({ start, complete }) => [start, complete])).toEqual([
      [today - 9 * DAY, true],
      [today - 10 * DAY, true],
    ]);
    expect(items[1]).toMatchObject({ state: 'operational', uptimePercent: 100, coveragePercent: 50, checks: { operational: 1 } });
    expect(items[0]).toMatchObject({ state: 'unknown', uptimePercent: null, coveragePercent: 0 });
  });

  it('are one day for a single date', async () => {
    const { items } = await daysOver([half]).list({ from: today - 10 * DAY, to: today - 10 * DAY });
    expect(items.map(({ start }) => start)).toEqual([today - 10 * DAY]);
  });

  it('count a check at midnight in the day that begins', async () => {
    const { items } = await daysOver([half]).list({ from: today - 11 * DAY, to: today - 10 * DAY });
    expect(items.map(({ checks }) => checks.operational)).toEqual([1, 0]);
  });

  it('end today, which is not complete', async () => {
    const { items } = await daysOver([]).list({ from: today - DAY, to: NOW + 30 * DAY });
    expect(items.map(({ start, complete }) => [start, complete])).toEqual([
      [today, false],
      [today - DAY, true],
    ]);
  });

  it('begin 90 days before the end when only that is given, and go on to today when only the start is', async () => {
    expect((await daysOver([]).list({ to: today - 20 * DAY })).items.at(-1)?.start).toBe(today - 110 * DAY);
    expect((await daysOver([]).list({ from: today - 3 * DAY })).items).toHaveLength(4);
  });

  it('begin at the first day that can be written, at the earliest', async () => {
    const { items } = await daysOver([]).list({ to: EARLIEST_INSTANT + DAY });
    expect(items.map(({ start }) => start)).toEqual([EARLIEST_INSTANT + DAY, EARLIEST_INSTANT]);
  });

  it('are none in the future', async () => {
    expect(await daysOver([]).list({ from: today + DAY, to: today + 5 * DAY })).toEqual({ items: [], next: null });
    expect(await daysOver([]).list({ from: today + 500 * DAY })).toEqual({ items: [], next: null });
  });

  it('are 400 at most', async () => {
    const from = today - 399 * DAY;
    const first = await daysOver([]).list({ from, to: NOW });
    expect(first.items).toHaveLength(100);
    expect((await daysOver([]).list({ from, to: NOW, after: { now: NOW, start: from + DAY } })).items.map(({ start }) => start)).toEqual([from]);
    await expect(daysOver([]).list({ from: from - 1, to: NOW })).rejects.toMatchObject({
      kind: 'invalid_input',
      field: 'from',
      message: 'from must be less than 400 days before to, or before today without it',
    });
  });

  it('are not found for a service that is not known', async () => {
    const { listServiceDays } = useCasesOver(fakeReaders([]));
    await expect(listServiceDays.execute(range, context)).rejects.toEqual(new NotFoundError());
  });
});

describe('the hours of a service', () => {
  const hour = startOfHour(NOW);
  const listed = async (records: readonly StoredRecord[], over: Partial<ListServicePeriodsInput> = {}, now = NOW) => {
    const { listServiceHours } = useCasesOver(fakeReaders([aService(), ...records]), new StandingClock(now));
    return (await listServiceHours.execute({ ...range, ...over }, context)).data;
  };

  it('are those of the uptime window, newest first, the present one cut', async () => {
    const { items, next } = await listed([aCheck({ checkedAt: NOW - MINUTE }), aCheck({ checkedAt: hour - HOUR, state: 'outage' })]);
    expect(items.slice(0, 3).map(({ start, state, complete }) => [start, state, complete])).toEqual([
      [hour, 'operational', false],
      [hour - HOUR, 'outage', true],
      [hour - 2 * HOUR, 'unknown', true],
    ]);
    expect(items[1]).toMatchObject({ outageMs: 15 * MINUTE, degradedMs: 0 });
    expect(next).toEqual({ now: NOW, start: hour - 99 * HOUR });
  });

  it('are joined by pages to the same hours, also while time passes', async () => {
    const [first, last] = [today - 2 * DAY, today - DAY];
    const starts: number[] = [];
    let after: PeriodPosition | null = null;
    let now: number = NOW;
    do {
      const page: Awaited<ReturnType<typeof listed>> = await listed([], { from: first, to: last, limit: 7, after }, now);
      starts.push(...page.items.map(({ start }) => start));
      after = page.next;
      now += 3 * HOUR;
    } while (after !== null);
    expect(starts).toEqual(Array.from({ length: 25 }, (_, index) => last - index * HOUR));
  });

  it('are of at most 92 days', async () => {
    const from = today - 91 * DAY;
    expect((await listed([], { from, to: NOW })).items).toHaveLength(100);
    await expect(listed([], { from: from - 2 * DAY, to: NOW })).rejects.toMatchObject({ field: 'from', message: expect.stringContaining('92 days') });
  });
});

describe('the incidents of a day', () => {
  const idsOf = async (...records: readonly StoredRecord[]) => {
    const { items } = await daysOver(records).list({ from: today - 3 * DAY });
    return items.map(({ incidents }) => incidents);
  };

  it('are those of the service that were open in it', async () => {
    const incident = (id: string, startedAt: number, resolvedAt: number | null) =>
      anIncident({ id, startedAt, updatedAt: startedAt, resolvedAt, state: resolvedAt === null ? 'investigating' : 'resolved' });
    const found = await idsOf(
      incident('long', today - 2 * DAY - HOUR, today - DAY + HOUR),
      incident('open', today - DAY + 2 * HOUR, null),
      incident('old', today - 40 * DAY, today - 39 * DAY),
      incident('ends at midnight', today - 3 * DAY, today - 2 * DAY),
      { ...incident('other', today - HOUR, null), services: [] },
    );
    expect(found).toEqual([['open'], ['open', 'long'], ['long'], ['long', 'ends at midnight']]);
  });

  it('are planned maintenance at the time for which it is planned', async () => {
    const planned = {
      incidentKind: 'maintenance',
      state: 'completed',
      startedAt: today - 3 * DAY,
      scheduledFor: today - DAY,
      resolvedAt: null,
    } as const;
    expect(await idsOf(anIncident({ ...planned, id: 'planned', scheduledUntil: today - DAY + HOUR }))).toEqual([[], ['planned'], [], []]);
  });

  it('are left out, and missing in the answer, if they cannot be read', async () => {
    const readers = fakeReaders([aService(), aCheck()]);
    const { listServiceDays } = useCasesOver({ ...readers, incidents: { ...readers.incidents, list: failing } });
    const { data, dataStatus, warnings } = await listServiceDays.execute(range, context);
    expect([data.items[0]?.state, data.items[0]?.incidents, dataStatus]).toEqual(['operational', [], 'partial']);
    expect(warnings).toContainEqual({ code: 'SOURCE_UNAVAILABLE', source: 'incident', detail: 'Stored incident records could not be read.' });
  });
});
