import { DAY, HOUR, InvalidInputError, startOfDay, startOfHour, type BoardDay, type PeriodStatus, type StoredRecord } from '@vitrine/core';
import { aCheck, aService, NOW, StandingClock } from '@vitrine/core/testing';
import { context, fakeReaders } from '../../../test/fake-readers.js';
import { useCasesOver } from '../../../test/fake-use-cases.js';

const TODAY = startOfDay(NOW);

function daysOver(records: readonly StoredRecord[]) {
  const readers = fakeReaders(records);
  const { listAllServiceDays, listServiceDays } = useCasesOver(readers, new StandingClock(NOW));
  const all = (days: number) => listAllServiceDays.execute({ days }, context);
  const one = (key: string) => listServiceDays.execute({ key, limit: 100, after: null, from: null, to: null }, context);
  return { all, one, calls: readers.calls };
}

/** The same of the list of one service. */
function boardDayOf({ state, outageMs, degradedMs, checks: counts }: PeriodStatus): BoardDay {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { state, outageMs: all === 0 ? null : outageMs, degradedMs: all === 0 ? null : degradedMs, checks: all, failed: counts.outage };
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

describe('the days of all services', () => {
  it('are those of the uptime window of each service alone, by key, cut at the same moment', async () => {
    const { all, one } = daysOver([...services, ...checks]);
    const { data } = await all(91);
    expect(data.map(({ service }) => service.key)).toEqual(['acme:a', 'acme:b', 'acme:never']);
    for (const { service, days } of data) expect(days).toEqual((await one(service.key)).data.items.map(boardDayOf));
  });

  it('are listed newest first, also those without a check', async () => {
    const [first] = (await daysOver([...services, ...checks]).all(4)).data;
    expect(first?.days.map(({ state }) => state)).toEqual(['outage', 'unknown', 'operational', 'unknown']);
  });

  it('need as many reads for many services as for one', async () => {
    const { all, calls } = daysOver([...services, ...checks]);
    await all(90);
    // Once the evidence of today, once the days, once the hours of the day that is cut.
    expect(calls.filter((call) => call.startsWith('check.')).map((call) => call.split(' ')[0])).toEqual([
      'check.present',
      'check.sums',
      'check.days',
      'check.sums',
    ]);
  });

  it('change when a UTC day begins', async () => {
    const { changesAt, generatedAt } = await daysOver(services).all(90);
    expect([changesAt, generatedAt]).toEqual([TODAY + DAY, NOW]);
  });

  it.each([0, 367, 1.5, Number.NaN])('are not %d', async (days) => {
    await expect(daysOver([]).all(days)).rejects.toThrow(InvalidInputError);
  });
});
