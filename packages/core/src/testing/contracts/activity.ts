import type { Commit } from '../../kinds/commit.js';
import { keyOfIdentity, timeOf } from '../../kinds/identity.js';
import { DAY, HOUR, type Instant, SECOND, startOfDay } from '../../kinds/instant.js';
import type { Release } from '../../kinds/release.js';
import type { RepositoryRef } from '../../kinds/repository-name.js';
import type { ActivityDay, ActivityQuery, ReadContext } from '../../ports/readers.js';
import type { RecordStore } from '../../ports/store.js';
import { Allowlist, type ApprovedRepositories } from '../../rules/allowlist.js';
import { NOW, aCommit, aRelease } from '../builders.js';
import { type ContractCase, type ContractOptions, StandingClock, assertSame, namedCase, withSeeds, withStore } from '../contract.js';
import { Random } from '../random.js';
import { assertEndsOnAbort } from './aborted-calls.js';

type Counted = Commit | Release;

const TODAY = startOfDay(NOW);
const WIDGET = 'acme/widget';
const REFS: readonly [RepositoryRef, ...RepositoryRef[]] = [WIDGET, 'acme/gadget', 'acme/secret', 'acme/widget#7'];
const APPROVED = Allowlist.of(WIDGET, 'acme/gadget').approved();

/** Commits and releases are counted by day exactly, whatever was written before. */
export function activityContract(options: ContractOptions): readonly ContractCase[] {
  const on = (name: string, use: (store: RecordStore, context: ReadContext) => Promise<void>): ContractCase =>
    namedCase(`activity: ${name}`, () => withStore(options, new StandingClock(NOW), (store) => use(store, options.context)));
  return [
    on('commits and releases by UTC day, by the time that sorts their lists', byDay),
    on('times are closed at both ends, and the last day may be cut', closedTimes),
    on('permission is part of the query: approved repositories only', permission),
    on('follows records that move in time, are put again or are removed', followsChanges),
    on('years before 1970 are counted like any other', longAgo),
    on('`signal` ends a call at once', endsOnAbort),
    namedCase('activity: equal to a count of the records, after any writes', () =>
      withSeeds(options, (seed) => withStore(options, new StandingClock(NOW), (store) => countedExactly(store, new Random(seed), options.context))),
    ),
  ];
}

function commit(time: Instant, serial: number, repositoryRef: RepositoryRef = WIDGET): Commit {
  return aCommit({ repositoryRef, committedAt: time, sha: serial.toString(16).padStart(40, '0') });
}

function release(time: Instant, serial: number, repositoryRef: RepositoryRef = WIDGET): Release {
  return aRelease({ repositoryRef, publishedAt: time, tagName: `v${String(serial)}` });
}

async function read(
  { readers }: RecordStore,
  query: ActivityQuery,
  context: ReadContext,
  approved: ApprovedRepositories = APPROVED,
): Promise<readonly ActivityDay[]> {
  const days = await readers.activity.days(approved, query, context);
  return days.filter(({ commits, releases }) => commits + releases > 0).sort((a, b) => a.day - b.day);
}

function countOf(records: Iterable<Counted>, { from, to }: ActivityQuery, approved = APPROVED): readonly ActivityDay[] {
  const days = new Map<Instant, { commits: number; releases: number }>();
  for (const record of records) {
    const time = timeOf(record);
    if (time < from || time > to || !approved.admits(record.repositoryRef)) continue;
    const day = days.get(startOfDay(time)) ?? { commits: 0, releases: 0 };
    day[record.kind === 'commit' ? 'commits' : 'releases'] += 1;
    days.set(startOfDay(time), day);
  }
  return [...days].map(([day, counts]) => ({ day, ...counts })).sort((a, b) => a.day - b.day);
}

const LAST_DAYS: ActivityQuery = { from: TODAY - 9 * DAY, to: NOW };

async function byDay(store: RecordStore, context: ReadContext): Promise<void> {
  assertSame(await read(store, LAST_DAYS, context), [], 'an empty store');
  const records = [
    ...[TODAY, TODAY - 1, TODAY - DAY, TODAY - DAY - 1, TODAY - 5 * DAY].map((time, index) => commit(time, index)),
    ...[TODAY - HOUR, TODAY - 7 * DAY].map((time, index) => release(time, index)),
  ];
  await store.writer.put(records, context);
  const expected = [
    { day: TODAY - 7 * DAY, commits: 0, releases: 1 },
    { day: TODAY - 5 * DAY, commits: 1, releases: 0 },
    { day: TODAY - 2 * DAY, commits: 1, releases: 0 },
    { day: TODAY - DAY, commits: 2, releases: 1 },
    { day: TODAY, commits: 1, releases: 0 },
  ];
  assertSame(await read(store, LAST_DAYS, context), expected, 'the days');
}

async function closedTimes(store: RecordStore, context: ReadContext): Promise<void> {
  const [from, cut] = [TODAY - 2 * DAY, TODAY - HOUR];
  const times = [from - 1, from, cut - 1, cut, cut + 1, TODAY - 1, TODAY, TODAY + 1, NOW, NOW + SECOND, TODAY + DAY];
  const records = times.flatMap((time, index) => [commit(time, index), release(time, index)]);
  await store.writer.put(records, context);
  for (const to of [cut, TODAY - 1, TODAY, NOW, TODAY + DAY - 1, from, from + DAY - 1])
    assertSame(await read(store, { from, to }, context), countOf(records, { from, to }), `from ${String(from)} to ${String(to)}`);
}

async function permission(store: RecordStore, context: ReadContext): Promise<void> {
  const records = REFS.flatMap((ref, index) =>
    Array.from({ length: index + 1 }, (_, serial) => [commit(TODAY - DAY, serial, ref), release(TODAY, serial, ref)]).flat(),
  );
  await store.writer.put(records, context);
  const permissions = {
    'two repositories': APPROVED,
    'one of them alone': APPROVED.only('acme/gadget'),
    'a repository that is not approved': APPROVED.only('acme/secret'),
    'no repository': Allowlist.of().approved(),
    'a repository without records': Allowlist.of('acme/none').approved(),
  };
  for (const [name, approved] of Object.entries(permissions))
    assertSame(await read(store, LAST_DAYS, context, approved), countOf(records, LAST_DAYS, approved), `permission for ${name}`);
}

async function followsChanges(store: RecordStore, context: ReadContext): Promise<void> {
  const [moved, gone, kept] = [commit(TODAY - DAY, 1), release(TODAY - DAY, 2), commit(TODAY - DAY, 3)];
  const now = (): Promise<readonly ActivityDay[]> => read(store, LAST_DAYS, context);
  await store.writer.put([moved, gone, kept, moved], context);
  assertSame(await now(), [{ day: TODAY - DAY, commits: 2, releases: 1 }], 'when records were put');
  await store.writer.put([moved, { ...kept, title: 'Changed' }], context);
  await store.writer.moveCommits(WIDGET, [{ sha: kept.sha, branch: 'next' }], context);
  assertSame(await now(), [{ day: TODAY - DAY, commits: 2, releases: 1 }], 'when they were put again');
  await store.writer.put([{ ...moved, committedAt: TODAY - 3 * DAY }], context);
  await store.writer.remove([gone, release(TODAY, 9)], context);
  const expected = [
    { day: TODAY - 3 * DAY, commits: 1, releases: 0 },
    { day: TODAY - DAY, commits: 1, releases: 0 },
  ];
  assertSame(await now(), expected, 'when one has moved and one was removed');
  await store.writer.remove([moved, kept], context);
  assertSame(await now(), [], 'when all were removed');
}

async function longAgo(store: RecordStore, context: ReadContext): Promise<void> {
  const records = [-1, 0, 1, -DAY, -DAY - 1, -64 * DAY, -64 * DAY - 1, -400 * DAY].map((time, index) => commit(time, index));
  await store.writer.put(records, context);
  const query = { from: -500 * DAY, to: 5 * DAY };
  assertSame(await read(store, query, context), countOf(records, query), 'the days around 1970');
}

async function endsOnAbort(store: RecordStore, context: ReadContext): Promise<void> {
  await store.writer.put([commit(TODAY, 1), release(TODAY - DAY, 1)], context);
  await assertEndsOnAbort('days', (ended) => store.readers.activity.days(APPROVED, LAST_DAYS, ended));
}

/** Puts, moves and removes records in several calls, and compares after each. */
async function countedExactly(store: RecordStore, random: Random, context: ReadContext): Promise<void> {
  const stored = new Map<string, Counted>();
  for (let call = 0; call < 6; call++) {
    const records = Array.from({ length: 1 + random.int(12) }, () => randomRecord(random));
    const isRemoval = random.chance(0.3);
    if (isRemoval) await store.writer.remove(records, context);
    else await store.writer.put(records, context);
    for (const record of records) {
      const key = `${record.kind} ${keyOfIdentity(record)}`;
      if (isRemoval) stored.delete(key);
      else stored.set(key, record);
    }
    const query = { from: TODAY - random.int(5) * DAY, to: random.pick([NOW, TODAY - 1, NOW - random.int(3 * DAY), TODAY + 3 * DAY] as const) };
    if (query.from > query.to) continue;
    assertSame(await read(store, query, context), countOf(stored.values(), query), `after ${String(call + 1)} calls, ${JSON.stringify(query)}`);
  }
}

function randomRecord(random: Random): Counted {
  const time = random.pick([TODAY, TODAY - 1, NOW, NOW - random.int(4 * DAY), NOW + random.int(DAY), NOW - random.int(HOUR)] as const);
  const [serial, ref] = [random.int(6), random.pick(REFS)];
  return random.chance(0.5) ? commit(time, serial, ref) : release(time, serial, ref);
}
