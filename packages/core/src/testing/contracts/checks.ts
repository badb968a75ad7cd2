import { type Check, MAX_VALIDITY_MS, SERVICE_STATES } from '../../kinds/check.js';
import { DAY, HOUR, type Instant, MINUTE, SECOND, startOfDay, startOfHour } from '../../kinds/instant.js';
import { type TimePosition, compareText } from '../../kinds/page.js';
import type { StatusDay, StatusHour, Window } from '../../kinds/status-day.js';
import type { ReadContext, TimePage } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { uptimeWindows } from '../../rules/service-status.js';
import { compareDuplicates, countedAt, mergeTallies, tallyOf, tallyOfPeriod } from '../../rules/uptime.js';
import { NOW, aProvenance } from '../builders.js';
import { type ContractCase, type ContractOptions, StandingClock, assertSame, namedCase, withSeeds, withStore } from '../contract.js';
import { evidenceFrom } from '../evidence-from.js';
import { Random } from '../random.js';
import { aCheck, aService } from '../status-builders.js';
import { CHECK_PROMISES } from './check-promises.js';
import { COUNT_PROMISES, tallyPart } from './count-promises.js';
import { LONG_VALIDITY_PROMISES } from './long-validity-promises.js';

const KEYS = ['acme:api', 'acme:docs'] as const;

/** Stored checks are counted exactly as the pure functions count them, in whatever order and however often they are put. */
export function checkContract(options: ContractOptions): readonly ContractCase[] {
  const random = (
    name: string,
    run: (store: RecordStore, random: Random, clock: StandingClock, context: ReadContext) => Promise<void>,
  ): ContractCase =>
    namedCase(`checks: ${name}`, () =>
      withSeeds(options, async (seed) => {
        const clock = new StandingClock(NOW);
        await withStore(options, clock, (store) => run(store, new Random(seed), clock, options.context));
      }),
    );
  return [
    ...[...CHECK_PROMISES, ...COUNT_PROMISES, ...LONG_VALIDITY_PROMISES].map(({ name, run }) =>
      namedCase(`checks: ${name}`, () => withStore(options, new StandingClock(NOW), (store) => run(store, options.context))),
    ),
    random('history, the newest of each source, windows, days and hours are what the raw checks say', async (store, random, clock, context) => {
      const checks = await putRandomChecks(store, random, context);
      await history(store, checks, random, context);
      await evidence(store, checks, clock, context);
      await countedExactly(store, checks, random, clock, context);
    }),
    random('a service without checks has no evidence', async (store, _random, clock, context) => {
      await store.writer.put([aService({ key: 'acme:api' })], context);
      const found = await store.readers.checks.present({ serviceKeys: null, now: clock.now() }, context);
      assertSame([...found.keys()], [], 'services with evidence');
    }),
    random('day counts outlive the raw checks, and a frozen day takes no late check', frozenDays),
  ];
}

/** Windows, ranges, days and hours are equal to what the pure functions make of the raw checks. */
async function countedExactly(
  { readers }: RecordStore,
  checks: readonly Check[],
  random: Random,
  clock: StandingClock,
  context: ReadContext,
): Promise<void> {
  const now = NOW + random.int(2 * MINUTE);
  clock.set(now);
  const windows = [...uptimeWindows(now), { from: startOfHour(now - DAY - random.int(4 * DAY)), to: now }];
  const found = await evidenceFrom(readers.checks, { serviceKeys: null, windows, now }, context);
  const past = { from: startOfHour(NOW - random.int(60 * DAY)), to: startOfDay(NOW) - random.int(3) * DAY };
  const range = { from: Math.min(past.from, past.to), to: past.to };
  const sums = await readers.checks.sums({ serviceKeys: null, ranges: [range, { ...range, withoutLatency: true }] }, context);
  const window = { from: startOfDay(NOW) - random.pick([3, 40]) * DAY, to: startOfDay(NOW) + random.int(2) * DAY };
  const days = await readers.checks.days({ serviceKeys: null, window }, context);
  for (const key of KEYS) {
    const own = checks.filter(({ serviceKey }) => serviceKey === key);
    const counted = own.flatMap(({ checkedAt }) => countedAt(checkedAt, now) ?? []);
    if (counted.length === 0) continue;
    const { tallies, trackedFrom, lastCheckedAt } = found.get(key) ?? {};
    const expected = windows.map((one) => tallyOf(own, one, now));
    assertSame(tallies, expected, `tallies of ${key}`);
    assertSame([trackedFrom, lastCheckedAt], [Math.min(...counted), Math.max(...counted)], `first and last check of ${key}`);
    const sum = tallyOfPeriod(own, range);
    assertSame(sums.get(key), [sum, mergeTallies([sum], { withoutLatency: true })], `the range ${JSON.stringify(range)} of ${key}`);
    storedExactly(own, days.get(key) ?? [], await readers.checks.hours(key, window, context), window);
  }
  await sameWithoutLatency(readers, days, window, context);
}

function storedExactly(own: readonly Check[], days: readonly StatusDay[], hours: readonly StatusHour[], window: Window): void {
  for (const day of days) assertSame(tallyPart(day), tallyOfPeriod(own, { from: day.day, to: day.day + DAY }), `the day ${String(day.day)}`);
  for (const { hour, ...tally } of hours)
    assertSame(tallyPart(tally), tallyOfPeriod(own, { from: hour, to: hour + HOUR }), `the hour ${String(hour)}`);
  assertSame(mergeTallies(days), tallyOfPeriod(own, window), 'the sum of days');
}

/** A board of days needs no response times. */
async function sameWithoutLatency(
  { checks }: RecordStore['readers'],
  days: ReadonlyMap<string, readonly StatusDay[]>,
  window: Window,
  context: ReadContext,
): Promise<void> {
  const found = await checks.days({ serviceKeys: null, window: { ...window, withoutLatency: true } }, context);
  const without = [...days].map(([key, own]) => [key, own.map((day) => ({ ...day, ...mergeTallies([day], { withoutLatency: true }) }))] as const);
  assertSame([...found].sort(byKey), without.sort(byKey), 'days without response times');
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareText(a, b);
}

/** Each check once, newest first, then by source. */
async function history(store: RecordStore, checks: readonly Check[], random: Random, context: ReadContext): Promise<void> {
  const limit = 1 + random.int(9);
  const seen: Check[] = [];
  let after: TimePosition | null = null;
  do {
    const page: TimePage<Check> = await store.readers.checks.list('acme:api', { limit, after, from: NOW - 3 * DAY, to: NOW }, context);
    if (page.next !== null) assertSame(page.items.length, limit, 'the length of a page that has a next one');
    seen.push(...page.items);
    after = page.next;
  } while (after !== null);
  const expected = standing(
    checks.filter(({ serviceKey, checkedAt }) => serviceKey === 'acme:api' && checkedAt <= NOW && checkedAt >= NOW - 3 * DAY),
  );
  assertSame(seen, expected.sort(newestFirst), 'the whole history');
}

async function evidence(store: RecordStore, checks: readonly Check[], clock: StandingClock, context: ReadContext): Promise<void> {
  const own = standing(checks.filter(({ serviceKey }) => serviceKey === 'acme:docs'));
  const counted = own.filter(({ checkedAt }) => countedAt(checkedAt, clock.now()) !== null).sort(newestFirst);
  const asked = { serviceKeys: ['acme:docs', 'acme:nothing'], windows: [], now: clock.now() };
  const found = (await evidenceFrom(store.readers.checks, asked, context)).get('acme:docs');
  const bySource = (list: readonly Check[]): unknown => [...list].sort((a, b) => compareText(a.provenance.source, b.provenance.source));
  assertSame(bySource(found?.newest ?? []), bySource(newestOfEach(counted)), 'newest');
  assertSame(bySource(found?.newestKnown ?? []), bySource(newestOfEach(counted.filter(({ state }) => state !== 'unknown'))), 'newest known');
}

async function frozenDays(store: RecordStore, random: Random, clock: StandingClock, context: ReadContext): Promise<void> {
  const checks = await putRandomChecks(store, random, context);
  const window = { from: startOfDay(NOW) - 30 * DAY, to: startOfDay(NOW) };
  const stored = async (): Promise<unknown> => [
    await store.readers.checks.days({ serviceKeys: ['acme:api'], window }, context),
    await store.readers.checks.hours('acme:api', window, context),
  ];
  const before = await stored();
  clock.set(NOW + 500 * DAY);
  const late = aCheck({ serviceKey: 'acme:api', checkedAt: NOW - 5 * DAY, state: 'outage' });
  const report = await store.writer.put([late], context);
  assertSame(report.refused, [{ index: 0, reason: 'frozen-day' }], 'refused');
  assertSame(await stored(), before, 'the days and hours after 500 days');
  const raw = await store.readers.checks.list('acme:api', { limit: 100, after: null, from: null, to: clock.now() }, context);
  assertSame(
    raw.items.filter((check) => checks.includes(check)),
    [],
    'raw checks after 500 days',
  );
}

async function putRandomChecks(store: RecordStore, random: Random, context: ReadContext): Promise<readonly Check[]> {
  await store.writer.put(
    KEYS.map((key) => aService({ key })),
    context,
  );
  const checks = Array.from({ length: 20 + random.int(40) }, () => randomCheck(random));
  const repeated = checks
    .filter(() => random.chance(0.2))
    .map((check) => ({ ...check, state: random.pick(SERVICE_STATES), responseTimeMs: random.int(900) }));
  const all = random.shuffled([...checks, ...repeated]);
  for (let start = 0; start < all.length;) {
    const end = start + 1 + random.int(40);
    await store.writer.put(all.slice(start, end), context);
    start = end;
  }
  return all;
}

function randomCheck(random: Random): Check {
  const checkedAt = randomMoment(random);
  return aCheck({
    serviceKey: random.pick(KEYS),
    checkedAt,
    state: random.pick(SERVICE_STATES),
    rawState: random.pick(['200', '503', 'down']),
    responseTimeMs: random.chance(0.3) ? null : random.int(5_000),
    validForMs: random.pick([15 * MINUTE, 3 * HOUR, DAY, 5 * DAY, MAX_VALIDITY_MS]),
    provenance: aProvenance({ source: random.pick(['probe', 'provider', 'Zoë']), observedAt: checkedAt }),
  });
}

/** A time that is often exactly at the start or end of a day, or now. */
function randomMoment(random: Random): Instant {
  const edges = [NOW, NOW + 30 * SECOND, NOW + 61 * SECOND, NOW + 90 * SECOND, startOfDay(NOW), startOfDay(NOW) - 1, startOfDay(NOW) - DAY] as const;
  return random.chance(0.15) ? random.pick(edges) : NOW - random.int(random.pick([HOUR, DAY, 6 * DAY, 45 * DAY]));
}

function standing(checks: readonly Check[]): Check[] {
  const best = new Map<string, Check>();
  for (const check of checks) {
    const key = JSON.stringify([check.checkedAt, check.provenance.source]);
    const other = best.get(key);
    if (other === undefined || compareDuplicates(check, other) > 0) best.set(key, check);
  }
  return [...best.values()];
}

function newestOfEach(newestFirst: readonly Check[]): Check[] {
  const newest = new Map<string, Check>();
  for (const check of newestFirst) if (!newest.has(check.provenance.source)) newest.set(check.provenance.source, check);
  return [...newest.values()];
}

function newestFirst(a: Check, b: Check): number {
  return b.checkedAt - a.checkedAt || compareText(a.provenance.source, b.provenance.source);
}
