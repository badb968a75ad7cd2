import { DAY, HOUR, MINUTE, type Instant } from '../../domain/shared/instant.js';
import { MAX_VALIDITY_MS, type Check } from '../../domain/status/check.js';
import type { ServiceState } from '../../domain/status/service-state.js';
import { currentState } from '../../policies/service-state.js';
import { mergeTallies, tallyOf } from '../../policies/tally.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { RecordStore } from '../../ports/store.js';
import { aProvenance, NOW } from '../builders.js';
import { assertSame } from '../contract.js';
import { aCheck } from '../status-builders.js';
import type { StorePromise } from './check-promises.js';

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
  const found = (await store.readers.checks.evidence({ serviceKeys: ['acme:api'], windows: [], now: NOW }, context)).get('acme:api');
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

/** Windows and days of the first service are counted as its raw checks say. Call it later each time, because a store may remember past days for a minute. */
async function countedAsRaw({ readers }: RecordStore, checks: readonly Check[], now: Instant, context: ReadContext): Promise<void> {
  const windows = [90, 35, 30, 12, 1].flatMap((days) => [
    { from: now - days * DAY, to: now },
    { from: now - days * DAY - 9 * HOUR, to: now - days * DAY + 5 * HOUR },
  ]);
  const found = (await readers.checks.evidence({ serviceKeys: ['acme:api'], windows, now }, context)).get('acme:api');
  assertSame(
    found?.tallies,
    windows.map((window) => tallyOf(checks, window, now)),
    'windows',
  );
  const window = { from: now - 40 * DAY, to: now };
  const slices = (await readers.checks.days({ serviceKeys: ['acme:api'], window, now }, context)).get('acme:api') ?? [];
  for (const { day, tally } of slices) {
    const cut = { from: Math.max(day, window.from), to: Math.min(day + DAY, now) };
    const expected = tallyOf(
      checks.filter(({ checkedAt }) => checkedAt < day + DAY),
      cut,
      now,
    );
    assertSame([tally.counts, tally.coveredMs], [expected.counts, expected.coveredMs], `the day ${String(day)}`);
  }
  assertSame(mergeTallies(slices.map(({ tally }) => tally)).coveredMs, tallyOf(checks, window, now).coveredMs, 'the coverage of all days');
}
