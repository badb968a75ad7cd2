import { DAY, HOUR, MINUTE, SECOND, startOfDay, type Instant } from '../../domain/shared/instant.js';
import { compareText } from '../../domain/shared/text-order.js';
import type { TimePosition } from '../../domain/shared/page.js';
import { MAX_VALIDITY_MS, type Check } from '../../domain/status/check.js';
import { SERVICE_STATES } from '../../domain/status/service-state.js';
import { uptimeWindows } from '../../policies/service-status.js';
import { compareDuplicates, countedAt, mergeTallies, tallyOf } from '../../policies/tally.js';
import type { DaySlice, DaysQuery } from '../../ports/check-reader.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { RecordStore } from '../../ports/store.js';
import type { TimePage } from '../../ports/time-list.js';
import { aProvenance, NOW } from '../builders.js';
import { assertSame, namedCase, StandingClock, withSeeds, withStore, type ContractCase, type ContractOptions } from '../contract.js';
import { Random } from '../random.js';
import { aCheck, aService } from '../status-builders.js';
import { CHECK_PROMISES } from './check-promises.js';
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
    ...[...CHECK_PROMISES, ...LONG_VALIDITY_PROMISES].map(({ name, run }) =>
      namedCase(`checks: ${name}`, () => withStore(options, new StandingClock(NOW), (store) => run(store, options.context))),
    ),
    random('history, the newest of each source, windows and days are what the raw checks say', async (store, random, clock, context) => {
      const checks = await putRandomChecks(store, random, context);
      await history(store, checks, random, context);
      await evidence(store, checks, clock, context);
      await countedExactly(store, checks, random, clock, context);
    }),
    random('a service without checks has no evidence', async (store, _random, clock, context) => {
      await store.writer.put([aService({ key: 'acme:api' })], context);
      const found = await store.readers.checks.evidence({ serviceKeys: null, windows: [], now: clock.now() }, context);
      assertSame([...found.keys()], [], 'services with evidence');
    }),
    random('day counts outlive the raw checks, and a frozen day takes no late check', frozenDays),
  ];
}

/** The tallies of windows and days are equal to the tally of the raw checks. */
async function countedExactly(
  store: RecordStore,
  checks: readonly Check[],
  random: Random,
  clock: StandingClock,
  context: ReadContext,
): Promise<void> {
  const now = NOW + random.int(2 * MINUTE);
  clock.set(now);
  const past = now - random.int(40 * DAY);
  const windows = [...uptimeWindows(now), { from: now - random.int(4 * DAY), to: now }, { from: past - random.int(20 * DAY), to: past }];
  const found = await store.readers.checks.evidence({ serviceKeys: null, windows, now }, context);
  const window = { from: now - random.pick([3, 40]) * DAY, to: now };
  const days = await store.readers.checks.days({ serviceKeys: null, window, now }, context);
  await sameWithoutLatency(store, days, { serviceKeys: null, window, now }, context);
  for (const key of KEYS) {
    const own = checks.filter(({ serviceKey }) => serviceKey === key);
    const counted = own.flatMap(({ checkedAt }) => countedAt(checkedAt, now) ?? []);
    if (counted.length === 0) continue;
    assertSame(
      found.get(key)?.tallies,
      windows.map((window) => tallyOf(own, window, now)),
      `tallies of ${key}`,
    );
    assertSame(
      [found.get(key)?.trackedFrom, found.get(key)?.lastCheckedAt],
      [Math.min(...counted), Math.max(...counted)],
      `first and last check of ${key}`,
    );
    const slices = days.get(key) ?? [];
    for (const { day, tally } of slices) {
      const cut = { from: Math.max(day, window.from), to: Math.min(day + DAY, now) };
      const ofDay = own.filter(({ checkedAt }) => startOfDay(countedAt(checkedAt, now) ?? 0) <= day);
      const { counts, coveredMs, latency } = tally;
      assertSame({ counts, coveredMs, latency }, tallyOf(ofDay, cut, now), `the day ${String(day)} of ${key}`);
    }
    assertSame(mergeTallies(slices.map(({ tally }) => tally)).counts, tallyOf(own, window, now).counts, `counts of the days of ${key}`);
  }
}

/** A board of days needs no response times, and a store may remember its past days. */
async function sameWithoutLatency(
  { readers }: RecordStore,
  days: ReadonlyMap<string, readonly DaySlice[]>,
  query: DaysQuery,
  context: ReadContext,
): Promise<void> {
  const found = await readers.checks.days({ ...query, window: { ...query.window, withoutLatency: true } }, context);
  const expected = [...days].map(([key, slices]) => {
    const without = byDay(slices).map(({ day, tally }) => ({ day, tally: mergeTallies([tally], { withoutLatency: true }) }));
    return [key, without] as const;
  });
  assertSame([...found].map(([key, slices]) => [key, byDay(slices)] as const).sort(byKey), expected.sort(byKey), 'days without response times');
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareText(a, b);
}

function byDay(slices: readonly DaySlice[]): readonly DaySlice[] {
  return [...slices].sort((a, b) => a.day - b.day);
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
  const found = (await store.readers.checks.evidence({ serviceKeys: ['acme:docs', 'acme:nothing'], windows: [], now: clock.now() }, context)).get(
    'acme:docs',
  );
  const bySource = (list: readonly Check[]): unknown => [...list].sort((a, b) => compareText(a.provenance.source, b.provenance.source));
  assertSame(bySource(found?.newest ?? []), bySource(newestOfEach(counted)), 'newest');
  assertSame(bySource(found?.newestKnown ?? []), bySource(newestOfEach(counted.filter(({ state }) => state !== 'unknown'))), 'newest known');
}

async function frozenDays(store: RecordStore, random: Random, clock: StandingClock, context: ReadContext): Promise<void> {
  const checks = await putRandomChecks(store, random, context);
  const daysOfApi = async (asked: Pick<DaysQuery, 'window' | 'now'>): Promise<readonly DaySlice[]> =>
    (await store.readers.checks.days({ serviceKeys: ['acme:api'], ...asked }, context)).get('acme:api') ?? [];
  const before = await daysOfApi({ window: { from: NOW - 30 * DAY, to: NOW }, now: NOW });
  clock.set(NOW + 500 * DAY);
  const late = aCheck({ serviceKey: 'acme:api', checkedAt: NOW - 5 * DAY, state: 'outage' });
  const report = await store.writer.put([late], context);
  assertSame(report.refused, [{ index: 0, reason: 'frozen-day' }], 'refused');
  const window = { from: NOW - 30 * DAY, to: startOfDay(NOW) };
  const after = await daysOfApi({ window, now: clock.now() });
  const whole = (days: typeof before): unknown =>
    [...days]
      .filter(({ day }) => day > window.from && day < window.to)
      .sort((a, b) => a.day - b.day)
      .map(({ day, tally: { counts, coveredMs, latency } }) => ({ day, counts, coveredMs, latency }));
  assertSame(whole(after), whole(before), 'the days after 500 days');
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
  const checks = Array.from({ length: 20 + random.int(120) }, () => randomCheck(random));
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
