import type { Check, ServiceState } from '../../kinds/check.js';
import { DAY, EARLIEST_INSTANT, HOUR, type Instant, MINUTE, startOfDay } from '../../kinds/instant.js';
import type { Tally } from '../../kinds/status-day.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { tallyOf, tallyOfPeriod, uptimeWindow } from '../../rules/uptime.js';
import { NOW, aProvenance } from '../builders.js';
import { assertSame } from '../contract.js';
import { evidenceFrom } from '../evidence-from.js';
import { aCheck } from '../status-builders.js';
import type { StorePromise } from './check-promises.js';

export const COUNT_PROMISES: readonly StorePromise[] = [
  { name: 'a window counts both its ends, and stored days and hours only what lies inside', run: windowsDaysAndHours },
  { name: 'ranges begin at a full hour and end before a day, each with its own sum', run: ranges },
  { name: 'time in outage and degraded ends with the next rated check of the source, of several sources the worst counts', run: timesDown },
];

/** The fields of a tally. */
export function tallyPart({ counts, coveredMs, outageMs, degradedMs, changedAt, latency }: Tally): Tally {
  return { counts, coveredMs, outageMs, degradedMs, changedAt, latency };
}

function check(serviceKey: string, checkedAt: Instant, source: string, state: ServiceState = 'operational'): Check {
  return aCheck({ serviceKey, checkedAt, state, provenance: aProvenance({ source, observedAt: checkedAt }) });
}

async function windowsDaysAndHours({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const today = startOfDay(NOW);
  const window = uptimeWindow(2, NOW);
  const times = [window.from - 1, window.from, today - DAY, today - 1, today, NOW - 1, NOW, NOW + 1];
  const checks = times.map((time, index) => ({
    ...check('acme:api', time, 'a', index === 3 ? 'outage' : 'operational'),
    responseTimeMs: index * 100,
  }));
  await writer.put(checks, context);
  const windows = [window, uptimeWindow(1, NOW), { ...uptimeWindow(30, NOW), withoutLatency: true }];
  const asked = { serviceKeys: ['acme:api'], windows, now: NOW };
  const found = (await evidenceFrom(readers.checks, asked, context)).get('acme:api');
  assertSame(
    found?.tallies,
    windows.map((one) => tallyOf(checks, one, NOW)),
    'one tally for each window, in their order',
  );
  const yesterday = { from: today - DAY, to: today };
  const days = (await readers.checks.days({ serviceKeys: ['acme:api'], window: yesterday }, context)).get('acme:api') ?? [];
  assertSame(
    days.map((day) => [day.day, tallyPart(day), day.hours]),
    [[today - DAY, tallyOfPeriod(checks, yesterday), []]],
    'the day before today',
  );
  const hours = await readers.checks.hours('acme:api', { from: today - HOUR, to: today + HOUR }, context);
  assertSame(
    hours.map((hour) => [hour.hour, tallyPart(hour)]),
    [today - HOUR, today].map((hour) => [hour, tallyOfPeriod(checks, { from: hour, to: hour + HOUR })]),
    'two hours',
  );
  assertSame(await readers.checks.hours('acme:none', yesterday, context), [], 'the hours of a service without checks');
}

async function ranges({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const today = startOfDay(NOW);
  const checks = [today - 3 * DAY, today - 2 * DAY - 1, today - DAY - HOUR, today - DAY - HOUR - 1, today - 1, today].map((time, index) => ({
    ...check('acme:api', time, 'a'),
    responseTimeMs: 10 + index,
  }));
  await writer.put([...checks, check('acme:docs', today - 2 * DAY, 'a')], context);
  const asked = [
    { from: today - 3 * DAY, to: today },
    { from: today - 2 * DAY - HOUR, to: today - DAY },
    { from: today - DAY - HOUR, to: today - DAY },
    { from: today - HOUR, to: today, withoutLatency: true },
    { from: EARLIEST_INSTANT, to: today - 3 * DAY },
    { from: today, to: today },
  ];
  const found = await readers.checks.sums({ serviceKeys: null, ranges: asked }, context);
  assertSame([...found.keys()].sort(), ['acme:api', 'acme:docs'], 'the services with sums');
  const expected = asked.map((range) => tallyOfPeriod(checks, range));
  assertSame(found.get('acme:api'), expected, 'one sum for each range, in their order');
  const one = await readers.checks.sums({ serviceKeys: ['acme:api', 'acme:none'], ranges: asked.slice(1, 2) }, context);
  assertSame([...one], [['acme:api', expected.slice(1, 2)]], 'the sum of one service');
  assertSame((await readers.checks.sums({ serviceKeys: [], ranges: asked }, context)).size, 0, 'no service');
}

async function timesDown({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const midnight = startOfDay(NOW);
  const at = (minutes: number, source: string, state: ServiceState): Check => check('acme:api', midnight + minutes * MINUTE, source, state);
  const checks = [
    at(-10, 'a', 'outage'),
    // Neither of these is rated, so the outage goes on.
    at(-5, 'a', 'maintenance'),
    at(-4, 'a', 'unknown'),
    at(2, 'a', 'degraded'),
    at(4, 'b', 'outage'),
    at(10, 'a', 'operational'),
    at(12, 'b', 'operational'),
    // Nothing follows: it counts for its validity of 15 minutes.
    at(30, 'a', 'outage'),
  ];
  await writer.put(checks.toReversed(), context);
  const yesterday = await readers.checks.hours('acme:api', { from: midnight - HOUR, to: midnight }, context);
  assertSame(
    yesterday.map(({ outageMs, degradedMs }) => [outageMs, degradedMs]),
    [[10 * MINUTE, 0]],
    'the last hour of the day before',
  );
  const [hour] = await readers.checks.hours('acme:api', { from: midnight, to: midnight + HOUR }, context);
  assertSame([hour?.outageMs, hour?.degradedMs], [(2 + 8 + 15) * MINUTE, 2 * MINUTE], 'the first hour of the day');
  const days = await readers.checks.days({ serviceKeys: null, window: { from: midnight - DAY, to: midnight + DAY } }, context);
  assertSame(
    days.get('acme:api')?.map(({ outageMs, degradedMs }) => [outageMs, degradedMs]),
    [
      [10 * MINUTE, 0],
      [25 * MINUTE, 2 * MINUTE],
    ],
    'both days',
  );
}
