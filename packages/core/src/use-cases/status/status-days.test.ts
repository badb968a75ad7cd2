import {
  DAY,
  HOUR,
  dayFiguresOf,
  startOfDay,
  startOfHour,
  UNCHECKED_DAY,
  type DayFigures,
  type PeriodStatus,
  type StoredRecord,
} from '@vitrine/core';
import { aCheck, aService, NOW, StandingClock } from '@vitrine/core/testing';
import { context, fakeReaders } from '../../../test/fake-readers.js';
import { useCasesOver } from '../../../test/fake-use-cases.js';

const TODAY = startOfDay(NOW);

function statusOver(records: readonly StoredRecord[], readers = fakeReaders(records)) {
  const { getStatus, listServiceDays } = useCasesOver(readers, new StandingClock(NOW));
  const status = (days?: number) => getStatus.execute(days === undefined ? {} : { days }, context);
  const one = async (key: string) => (await listServiceDays.execute({ key, limit: 100, after: null, from: null, to: null }, context)).data.items;
  /** Of each service by its key, newest first. */
  const all = async (count: number): Promise<ReadonlyMap<string, readonly DayFigures[]>> => {
    const { data, days } = await status(count);
    const past = (key: string) =>
      Array.from({ length: count - 1 }, (_, index) => days?.past.get(key)?.get(TODAY - (index + 1) * DAY) ?? UNCHECKED_DAY);
    return new Map(data.services.map(({ key }) => [key, [days?.today.get(key) ?? UNCHECKED_DAY, ...past(key)]]));
  };
  return { status, one, all, calls: readers.calls };
}

/** The same of the list of one service. */
function figuresOf({ outageMs, degradedMs, checks: counts }: PeriodStatus): DayFigures {
  return dayFiguresOf({ counts, outageMs, degradedMs });
}

/** Of the present day, a status does not tell nothing from no time. */
function withTimes(days: readonly DayFigures[]): readonly DayFigures[] {
  return days.map((day) => ({ ...day, outageMs: day.outageMs ?? 0, degradedMs: day.degradedMs ?? 0 }));
}

const services = ['acme:b', 'acme:a', 'acme:never'].map((key) => aService({ key }));
const checks = [
  aCheck({ serviceKey: 'acme:a', checkedAt: NOW - HOUR, state: 'outage' }),
  aCheck({ serviceKey: 'acme:a', checkedAt: TODAY - 2 * DAY }),
  aCheck({ serviceKey: 'acme:b', checkedAt: TODAY - DAY }),
  aCheck({ serviceKey: 'acme:a', checkedAt: startOfHour(NOW) - 90 * DAY - 1 }),
  aCheck({ serviceKey: 'acme:b', checkedAt: startOfHour(NOW) - 90 * DAY }),
  aCheck({ serviceKey: 'acme:gone', checkedAt: TODAY }),
];

describe('the days of a status', () => {
  it('are those of the uptime window of each service alone, cut at the same moment', async () => {
    const { all, one } = statusOver([...services, ...checks]);
    const found = await all(91);
    expect([...found.keys()]).toEqual(['acme:a', 'acme:b', 'acme:never']);
    for (const [key, days] of found) expect(withTimes(days)).toEqual(withTimes((await one(key)).map(figuresOf)));
  });

  it('say also of a day without a check that there was none', async () => {
    const days = (await statusOver([...services, ...checks]).all(4)).get('acme:a');
    expect(days?.map(({ state }) => state)).toEqual(['outage', 'unknown', 'operational', 'unknown']);
  });

  it('say how long an outage lasted on a day whose own checks are good, or that has none', async () => {
    const outage = aCheck({ serviceKey: 'acme:b', checkedAt: TODAY - 3 * DAY + HOUR, state: 'outage', validForMs: 30 * DAY });
    const good = aCheck({ serviceKey: 'acme:b', checkedAt: TODAY - DAY + HOUR });
    const [, afterwards, between, first] = (await statusOver([...services, outage, good]).all(6)).get('acme:b') ?? [];
    expect([afterwards, between, first]).toEqual([
      { state: 'outage', outageMs: HOUR, degradedMs: 0, checks: 1, failed: 0 },
      { state: 'outage', outageMs: DAY, degradedMs: 0, checks: 0, failed: 0 },
      { state: 'outage', outageMs: 23 * HOUR, degradedMs: 0, checks: 1, failed: 1 },
    ]);
  });

  it('count failed checks among those that count for uptime', async () => {
    const own = (['outage', 'operational', 'unknown', 'maintenance'] as const).map((state, index) =>
      aCheck({ serviceKey: 'acme:b', checkedAt: TODAY - DAY + index * HOUR, state }),
    );
    const [, day] = (await statusOver([...services, ...own]).all(4)).get('acme:b') ?? [];
    expect([day?.failed, day?.checks]).toEqual([1, 2]);
  });

  it('need as many reads for many services as for one, and none when they are not asked for', async () => {
    const { status, calls } = statusOver([...services, ...checks]);
    const checkReads = () => calls.flatMap((call) => (call.startsWith('check.') ? call.split(' ')[0] : [])).sort();
    expect((await status()).days).toBeNull();
    expect(checkReads()).toEqual(['check.present', 'check.sums']);
    calls.length = 0;
    await status(90);
    // The evidence once, the days once, and once the hours of the day that is cut.
    expect(checkReads()).toEqual(['check.days', 'check.present', 'check.sums', 'check.sums']);
  });

  it('change when a UTC day begins', async () => {
    const { status } = statusOver(services);
    expect([(await status(90)).changesAt, (await status()).changesAt]).toEqual([TODAY + DAY, null]);
  });

  it('are missing with a warning if they cannot be read, and the services are still there', async () => {
    const readers = fakeReaders([...services, ...checks]);
    const failing = () => Promise.reject(new Error('connection reset'));
    const { data, days, dataStatus, warnings } = await statusOver([], { ...readers, checks: { ...readers.checks, days: failing } }).status(91);
    expect([data.services.length, days, dataStatus, warnings.map(({ code, source }) => `${code} ${source}`)]).toEqual([
      3,
      null,
      'partial',
      ['SOURCE_UNAVAILABLE check'],
    ]);
  });
});
