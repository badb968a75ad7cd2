import { comparePositions, positionOf, timeOf } from '../../kinds/identity.js';
import { MINUTE, SECOND } from '../../kinds/instant.js';
import type { ListedRecord } from '../../kinds/kinds.js';
import type { TimePosition } from '../../kinds/page.js';
import { NO_REPOSITORY, type ScopeRef, nameOfRef } from '../../kinds/repository-name.js';
import { Allowlist } from '../../rules/allowlist.js';
import { NOW, aBuild } from '../builders.js';
import { assertSame } from '../contract.js';
import type { FilterValues, ListSpec } from '../list-specs.js';
import { Random } from '../random.js';
import { assertEndsOnAbort } from './aborted-calls.js';
import { listedWithoutEmails } from './email-promises.js';
import { APPROVED, type Asked, type Listing, everyPage, fixedRecord, matches, positionsOf, readPage, visible } from './listing.js';

/** A promise of lists and its fixed test case. */
interface ListPromise {
  readonly name: string;
  readonly run: (listing: Listing) => Promise<void>;
}

const SCOPES = ['acme/widget', 'acme/secret', 'acme/gadget', 'acme/widget#7', 'other/hidden', '-'] as const;

/** The promises of every list, one case each. Their records do not depend on the seed. */
export function listPromises(spec: ListSpec): readonly ListPromise[] {
  const promises: ListPromise[] = [
    { name: 'newest first; equal times by key, in byte order', run: ordered },
    { name: 'times are closed at both ends: nothing before `from`, nothing after `to`', run: closedTimes },
    { name: 'a position is a whole key: a page begins after a record that was never stored', run: unknownPosition },
    { name: 'a page is full unless it is the last; `next` is the key of its last record, and null at the end', run: fullPages },
    { name: 'a page holds up to 100 records', run: longestPage },
    { name: 'the next page leaves out newer records, and shows older ones, that came in between', run: recordsInBetween },
    { name: 'an empty list is an empty page', run: emptyList },
    { name: '`signal` ends a call at once', run: endsOnAbort },
    { name: 'no e-mail address is published, and pages are full without the records that must not be shown', run: listedWithoutEmails },
  ];
  if (spec.scopes !== 'none') promises.push({ name: 'permission is part of the query: approved repositories only, on full pages', run: permission });
  if (Object.keys(spec.filters).length > 0) promises.push({ name: 'each filter finds exactly its records, on full pages', run: filtered });
  if (spec.kind === 'build') promises.push({ name: 'its time is its start, else its end, else when it was observed', run: timeOfBuild });
  return promises;
}

/** Stores records with those times, in an order that differs from the list's. Resolves with the visible records in the order of the list. */
async function filledWith(
  { spec, store }: Listing,
  times: readonly number[],
  scopes: readonly ScopeRef[] = ['acme/widget'],
): Promise<ListedRecord[]> {
  const records = times.map((time, serial) => fixedRecord(spec, scopeFor(spec, scopes[serial % scopes.length] ?? 'acme/widget'), time, serial));
  await store.fill(new Random(7).shuffled(records));
  return visible(spec, records);
}

/** The given scope, or a repository if every record of the kind belongs to one. */
function scopeFor({ scopes }: ListSpec, scope: ScopeRef): ScopeRef {
  return scope === NO_REPOSITORY && scopes === 'repository' ? 'acme/gadget' : scope;
}

async function assertShown(listing: Listing, expected: readonly ListedRecord[], what: string, asked: Asked = {}, limit = 100): Promise<void> {
  const found = (await everyPage(listing, asked, () => limit)).flat();
  assertSame(positionsOf(found), positionsOf(expected), what);
  assertSame(found, expected, `${what}, whole records`);
}

async function permission(listing: Listing): Promise<void> {
  const { spec, store } = listing;
  const records = Array.from({ length: 18 }, (_, serial) => {
    return fixedRecord(spec, scopeFor(spec, SCOPES[serial % SCOPES.length] ?? 'acme/secret'), NOW - serial * SECOND, serial);
  });
  await store.fill(records);
  const lists = {
    'acme/widget and acme/gadget': APPROVED,
    'acme/widget alone': APPROVED.only('acme/widget'),
    'a repository that is not approved': APPROVED.only('acme/secret'),
    'no repository': Allowlist.of().approved(),
  };
  for (const [name, approved] of Object.entries(lists))
    await assertShown(listing, visible(spec, records, approved), `permission for ${name}`, { approved }, 2);
}

/** The order of these texts by bytes differs from the order of any language, and from the order of their letters alone. */
const TIED = ['acme/w_a', 'acme/w-z', 'acme/w.b'] as const;
const TIED_IDS = ['b', 'B', 'a-1', 'a.1', 'a_1', 'a1', 'a10', 'a9', '~', 'A'] as const;

async function ordered(listing: Listing): Promise<void> {
  const { spec, store } = listing;
  const records = TIED_IDS.flatMap((id, serial) =>
    TIED.map((scope, copy) => {
      const time = copy < 2 ? NOW - MINUTE : NOW - (serial % 3) * MINUTE;
      const record = fixedRecord(spec, scope, time, serial * TIED.length + copy);
      return renamed(record, spec.scopes === 'none' ? `${id}${String(copy)}` : id);
    }),
  );
  await store.fill(new Random(3).shuffled(records));
  const approved = Allowlist.of(...TIED).approved();
  const expected = visible(spec, records, approved);
  await assertShown(listing, expected, 'the order on one page', { approved });
  await assertShown(listing, expected, 'the order over pages of 1', { approved }, 1);
}

/** The record with another id. Commits keep their sha, because a sha has only hexadecimal digits. */
function renamed(record: ListedRecord, id: string): ListedRecord {
  if (record.kind === 'commit') return record;
  return record.kind === 'release' ? { ...record, tagName: id, id: `${nameOfRef(record.repositoryRef)}@${id}` } : { ...record, id };
}

async function closedTimes(listing: Listing): Promise<void> {
  const [from, to] = [NOW - 10 * SECOND, NOW - 5 * SECOND];
  const all = await filledWith(listing, [from - 1, from, from + 1, to - 1, to, to + 1, NOW, NOW + 1, NOW + MINUTE]);
  const ranges = [
    { from, to },
    { from: null, to },
    { from, to: from },
    { from, to: NOW },
    { from: to, to: NOW },
    { from: null, to: from - 2 },
  ];
  for (const range of ranges) {
    const expected = all.filter((record) => timeOf(record) <= range.to && timeOf(record) >= (range.from ?? 0));
    const what = `times from ${String(range.from)} to ${String(range.to)}`;
    await assertShown(listing, expected, what, range);
    await assertShown(listing, expected, `${what}, over pages of 1`, range, 1);
  }
  const [newest] = all;
  if (newest === undefined) return;
  const page = await readPage(listing, { limit: 100, after: positionOf(newest) }, { to });
  const expected = all.filter((record) => timeOf(record) <= to);
  assertSame(positionsOf(page.items), positionsOf(expected), 'a page that begins after a position later than `to`');
}

async function unknownPosition(listing: Listing): Promise<void> {
  const second = NOW - MINUTE;
  const all = await filledWith(listing, [second + SECOND, second, second, second, second - SECOND]);
  const stored = all.map(positionOf);
  const unknown: TimePosition[] = [
    { time: NOW, id: 'never stored' },
    { time: second + 1, id: 'never stored' },
    { time: second - 1, id: '' },
    { time: second - MINUTE, id: 'never stored' },
    ...stored.map(({ time, id }) => ({ time, id: `${id}!` })),
    ...stored.map(({ time, id }) => ({ time, id: id.slice(0, -1) })),
  ];
  for (const after of unknown) {
    const expected = all.filter((record) => comparePositions(positionOf(record), after) > 0);
    const page = await readPage(listing, { limit: 100, after });
    assertSame(positionsOf(page.items), positionsOf(expected), `after ${JSON.stringify(after)}, which is the position of no record`);
  }
}

async function fullPages(listing: Listing): Promise<void> {
  const all = await filledWith(
    listing,
    Array.from({ length: 6 }, (_, serial) => NOW - serial * SECOND),
    ['acme/widget', 'acme/gadget'],
  );
  for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
    for (let start = 0; start < all.length; start += limit) {
      const before = all[start - 1];
      const page = await readPage(listing, { limit, after: before === undefined ? null : positionOf(before) });
      const expected = all.slice(start, start + limit);
      const last = expected.at(-1);
      const what = `of 6 records, a page of ${String(limit)} from record ${String(start + 1)} on`;
      assertSame(positionsOf(page.items), positionsOf(expected), what);
      assertSame(page.next, start + limit < all.length && last !== undefined ? positionOf(last) : null, `\`next\` of: ${what}`);
    }
  }
}

async function longestPage(listing: Listing): Promise<void> {
  const all = await filledWith(
    listing,
    Array.from({ length: 101 }, (_, serial) => NOW - serial),
  );
  const page = await readPage(listing, { limit: 100, after: null });
  assertSame(positionsOf(page.items), positionsOf(all.slice(0, 100)), 'the first 100 of 101 records');
  const rest = await readPage(listing, { limit: 100, after: page.next });
  assertSame([positionsOf(rest.items), rest.next], [positionsOf(all.slice(100)), null], 'the page after them');
}

async function recordsInBetween(listing: Listing): Promise<void> {
  const { spec, store } = listing;
  const all = await filledWith(
    listing,
    [1, 2, 3, 4, 5].map((index) => NOW - index * MINUTE),
  );
  const first = await readPage(listing, { limit: 2, after: null });
  const older = fixedRecord(spec, 'acme/widget', NOW - 4 * MINUTE - SECOND, 50);
  const expected = positionsOf(visible(spec, [...all.slice(2), older]));
  await store.fill([fixedRecord(spec, 'acme/widget', NOW, 51), older, fixedRecord(spec, 'acme/widget', NOW - MINUTE - SECOND, 52)]);
  const rest = await readPage(listing, { limit: 100, after: first.next });
  assertSame(positionsOf(rest.items), expected, 'the second page after two newer records and an older one came in');
  await store.remove?.(first.items);
  const last = await readPage(listing, { limit: 100, after: first.next });
  assertSame(positionsOf(last.items), expected, 'the second page after the records of the first were deleted');
}

async function emptyList(listing: Listing): Promise<void> {
  assertSame(await readPage(listing, { limit: 10, after: null }), { items: [], next: null }, 'the list of an empty store');
}

async function filtered(listing: Listing): Promise<void> {
  const { spec, store } = listing;
  const random = new Random(11);
  const records = Array.from({ length: 36 }, (_, serial) => {
    return spec.make(random, scopeFor(spec, spec.scopes === 'none' ? NO_REPOSITORY : random.pick(SCOPES)), NOW - (serial % 9) * SECOND, serial);
  });
  await store.fill(records);
  const expected = visible(spec, records);
  for (const filters of filtersOf(spec, records)) {
    const found = expected.filter((record) => matches(spec, record, filters));
    await assertShown(listing, found, `filter ${JSON.stringify(filters)}`, { filters }, 5);
  }
}

/** Each filter with each of its values, with a value that no record has, with several values and with none. Also all filters of one or two records combined. */
function filtersOf(spec: ListSpec, records: readonly ListedRecord[]): FilterValues[] {
  const names = Object.entries(spec.filters);
  const alone = names.flatMap(([name, valuesOf]) => {
    const values = [...new Set([...records.flatMap((record) => valuesOf(record)), 'no-such-value'])];
    const asked = [...values, values, [...values.slice(0, 2), ...values.slice(0, 1)], [values[0] ?? '', 'no-such-value'], []];
    return asked.map((value) => ({ [name]: value }));
  });
  const first = (record: ListedRecord | undefined) => names.map(([, valuesOf]) => (record === undefined ? null : (valuesOf(record)[0] ?? null)));
  const together = records.slice(0, 6).flatMap((record, index) => {
    const [own, other] = [first(record), first(records[index + 6])];
    return [own, own.map((value, at) => (value === null ? null : [value, other[at] ?? value]))];
  });
  return [{}, ...alone, ...together.map((values) => Object.fromEntries(names.map(([name], at) => [name, values[at] ?? null])))];
}

async function timeOfBuild(listing: Listing): Promise<void> {
  const build = (id: string, startedAt: number | null, finishedAt: number | null, observedAt: number): ListedRecord =>
    aBuild({ id, startedAt, finishedAt, provenance: { ...aBuild().provenance, observedAt } });
  const records = [
    build('observed', null, null, NOW - 2 * MINUTE),
    build('started', NOW - 3 * MINUTE, NOW, NOW),
    build('finished', null, NOW - MINUTE, NOW),
  ];
  await listing.store.fill(records);
  await assertShown(listing, visible(listing.spec, records), 'builds without a start or an end');
  const found = await readPage(listing, { limit: 5, after: null }, { from: NOW - 2 * MINUTE, to: NOW - 2 * MINUTE });
  assertSame(positionsOf(found.items), positionsOf(records.slice(0, 1)), 'builds of one moment');
}

async function endsOnAbort(listing: Listing): Promise<void> {
  const { spec, store } = listing;
  await filledWith(listing, [NOW, NOW - SECOND]);
  const query = { limit: 10, after: null, from: null, to: NOW };
  await assertEndsOnAbort(`${spec.kind} list`, (context) => spec.list(store.readers, APPROVED, query, {}, context));
}
