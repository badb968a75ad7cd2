import type { Check } from '../../kinds/check.js';
import { DAY, HOUR, MINUTE, startOfDay } from '../../kinds/instant.js';
import { compareText } from '../../kinds/page.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { checkedDayOf } from '../../rules/evidence.js';
import { tallyOfPeriod } from '../../rules/uptime.js';
import { NOW, aProvenance } from '../builders.js';
import { type ContractCase, type ContractOptions, StandingClock, assert, assertSame, namedCase, sortedJson, withStore } from '../contract.js';
import { aCheck, aService } from '../status-builders.js';
import { assertEndsOnAbort } from './aborted-calls.js';

const [API, DOCS] = ['acme:api', 'acme:docs'];
const TODAY = startOfDay(NOW);

/** What a store tells a collector about services and their checks. */
export function checkedDaysContract(options: ContractOptions): readonly ContractCase[] {
  const on = (name: string, run: (store: RecordStore, context: ReadContext, clock: StandingClock) => Promise<void>): ContractCase =>
    namedCase(`a collector reads ${name}`, () => {
      const clock = new StandingClock(NOW);
      return withStore(options, clock, (store) => run(store, options.context, clock));
    });
  return [
    on('all services, by key', services),
    on('the days of each service that has raw checks, oldest first, with their outages', days),
    on('another version of a day when one of its checks is new, changed or gone', versions),
    on('no day whose raw checks are gone', expired),
    on('the raw checks of one service and day', checks),
    on('services, days and checks, and each call ends at once with its `signal`', endsOnAbort),
  ];
}

function check(serviceKey: string, checkedAt: number, over: Partial<Check> = {}): Check {
  return aCheck({ serviceKey, checkedAt, provenance: aProvenance({ source: 'a', observedAt: checkedAt }), ...over });
}

async function services({ collection, writer }: RecordStore, context: ReadContext): Promise<void> {
  assertSame(await collection.services(context), [], 'the services of an empty store');
  const all = ['acme:b', 'acme:a10', 'acme:a9', 'acme:a'].map((key) => aService({ key, dependency: key === 'acme:b' ? true : undefined }));
  await writer.put(all, context);
  assertSame(
    await collection.services(context),
    all.toSorted((a, b) => compareText(a.key, b.key)),
    'all services',
  );
}

async function days({ collection, writer }: RecordStore, context: ReadContext): Promise<void> {
  assertSame([...(await collection.checkedDays(context)).keys()], [], 'the services with days of an empty store');
  const api = [
    check(API, TODAY),
    check(API, TODAY + HOUR, { state: 'outage' }),
    check(API, TODAY - 1, { state: 'outage' }),
    check(API, TODAY - HOUR, { state: 'outage' }),
    check(API, TODAY - 3 * DAY, { state: 'degraded' }),
  ];
  const docs = [check(DOCS, TODAY - 2 * DAY + HOUR, { state: 'unknown' })];
  await writer.put([...api, ...docs, aService({ key: 'acme:none' })], context);
  const found = await collection.checkedDays(context);
  assertSame([...found.keys()].sort(compareText), [API, DOCS], 'the services with days');
  for (const [key, own] of [
    [API, api],
    [DOCS, docs],
  ] as const)
    assertSame(found.get(key), countedDays(own), `the days of ${key}`);
}

/** The days of one service, counted from all its checks. */
function countedDays(all: readonly Check[]): unknown {
  const starts = [...new Set(all.map(({ checkedAt }) => startOfDay(checkedAt)))].sort((a, b) => a - b);
  return starts.flatMap((day) => checkedDayOf({ day, ...tallyOfPeriod(all, { from: day, to: day + DAY }) }) ?? []);
}

async function versions({ collection, writer }: RecordStore, context: ReadContext): Promise<void> {
  const versionOf = async (): Promise<string> => {
    const found = (await collection.checkedDays(context)).get(API)?.find(({ day }) => day === TODAY);
    return found?.version ?? 'none';
  };
  const [early, late] = [check(API, TODAY + HOUR), check(API, TODAY + 2 * HOUR)];
  const change = async (what: string, write: () => Promise<unknown>): Promise<void> => {
    const before = await versionOf();
    await write();
    assert((await versionOf()) !== before, `after ${what}: expected another version than ${before}`);
  };
  await change('the first check', () => writer.put([early, check(DOCS, TODAY)], context));
  await change('a later check', () => writer.put([late], context));
  await change('an earlier check', () => writer.put([check(API, TODAY)], context));
  await change('a check that replaces another one', () => writer.put([{ ...early, state: 'outage' }], context));
  await change('a removal', () => writer.remove([{ kind: 'check', serviceKey: API, checkedAt: TODAY, source: 'a' }], context));
  const before = await versionOf();
  await writer.put([late, check(API, TODAY - 3 * DAY), check(DOCS, TODAY + HOUR)], context);
  assertSame(await versionOf(), before, 'the version after the same check again, and checks of other days and services');
}

async function expired({ collection, writer }: RecordStore, context: ReadContext, clock: StandingClock): Promise<void> {
  await writer.put([check(API, NOW - DAY), check(API, NOW - MINUTE)], context);
  clock.set(NOW + 500 * DAY);
  await writer.put([check(DOCS, clock.now() - MINUTE)], context);
  const found = await collection.checkedDays(context);
  assertSame([...found.keys()], [DOCS], 'the services with days after 500 days');
}

async function checks({ collection, writer }: RecordStore, context: ReadContext): Promise<void> {
  const own = [check(API, TODAY), check(API, TODAY + HOUR, { state: 'outage' }), check(API, TODAY + DAY - 1)];
  const second = { ...check(API, TODAY), provenance: aProvenance({ source: 'b', observedAt: TODAY }) };
  await writer.put([...own, second, check(API, TODAY - 1), check(API, TODAY + DAY), check(DOCS, TODAY)], context);
  assertSame(sortedJson(await collection.checksOf({ serviceKey: API, day: TODAY }, context)), sortedJson([...own, second]), 'the checks of the day');
  assertSame(await collection.checksOf({ serviceKey: API, day: TODAY + 2 * DAY }, context), [], 'the checks of a day without any');
  assertSame(await collection.checksOf({ serviceKey: 'acme:none', day: TODAY }, context), [], 'the checks of a service without any');
}

async function endsOnAbort({ collection, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([aService({ key: API }), check(API, TODAY)], context);
  await assertEndsOnAbort('services', (ended) => collection.services(ended));
  await assertEndsOnAbort('checkedDays', (ended) => collection.checkedDays(ended));
  await assertEndsOnAbort('checksOf', (ended) => collection.checksOf({ serviceKey: API, day: TODAY }, ended));
}
