import type { Check, ServiceState } from '../../kinds/check.js';
import { DAY, type Instant, MINUTE, SECOND, startOfDay } from '../../kinds/instant.js';
import type { ServiceEvidence } from '../../kinds/service-status.js';
import type { ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { tallyOf, tallyOfPeriod, uptimeWindow } from '../../rules/uptime.js';
import { NOW, aProvenance } from '../builders.js';
import { assert, assertSame } from '../contract.js';
import { evidenceFrom } from '../evidence-from.js';
import { aCheck } from '../status-builders.js';
import { assertEndsOnAbort } from './aborted-calls.js';

/** A promise of a store and its fixed test case, which does not depend on the seed. */
export interface StorePromise {
  readonly name: string;
  readonly run: (store: RecordStore, context: ReadContext) => Promise<void>;
}

export const CHECK_PROMISES: readonly StorePromise[] = [
  { name: 'the history of one service, newest first, then by source, on full pages', run: history },
  { name: 'the times of a history are closed at both ends', run: closedTimes },
  { name: 'a page of a history begins after a check that was never stored', run: unknownPosition },
  { name: 'of duplicates the same one stands, in whatever order they arrive', run: duplicates },
  { name: 'what is present only of services that are asked for and were checked', run: whosePresent },
  { name: 'a check up to 60 s ahead counts as at now, a later one not yet', run: aheadOfNow },
  { name: 'the newest check of each source, and the newest whose state is known', run: newestOfEach },
  { name: 'days only of services that are asked for and have some, each with its own counts', run: whoseDays },
  { name: '`signal` ends a call at once', run: endsOnAbort },
];

function check(serviceKey: string, checkedAt: Instant, source: string, state: ServiceState = 'operational'): Check {
  return aCheck({ serviceKey, checkedAt, state, provenance: aProvenance({ source, observedAt: checkedAt }) });
}

/** The part of a check that a failure message contains. */
function placesOf(checks: readonly Check[]): string[] {
  return checks.map(({ serviceKey, checkedAt, provenance }) => `${serviceKey} ${String(checkedAt)} ${provenance.source}`);
}

async function history({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const [second, third] = [NOW - SECOND, NOW - DAY];
  const expected = [
    check('acme:api', NOW, 'b'),
    check('acme:api', second, 'B'),
    check('acme:api', second, 'a'),
    check('acme:api', second, 'b'),
    check('acme:api', third, 'a'),
    check('acme:api', third, 'b'),
  ];
  await writer.put([...expected.toReversed(), check('acme:docs', second, 'c'), check('acme:api2', second, 'd')], context);
  for (const limit of [1, 2, 3, 4, 5, 6, 7, 100]) {
    let after = null;
    for (let start = 0; start < expected.length; start += limit) {
      const page: Awaited<ReturnType<typeof readers.checks.list>> = await readers.checks.list(
        'acme:api',
        { limit, after, from: null, to: NOW },
        context,
      );
      const wanted = expected.slice(start, start + limit);
      const last = wanted.at(-1);
      const next = start + limit < expected.length ? { time: last?.checkedAt, id: last?.provenance.source } : null;
      assertSame(placesOf(page.items), placesOf(wanted), `a page of ${String(limit)} after ${String(start)} checks`);
      assertSame([page.items, page.next], [wanted, next], `whole checks and \`next\` of a page of ${String(limit)} after ${String(start)} checks`);
      after = page.next;
    }
  }
  const none = await readers.checks.list('acme:none', { limit: 5, after: null, from: null, to: NOW }, context);
  assertSame(none, { items: [], next: null }, 'the history of a service without checks');
}

async function closedTimes({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const [from, to] = [NOW - DAY, NOW - MINUTE];
  const all = [NOW, to + 1, to, to - 1, from + 1, from, from - 1].map((time) => check('acme:api', time, 'a'));
  await writer.put(all, context);
  for (const range of [
    { from, to },
    { from: null, to },
    { from: to, to },
    { from, to: NOW },
    { from: null, to: from - 2 },
  ]) {
    const expected = all.filter(({ checkedAt }) => checkedAt <= range.to && checkedAt >= (range.from ?? 0));
    const page = await readers.checks.list('acme:api', { limit: 100, after: null, ...range }, context);
    assertSame(placesOf(page.items), placesOf(expected), `checks from ${String(range.from)} to ${String(range.to)}`);
    const rest = await readers.checks.list('acme:api', { limit: 100, after: { time: NOW + 1, id: '' }, ...range }, context);
    assertSame(placesOf(rest.items), placesOf(expected), `checks from ${String(range.from)} to ${String(range.to)} after a later position`);
  }
}

async function unknownPosition({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const all = [check('acme:api', NOW, 'b'), check('acme:api', NOW - SECOND, 'a'), check('acme:api', NOW - SECOND, 'c')];
  await writer.put(all, context);
  const cases = [
    { after: { time: NOW, id: 'a' }, seen: 0 },
    { after: { time: NOW, id: 'c' }, seen: 1 },
    { after: { time: NOW - SECOND, id: 'b' }, seen: 2 },
    { after: { time: NOW - MINUTE, id: 'a' }, seen: 3 },
  ];
  for (const { after, seen } of cases) {
    const page = await readers.checks.list('acme:api', { limit: 5, after, from: null, to: NOW }, context);
    assertSame(placesOf(page.items), placesOf(all.slice(seen)), `after ${JSON.stringify(after)}, which is the position of no check`);
  }
}

async function duplicates({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const [better, worse] = [check('acme:api', NOW - MINUTE, 'a'), check('acme:api', NOW - MINUTE, 'a', 'outage')];
  const [otherWorse, otherBetter] = [worse, better].map((one) => ({ ...one, serviceKey: 'acme:docs' }));
  if (otherWorse === undefined || otherBetter === undefined) return;
  for (const one of [better, worse, otherWorse, otherBetter]) await writer.put([one], context);
  for (const expected of [worse, otherWorse]) {
    const key = expected.serviceKey;
    const { items } = await readers.checks.list(key, { limit: 5, after: null, from: null, to: NOW }, context);
    assertSame(items, [expected], `the history of ${key}`);
    const window = uptimeWindow(1, NOW);
    const found = await evidenceOf(readers, key, context, window);
    assertSame(found?.tallies, [tallyOf([expected], window, NOW)], `the counts of ${key}`);
  }
}

async function evidenceOf(
  readers: RecordStore['readers'],
  key: string,
  context: ReadContext,
  ...windows: readonly { readonly from: Instant; readonly to: Instant }[]
): Promise<ServiceEvidence | undefined> {
  return (await evidenceFrom(readers.checks, { serviceKeys: [key], windows, now: NOW }, context)).get(key);
}

async function whosePresent({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put(
    ['acme:api', 'acme:docs', 'acme:cdn'].map((key) => check(key, NOW - MINUTE, 'a')),
    context,
  );
  const keys = async (serviceKeys: readonly string[] | null): Promise<string[]> =>
    [...(await readers.checks.present({ serviceKeys, now: NOW }, context)).keys()].sort();
  assertSame(await keys(null), ['acme:api', 'acme:cdn', 'acme:docs'], 'all services');
  assertSame(await keys(['acme:docs', 'acme:none', '__proto__']), ['acme:docs'], 'one service and two without checks');
  assertSame(await keys([]), [], 'no service');
}

async function aheadOfNow({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const [early, near, far] = [check('acme:api', NOW - MINUTE, 'a'), check('acme:api', NOW + MINUTE, 'b'), check('acme:api', NOW + MINUTE + 1, 'c')];
  await writer.put([early, near, far, { ...far, serviceKey: 'acme:docs' }], context);
  const window = uptimeWindow(1, NOW);
  const found = await evidenceOf(readers, 'acme:api', context, window);
  assertSame([found?.trackedFrom, found?.lastCheckedAt], [early.checkedAt, NOW], 'first and last check');
  assertSame(found?.tallies, [tallyOf([early, near, far], window, NOW)], 'counts');
  assertSame(placesOf(found?.newest ?? []).sort(), placesOf([near, early]).sort(), 'the newest checks');
  assert((await evidenceOf(readers, 'acme:docs', context)) === undefined, 'expected no evidence of a service whose only check is too far ahead');
}

async function newestOfEach({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const old = check('acme:api', NOW - 3 * MINUTE, 'a', 'outage');
  const unknown = check('acme:api', NOW - MINUTE, 'a', 'unknown');
  const other = check('acme:api', NOW - 2 * MINUTE, 'b', 'degraded');
  await writer.put([unknown, check('acme:api', NOW - 4 * MINUTE, 'a'), old, other, check('acme:api', NOW - 5 * MINUTE, 'b')], context);
  const found = await evidenceOf(readers, 'acme:api', context);
  const bySource = (checks: readonly Check[] = []): readonly Check[] =>
    [...checks].sort((a, b) => (a.provenance.source < b.provenance.source ? -1 : 1));
  assertSame(bySource(found?.newest), [unknown, other], 'the newest of each source');
  assertSame(bySource(found?.newestKnown), [old, other], 'the newest known of each source');
}

async function whoseDays({ readers, writer }: RecordStore, context: ReadContext): Promise<void> {
  const today = startOfDay(NOW);
  const checks = [
    check('acme:api', today, 'a'),
    check('acme:api', today - DAY, 'a', 'outage'),
    check('acme:docs', today, 'a', 'degraded'),
    check('acme:cdn', today - 9 * DAY, 'a'),
  ];
  await writer.put(checks, context);
  const window = { from: today - 2 * DAY, to: today + DAY };
  const days = async (serviceKeys: readonly string[] | null): Promise<unknown> => {
    const found = await readers.checks.days({ serviceKeys, window }, context);
    const states = [...found].map(([key, own]) => [key, own.map(({ day, counts }) => [day, counts])]);
    return Object.fromEntries(states) as unknown;
  };
  const counted = (...own: readonly Check[]): unknown =>
    own.map((one) => {
      const day = startOfDay(one.checkedAt);
      return [day, tallyOfPeriod([one], { from: day, to: day + DAY }).counts];
    });
  const [newest, before, docs] = checks as [Check, Check, Check];
  const api = counted(before, newest);
  assertSame(await days(null), { 'acme:api': api, 'acme:docs': counted(docs) }, 'all services');
  assertSame(await days(['acme:docs', 'acme:none', 'acme:cdn', '__proto__']), { 'acme:docs': counted(docs) }, 'one service and three without days');
  assertSame(await days(['acme:api', 'acme:api']), { 'acme:api': api }, 'a service that is named twice');
  assertSame(await days([]), {}, 'no service');
}

async function endsOnAbort({ readers: { checks }, writer }: RecordStore, context: ReadContext): Promise<void> {
  await writer.put([check('acme:api', NOW - MINUTE, 'a')], context);
  const window = { from: startOfDay(NOW) - DAY, to: startOfDay(NOW) };
  await assertEndsOnAbort('present', (ended) => checks.present({ serviceKeys: null, now: NOW }, ended));
  await assertEndsOnAbort('sums', (ended) => checks.sums({ serviceKeys: null, ranges: [window] }, ended));
  await assertEndsOnAbort('list', (ended) => checks.list('acme:api', { limit: 5, after: null, from: null, to: NOW }, ended));
  await assertEndsOnAbort('days', (ended) => checks.days({ serviceKeys: null, window }, ended));
  await assertEndsOnAbort('hours', (ended) => checks.hours('acme:api', window, ended));
}
