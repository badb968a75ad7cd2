import { comparePositions, positionOf, timeOf } from '../../kinds/identity.js';
import { MINUTE, SECOND } from '../../kinds/instant.js';
import type { ListedKind, ListedRecord } from '../../kinds/kinds.js';
import { NO_REPOSITORY, type ScopeRef } from '../../kinds/repository-name.js';
import { NOW } from '../builders.js';
import { type ContractCase, assertSame, namedCase, withSeeds } from '../contract.js';
import { type AnyKindOptions, type KindContractOptions, type SomeKindsOptions, seedsOf, specsOf, withKinds } from '../kind-store.js';
import type { FilterValues, ListSpec } from '../list-specs.js';
import { Random } from '../random.js';
import { listPromises } from './list-promises.js';
import { APPROVED, type Listing, everyPage, matches, positionsOf, readPage, visible } from './listing.js';

const SCOPES: readonly [ScopeRef, ...ScopeRef[]] = ['acme/widget', 'acme/gadget', 'acme/secret', 'acme/widget#7', 'other/hidden'];

/** Above this number of runs, a test is a long one and uses larger worlds. */
const LONG = 20;

/** Enough for about two records at each time. Most of them are hidden. */
const recordsIn = (runs: number) => (runs > LONG ? 80 : 48);

interface World extends Listing {
  readonly records: ListedRecord[];
  readonly random: Random;
}

/**
 * The promises of every list in time order, for each kind: permission, filters, order, times, signals, and paging without loss or repetition.
 * Each promise has a fixed case. Random cases look for what nobody thought of.
 */
export function timeListContract(options: SomeKindsOptions): readonly ContractCase[];
export function timeListContract<Kind extends ListedKind>(options: KindContractOptions<Kind>): readonly ContractCase[];
export function timeListContract(options: AnyKindOptions): readonly ContractCase[] {
  const seeds = seedsOf(options);
  return specsOf(options).flatMap((spec) => {
    const random = (name: string, run: (world: World) => Promise<void>): ContractCase =>
      namedCase(`${spec.kind} list: ${name}`, () => withSeeds(seeds, (seed) => onRandomWorld(options, spec, seed, run)));
    return [
      ...listPromises(spec).map(({ name, run }) =>
        namedCase(`${spec.kind} list: ${name}`, () => withKinds(options, (store) => run({ spec, store }))),
      ),
      random(
        'pages joined are the whole list, in order, for every limit, filter and range; the same page for the same position; one repository alone',
        resting,
      ),
      random('loses and repeats nothing while records come and go between pages; goes on after the record of a position is gone', changing),
      namedCase(`${spec.kind} list: shows every record of one timestamp, one by one`, () => oneTimestamp(options, spec)),
    ];
  });
}

async function onRandomWorld(options: AnyKindOptions, spec: ListSpec, seed: number, run: (world: World) => Promise<void>): Promise<void> {
  await withKinds(options, async (store) => {
    const random = new Random(seed);
    const records = Array.from({ length: recordsIn(seedsOf(options).runs) }, (_, serial) => randomRecord(spec, random, serial));
    await store.fill(random.shuffled(records));
    await run({ spec, records, store, random });
  });
}

function randomRecord(spec: ListSpec, random: Random, serial: number): ListedRecord {
  const time = NOW - random.int(12) * SECOND - random.int(2) * MINUTE;
  const free = spec.scopes === 'none' || (spec.scopes === 'any' && random.chance(0.3));
  return spec.make(random, free ? NO_REPOSITORY : random.pick(SCOPES), time, serial);
}

async function resting(world: World): Promise<void> {
  await joinedPages(world);
  await samePage(world);
  await oneRepository(world);
}

async function changing(world: World): Promise<void> {
  const gone = await deletedAnchor(world);
  await changingPages({ ...world, records: world.records.filter((record) => !gone.has(positionOf(record).id)) });
}

async function joinedPages(world: World): Promise<void> {
  const { spec, records, random } = world;
  for (const limit of [1, 2, 3, 7, 100]) {
    const filters = randomFilters(spec, records, random);
    const from = random.chance(0.3) ? NOW - random.int(30) * SECOND : null;
    const to = random.chance(0.3) ? NOW - random.int(10) * SECOND : NOW;
    const expected = visible(spec, records).filter(
      (record) => matches(spec, record, filters) && timeOf(record) <= to && timeOf(record) >= (from ?? 0),
    );
    const pages = await everyPage(world, { from, to, filters }, () => limit);
    const what = `${spec.kind} with ${JSON.stringify({ from, to, ...filters })}, limit ${String(limit)}`;
    assertSame(positionsOf(pages.flat()), positionsOf(expected), what);
    assertSame(pages.flat(), expected, `${what}, whole records`);
  }
}

async function changingPages(world: World): Promise<void> {
  const { spec, records, store, random } = world;
  const lasting = new Set(store.remove === undefined ? records : records.filter((_, index) => index % 3 !== 0));
  const passing = records.filter((record) => !lasting.has(record));
  // Greater than the serial numbers of the world's records.
  let serial = 1_000;
  const seen = await everyPage(
    world,
    {},
    () => 1 + random.int(5),
    async () => {
      const gone = passing.pop();
      if (gone !== undefined) await store.remove?.([gone]);
      await store.fill([randomRecord(spec, random, serial++)]);
    },
  );
  const keys = seen.flat().map((record) => JSON.stringify(positionOf(record)));
  assertSame(new Set(keys).size, keys.length, 'how many of the records are different');
  const shown = new Set(keys);
  const lost = visible(spec, [...lasting]).filter((record) => !shown.has(JSON.stringify(positionOf(record))));
  assertSame(lost, [], 'records that were there all the time and are missing');
  assertSame(
    seen.flat(),
    [...seen.flat()].sort((a, b) => comparePositions(positionOf(a), positionOf(b))),
    'order',
  );
}

/** Deletes the first page, then continues after it. Resolves with the deleted ids. If the store cannot delete, the records stay. */
async function deletedAnchor(world: World): Promise<ReadonlySet<string>> {
  const { spec, records, store } = world;
  const expected = visible(spec, records);
  const first = await readPage(world, { limit: 3, after: null });
  await store.remove?.(first.items);
  const rest = await readPage(world, { limit: 100, after: first.next });
  assertSame(rest.items, expected.slice(3), 'the list after its first page was deleted');
  return store.remove === undefined ? new Set() : new Set(first.items.map((record) => positionOf(record).id));
}

async function samePage(world: World): Promise<void> {
  const { next } = await readPage(world, { limit: 4, after: null });
  const [one, two] = [await readPage(world, { limit: 4, after: next }), await readPage(world, { limit: 4, after: next })];
  assertSame(one, two, 'the same page asked for twice');
}

async function oneRepository(world: World): Promise<void> {
  const { spec, records } = world;
  if (spec.scopes === 'none') return;
  const only = APPROVED.only('acme/widget');
  const page = await readPage(world, { limit: 100, after: null }, { approved: only });
  assertSame(page.items, visible(spec, records, only), 'the list of acme/widget');
  const none = await readPage(world, { limit: 100, after: null }, { approved: APPROVED.only('acme/secret') });
  assertSame(none.items, [], 'the list of a repository that is not approved');
}

async function oneTimestamp(options: AnyKindOptions, spec: ListSpec): Promise<void> {
  const count = seedsOf(options).runs > LONG ? 1_000 : 20;
  await withKinds(options, async (store) => {
    const random = new Random(count);
    const scope = spec.scopes === 'none' ? NO_REPOSITORY : 'acme/widget';
    await store.fill(Array.from({ length: count }, (_, serial) => spec.make(random, scope, NOW - MINUTE, serial)));
    const pages = await everyPage({ spec, store }, {}, () => 1);
    assertSame(new Set(pages.flat().map((record) => positionOf(record).id)).size, count, 'records seen');
    assertSame(pages.flat().length, count, 'pages of one record');
  });
}

function randomFilters(spec: ListSpec, records: readonly ListedRecord[], random: Random): FilterValues {
  const chosen = Object.entries(spec.filters).map(([name, valuesOf]) => {
    const record = records[random.int(records.length)];
    const values = record === undefined ? [] : valuesOf(record);
    const value = random.chance(0.1) ? 'no-such-value' : (values[random.int(values.length)] ?? null);
    return [name, random.chance(0.5) ? value : random.chance(0.3) ? values : null] as const;
  });
  return Object.fromEntries(chosen);
}
