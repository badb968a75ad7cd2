import { aCheck } from '../testing/status-builders.js';
import type { Check } from '../kinds/check.js';
import { DAY, HOUR } from '../kinds/instant.js';
import type { ServiceDay, StatusDay } from '../kinds/status-day.js';
import { changedDays, putOnDays, type ChangedDays, type Recount, type StoredDays } from './changing-days.js';

const TODAY = 20_000 * DAY;
const NOTHING: StoredDays = { days: [], checks: [] };

function checkAt(checkedAt: number, validForMs = HOUR): Check {
  return aCheck({ serviceKey: 'api', checkedAt, validForMs, state: 'operational' });
}

/** Puts checks, and returns which days were asked for, one list for each step. */
function putting(checks: readonly Check[], stored: (asked: readonly Recount[]) => StoredDays, isFrozen: (day: ServiceDay) => boolean = () => false) {
  const changes = checks.map((item) => ({ serviceKey: item.serviceKey, day: item.checkedAt - (item.checkedAt % DAY), since: item.checkedAt, item }));
  const steps = changedDays(changes, putOnDays, isFrozen);
  const asked: (readonly number[])[] = [];
  for (let step = steps.next(); ; step = steps.next(stored(step.value))) {
    if (step.done === true) return { asked, result: step.value };
    asked.push(step.value.map(({ from }) => from - TODAY));
  }
}

function onlyDay({ written: { days } }: ChangedDays<unknown>): StatusDay {
  const [day, ...others] = days;
  if (day === undefined || others.length > 0) throw new Error('not one day');
  return day.counted;
}

it('a check is counted from the start of its hour, and the hours before it keep their counts', () => {
  const first = onlyDay(putting([checkAt(TODAY + HOUR)], () => NOTHING).result);
  const { asked, result } = putting([checkAt(TODAY + 9.5 * HOUR)], () => ({ days: [first], checks: [] }));
  expect(asked).toEqual([[9 * HOUR]]);
  expect(result.written.days.map(({ from }) => from - TODAY)).toEqual([9 * HOUR]);
  expect(onlyDay(result).counts.operational).toBe(2);
});

it('a check that is valid beyond midnight changes the next day, which is asked for', () => {
  const { asked, result } = putting([checkAt(TODAY + 23.5 * HOUR)], () => NOTHING);
  expect(asked).toEqual([[23 * HOUR], [DAY]]);
  expect(result.written.days.map(({ counted }) => counted.day - TODAY)).toEqual([0, DAY]);
});

it('a frozen day keeps its counts', () => {
  const frozen = { ...onlyDay(putting([checkAt(TODAY + HOUR)], () => NOTHING).result), day: TODAY + DAY };
  const stored = (asked: readonly Recount[]) => ({ days: asked.some(({ day }) => day === frozen.day) ? [frozen] : [], checks: [] });
  const { result } = putting([checkAt(TODAY + 23.5 * HOUR)], stored, ({ day }) => day === frozen.day);
  expect(onlyDay(result).day).toBe(TODAY);
});

it('a check that is stored already changes nothing, and no further day is read', () => {
  const check = checkAt(TODAY + 23.5 * HOUR);
  const { asked, result } = putting([check], () => ({ days: [], checks: [check] }));
  expect([asked.length, result.effective, result.written.days]).toEqual([1, [], []]);
});
