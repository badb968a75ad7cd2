import { type Check, MAX_VALIDITY_MS, type ServiceState } from '../../kinds/check.js';
import { DAY, HOUR, type Instant, MINUTE, startOfDay } from '../../kinds/instant.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { currentState } from '../../rules/service-status.js';
import { mergeTallies, tallyOf, tallyOfPeriod, uptimeWindow } from '../../rules/uptime.js';
import { NOW, aProvenance } from '../builders.js';
import { assertSame } from '../contract.js';
import { evidenceFrom } from '../evidence-from.js';
import { aCheck } from '../status-builders.js';
import type { StorePromise } from './check-promises.js';
import { tallyPart } from './count-promises.js';

export const LONG_VALIDITY_PROMISES: readonly StorePromise[] = [
  { name: 'a check that is valid for 32 days covers the days without checks, and shows the state until it ends', run: longValidity },
  {
    name: 'a check that is valid for 32 days and arrives late, is corrected or is removed changes the coverage of all days after it',
    run: lateLongValidity,
  },
];

function check(serviceKey: string, checkedAt: Instant, source: string): Check {
  return aCheck({ serviceKey, checkedAt, provenance: aProvenance({ source, observedAt: checkedAt }) });
}

async function longValidity(store: RecordStore, context: ReadContext): Promise<void> {
  const beat = { ...check('acme:api', NOW - 31 * DAY, 'a'), validForMs: MAX_VALIDITY_MS };
  await store.writer.put([beat, check('acme:docs', NOW - MINUTE, 'a')], context);
  await countedAsRaw(store, [beat], NOW, context);
  const found = (await evidenceFrom(store.readers.checks, { serviceKeys: ['acme:api'], windows: [], now: NOW }, context)).get('acme:api');
  const stateAt = (now: Instant): ServiceState => currentState(found?.newest ?? [], now);
  const end = beat.checkedAt + MAX_VALIDITY_MS;
  assertSame(
    [stateAt(NOW), stateAt(end - 1), stateAt(end)],
    ['operational', 'operational', 'unknown'],
    'the state until the check is no longer valid',
  );
}

async function lateLongValidity(store: RecordStore, context: ReadContext): Promise<void> {
  const daily = [38, 37, 36, 20, 9, 8, 3, 0].map((days) => check('acme:api', NOW - days * DAY - HOUR, 'a'));
  await store.writer.put(daily, context);
  const late = { ...check('acme:api', NOW - 37 * DAY, 'b'), validForMs: MAX_VALIDITY_MS };
  await store.writer.put([late], context);
  await countedAsRaw(store, [...daily, late], NOW, context);
  // The worse state is kept, and it is valid for a shorter time.
  const corrected = { ...late, state: 'outage' as const, validForMs: 10 * DAY };
  await store.writer.put([corrected, { ...check('acme:docs', NOW - 20 * DAY, 'a'), validForMs: 2 * DAY }], context);
  await countedAsRaw(store, [...daily, corrected], NOW + 2 * MINUTE, context);
  await store.writer.remove([{ kind: 'check', serviceKey: 'acme:api', checkedAt: corrected.checkedAt, source: 'b' }], context);
  await countedAsRaw(store, daily, NOW + 4 * MINUTE, context);
}

/** Windows, days and hours of the first service are counted as its raw checks say. */
async function countedAsRaw({ readers }: RecordStore, checks: readonly Check[], now: Instant, context: ReadContext): Promise<void> {
  const windows = [90, 35, 30, 12, 1].map((days) => uptimeWindow(days, now));
  const found = (await evidenceFrom(readers.checks, { serviceKeys: ['acme:api'], windows, now }, context)).get('acme:api');
  assertSame(
    found?.tallies,
    windows.map((window) => tallyOf(checks, window, now)),
    'windows',
  );
  const window = { from: startOfDay(now) - 40 * DAY, to: startOfDay(now) };
  const days = (await readers.checks.days({ serviceKeys: ['acme:api'], window }, context)).get('acme:api') ?? [];
  for (const day of days) assertSame(tallyPart(day), tallyOfPeriod(checks, { from: day.day, to: day.day + DAY }), `the day ${String(day.day)}`);
  assertSame(tallyPart(mergeTallies(days)), tallyOfPeriod(checks, window), 'the sum of all days');
  const hours = await readers.checks.hours('acme:api', window, context);
  assertSame(tallyPart(mergeTallies(hours)), tallyOfPeriod(checks, window), 'the sum of all hours');
}
