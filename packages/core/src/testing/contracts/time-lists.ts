import { comparePositions, positionOf, scopeOf, timeOf, type ListedRecord } from '../../domain/record-key.js';
import { NO_REPOSITORY, type ScopeRef } from '../../domain/repositories/repository-name.js';
import { MINUTE, SECOND, type Instant } from '../../domain/shared/instant.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { RecordIdentity } from '../../domain/record.js';
import { Allowlist, type ApprovedRepositories } from '../../policies/allowlist.js';
import type { ReadContext } from '../../ports/read-context.js';
import type { RecordStore } from '../../ports/store.js';
import type { TimeListQuery, TimePage } from '../../ports/time-list.js';
import { NOW } from '../builders.js';
import { assert, assertSame, StandingClock, withStore, type ContractCase, type ContractOptions } from '../contract.js';
import { LIST_SPECS, type FilterValues, type ListSpec } from '../list-specs.js';
import { Random } from '../random.js';

const APPROVED = Allowlist.of('acme/widget', 'Acme/Gadget').approved();
const SCOPES: readonly [ScopeRef, ...ScopeRef[]] = ['acme/widget', 'acme/gadget', 'acme/secret', 'acme/widget#7', 'other/hidden'];

/** Runs of a long test: larger worlds too. */
const LONG = 20;

/** At least about two of each moment, most of them hidden. */
const recordsIn = (runs: number) => (runs > LONG ? 80 : 48);

interface Listing {
  readonly spec: ListSpec;
  readonly store: RecordStore;
  readonly context: ReadContext;
}

interface World extends Listing {
  readonly records: ListedRecord[];
  readonly random: Random;
}

/** What every list in time order promises, for each of its kinds: permission, filters, order, and paging without loss or repetition. */
export function timeListContract(options: ContractOptions): readonly ContractCase[] {
  const { seed, runs } = options;
  return LIST_SPECS.flatMap((spec) => {
    const random = (name: string, run: (world: World) => Promise<void>): ContractCase => ({
      name: `${spec.kind} list: ${name}`,
      async run() {
        for (let index = 0; index < runs; index++) await onRandomWorld(options, spec, seed + index, run);
      },
    });
    return [
      random(
        'pages joined are the whole list, in order, for every limit, filter and range; the same page for the same position; one repository alone',
        resting,
      ),
      random('loses and repeats nothing while records come and go between pages; goes on after the record of a position is gone', changing),
      {
        name: `${spec.kind} list: shows every record of one timestamp, one by one`,
        run: () => oneTimestamp(options, spec, runs > LONG ? 1_000 : 20),
      },
    ];
  });
}

async function onRandomWorld(options: ContractOptions, spec: ListSpec, seed: number, run: (world: World) => Promise<void>): Promise<void> {
  await withStore(options, new StandingClock(NOW), async (store) => {
    const random = new Random(seed);
    const records = Array.from({ length: recordsIn(options.runs) }, (_, serial) => randomRecord(spec, random, serial));
    await store.writer.put(random.shuffled(records), options.context);
    await run({ spec, records, store, random, context: options.context });
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
    const expected = visible(spec, records, APPROVED).filter(
      (record) => matches(spec, record, filters) && timeOf(record) <= to && timeOf(record) >= (from ?? 0),
    );
    const pages = await walk(world, { from, to }, filters, () => limit);
    assertSame(pages.flat(), expected, `${spec.kind} with ${JSON.stringify(filters)}, limit ${String(limit)}`);
    for (const page of pages.slice(0, -1)) assertSame(page.length, limit, 'the length of a page that is not the last');
  }
}

async function changingPages(world: World): Promise<void> {
  const { spec, records, store, random, context } = world;
  const lasting = new Set(records.filter((_, index) => index % 3 !== 0));
  const passing = records.filter((record) => !lasting.has(record));
  // Beyond those of the world.
  let serial = 1_000;
  const seen = await walk(
    world,
    { from: null, to: NOW },
    {},
    () => 1 + random.int(5),
    async () => {
      const gone = passing.pop();
      if (gone !== undefined) await store.writer.remove([identityOf(gone)], context);
      await store.writer.put([randomRecord(spec, random, serial++)], context);
    },
  );
  const keys = seen.flat().map((record) => JSON.stringify(positionOf(record)));
  assertSame(new Set(keys).size, keys.length, 'how many of the records are different');
  const shown = new Set(keys);
  const lost = visible(spec, [...lasting], APPROVED).filter((record) => !shown.has(JSON.stringify(positionOf(record))));
  assertSame(lost, [], 'records that were there all the time and are missing');
  assertSame(
    seen.flat(),
    [...seen.flat()].sort((a, b) => comparePositions(positionOf(a), positionOf(b))),
    'order',
  );
}

/** Resolves with the ids of what is gone. */
async function deletedAnchor(world: World): Promise<ReadonlySet<string>> {
  const { spec, records, store, context } = world;
  const expected = visible(spec, records, APPROVED);
  const first = await read(world, APPROVED, { limit: 3, after: null, from: null, to: NOW });
  await store.writer.remove(first.items.map(identityOf), context);
  const rest = await read(world, APPROVED, { limit: 100, after: first.next, from: null, to: NOW });
  assertSame(rest.items, expected.slice(3), 'the list after its first page was deleted');
  return new Set(first.items.map((record) => positionOf(record).id));
}

async function samePage(world: World): Promise<void> {
  const query = { limit: 4, after: null, from: null, to: NOW };
  const { next } = await read(world, APPROVED, query);
  const [one, two] = [await read(world, APPROVED, { ...query, after: next }), await read(world, APPROVED, { ...query, after: next })];
  assertSame(one, two, 'the same page asked for twice');
}

async function oneRepository(world: World): Promise<void> {
  const { spec, records } = world;
  if (spec.scopes === 'none') return;
  const only = APPROVED.only('acme/widget');
  const page = await read(world, only, { limit: 100, after: null, from: null, to: NOW });
  assertSame(page.items, visible(spec, records, only), 'the list of acme/widget');
  const none = await read(world, APPROVED.only('acme/secret'), { limit: 100, after: null, from: null, to: NOW });
  assertSame(none.items, [], 'the list of a repository that is not approved');
}

async function oneTimestamp(options: ContractOptions, spec: ListSpec, count: number): Promise<void> {
  await withStore(options, new StandingClock(NOW), async (store) => {
    const random = new Random(count);
    const scope = spec.scopes === 'none' ? NO_REPOSITORY : 'acme/widget';
    const records = Array.from({ length: count }, (_, serial) => spec.make(random, scope, NOW - MINUTE, serial));
    const { context } = options;
    await store.writer.put(records, context);
    const pages = await walk({ store, spec, context }, { from: null, to: NOW }, {}, () => 1);
    assertSame(new Set(pages.flat().map((record) => positionOf(record).id)).size, count, 'records seen');
    assertSame(pages.flat().length, count, 'pages of one record');
  });
}

/** Every page to the end, as a reader's client would ask for them; checks what holds on each of them. */
async function walk(
  world: Listing,
  range: { readonly from: Instant | null; readonly to: Instant },
  filters: FilterValues,
  nextLimit: () => number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<ListedRecord[][]> {
  const pages: ListedRecord[][] = [];
  let after: TimePosition | null = null;
  do {
    const limit = nextLimit();
    const page: TimePage<ListedRecord> = await read(world, APPROVED, { ...range, limit, after }, filters);
    assert(page.items.length <= limit, `a page of ${String(page.items.length)} for a limit of ${String(limit)}`);
    if (page.next !== null) assertSame(page.items.length, limit, 'the length of a page that has a next one');
    pages.push([...page.items]);
    after = page.next;
    await between();
  } while (after !== null && pages.length < 5_000);
  return pages;
}

function read(
  { store, spec, context }: Listing,
  approved: ApprovedRepositories,
  query: TimeListQuery,
  filters: FilterValues = {},
): Promise<TimePage<ListedRecord>> {
  return spec.list(store.readers, approved, query, filters, context);
}

function visible(spec: ListSpec, records: readonly ListedRecord[], approved: ApprovedRepositories): ListedRecord[] {
  return records
    .filter((record) => spec.scopes === 'none' || approved.admits(scopeOf(record)))
    .sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
}

function matches(spec: ListSpec, record: ListedRecord, filters: FilterValues): boolean {
  return Object.entries(filters).every(([name, value]) => value === null || spec.filters[name]?.(record).includes(value) === true);
}

function randomFilters(spec: ListSpec, records: readonly ListedRecord[], random: Random): FilterValues {
  const chosen = Object.entries(spec.filters).map(([name, valuesOf]) => {
    const record = records[random.int(records.length)];
    const values = record === undefined ? [] : valuesOf(record);
    const value = random.chance(0.1) ? 'no-such-value' : (values[random.int(values.length)] ?? null);
    return [name, random.chance(0.5) ? value : null] as const;
  });
  return Object.fromEntries(chosen);
}

/** What names a record when it is to be removed. */
function identityOf(record: ListedRecord): RecordIdentity {
  switch (record.kind) {
    case 'commit':
      return { kind: 'commit', repositoryRef: record.repositoryRef, sha: record.sha };
    case 'news':
    case 'incident':
      return { kind: record.kind, id: record.id };
    default:
      return record;
  }
}
