import type { StoredRecord } from '@vitrine/core';
import type { Source } from '../../running/source.js';
import { ContractStore, IsKilled, type OpenStore } from './contract-store.js';

/** A source, and the origin that it reads. */
export interface SourceWorld {
  /** A new instance of the source, as a new process makes it. */
  readonly create: () => Source;
  /** Changes the origin, so that the next run stores, replaces or removes something. */
  readonly change: () => Promise<void>;
  /** Makes the origin unreadable. */
  readonly break: () => Promise<void>;
  /** Makes the origin readable again, with the same content as before. */
  readonly repair: () => Promise<void>;
  /** Releases the origin. */
  readonly close: () => Promise<void>;
}

export interface SourceContractOptions {
  /** An origin with at least one record. Each call makes the same one. */
  readonly open: () => Promise<SourceWorld>;
  /** An empty store with a clock that stands still. */
  readonly openStore: OpenStore;
  /** The time of the first run, in milliseconds. Default: 2026-11-20, noon UTC. */
  readonly now?: number;
}

/** A test case for one promise of a source, as data for any test runner. `run` rejects with an error that names the problem. */
export interface SourceContractCase {
  readonly name: string;
  readonly run: () => Promise<void>;
}

const NOON = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
/** No source needs more calls of the writer for the few records of a test. */
const MOST_CALLS = 1_000;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** The promises of every source. */
export function sourceContract(options: SourceContractOptions): readonly SourceContractCase[] {
  const { open, openStore, now = NOON } = options;
  const name = (text: string, body: (world: SourceWorld, store: ContractStore) => Promise<void>): SourceContractCase => ({
    name: text,
    run: async () => {
      const world = await open();
      const store = await ContractStore.open(openStore, now);
      try {
        await body(world, store);
      } finally {
        await store.close();
        await world.close();
      }
    },
  });
  return [
    name('stores something, and a run that finds nothing new changes nothing, also in a new process', storesOnce),
    name('follows a change of the origin, and stores only kinds that it is registered for, and one sync record, its own', followsChanges),
    name('has a public id and a label without paths and addresses', hidesItsOrigin),
    name('leaves everything that is stored as it was if the origin cannot be read, and says why', survivesFailures),
    name('goes on after a failure as if there had been none', (world, store) => recovers(world, store, options)),
    name('run again after it was killed anywhere, stores what a run that was not killed stores', (world, store) =>
      survivesKills(world, store, options),
    ),
    name('ends early when it is aborted, and stores nothing afterwards', endsEarly),
  ];
}

async function storesOnce({ create }: SourceWorld, store: ContractStore): Promise<void> {
  const source = create();
  const first = await store.run(source);
  expectThat(first.stored > 0, 'the first run to store something', first);
  const before = await store.content();
  for (const again of [source, create()]) {
    store.now += HOUR;
    const report = await store.run(again);
    expectThat(report.stored === 0 && report.removed === 0, 'a run that finds nothing new to store and remove nothing', report);
    expectSame(await store.content(), before, 'the records to stay as they were');
  }
}

async function followsChanges({ create, change }: SourceWorld, store: ContractStore): Promise<void> {
  const source = create();
  await store.run(source);
  const before = await store.content();
  await change();
  store.now += HOUR;
  const report = await store.run(source);
  expectThat(report.stored + report.removed > 0, 'the run to store or remove something', report);
  expectThat(JSON.stringify(await store.content()) !== JSON.stringify(before), 'other records', before);
  const { id, feeds } = registrationOf(source);
  const kinds = new Set<string>(feeds);
  const foreign = (await store.records()).filter((record) => (record.kind === 'sync' ? record.id !== id : !kinds.has(record.kind)));
  expectSame(foreign, [], `only ${feeds.join(', ')} and the sync record ${id}`);
  const sync = await store.sync(id);
  expectThat(sync?.lastSuccessAt === store.now, 'the sync record to say when the last run began', sync);
}

function hidesItsOrigin({ create }: SourceWorld): Promise<void> {
  const { id, label, sourceType } = registrationOf(create());
  expectThat(id.startsWith(`${sourceType}:`), `an id that begins with "${sourceType}:", the type of the source`, id);
  expectThat(!/[\\@]|:\/\/|^[^:]*:\//.test(id), 'an id without a path and an address', id);
  expectThat(label !== '' && !/:\/\/|^\//.test(label), 'a label for people', label);
  return Promise.resolve();
}

async function survivesFailures(world: SourceWorld, store: ContractStore): Promise<void> {
  const source = world.create();
  await store.run(source);
  const before = await store.records();
  await world.break();
  for (const broken of [source, world.create()]) {
    store.now += HOUR;
    const error = await store.failure(broken);
    expectThat(error instanceof Error && error.message !== '', 'an error with a message', error);
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    expectThat(code === undefined || (typeof code === 'string' && CODE.test(code)), 'a code for the sync record in capital letters', code);
    expectSame(await store.records(), before, 'nothing to change');
  }
}

async function recovers(world: SourceWorld, store: ContractStore, { openStore }: SourceContractOptions): Promise<void> {
  await store.run(world.create());
  const expected = await store.content();
  const interrupted = await ContractStore.open(openStore, store.now);
  try {
    const source = world.create();
    await world.break();
    await interrupted.failure(source);
    await world.repair();
    await interrupted.run(source);
    expectSame(await interrupted.content(), expected, 'the records of a run without a failure before it');
  } finally {
    await interrupted.close();
  }
}

/** Kills the run before each call of the writer in turn: the first run, and one after a change. */
async function survivesKills(world: SourceWorld, whole: ContractStore, { openStore }: SourceContractOptions): Promise<void> {
  await whole.run(world.create());
  const first = await whole.content();
  const killedFirst = await killedEverywhere(world, () => ContractStore.open(openStore, whole.now), first);
  await world.change();
  await whole.run(world.create());
  const second = await whole.content();
  // Each of these stores has the records of a first run.
  const prepared = async (): Promise<ContractStore> => {
    const store = await ContractStore.open(openStore, whole.now);
    await store.copy(killedFirst);
    return store;
  };
  await killedEverywhere(world, prepared, second);
}

/** Resolves with all that is stored in the end. */
async function killedEverywhere(
  { create }: SourceWorld,
  openStore: () => Promise<ContractStore>,
  expected: readonly StoredRecord[],
): Promise<readonly StoredRecord[]> {
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const store = await openStore();
    try {
      const wasKilled = await store.killedAfter(create(), calls);
      await store.run(create());
      expectSame(await store.content(), expected, `the records of a whole run, after a run that was killed after ${String(calls)} writes`);
      if (!wasKilled) return await store.records();
    } finally {
      await store.close();
    }
  }
  throw new Error(`expected a run with fewer than ${String(MOST_CALLS)} writes`);
}

async function endsEarly({ create }: SourceWorld, store: ContractStore): Promise<void> {
  const stop = new AbortController();
  stop.abort(new IsKilled());
  const error = await store.failure(create(), stop.signal);
  expectThat(error !== null, 'the run to reject', error);
  expectSame(await store.records(), [], 'nothing to be stored');
}

function registrationOf(source: Source): NonNullable<Source['registration']> {
  if (source.registration === undefined) throw new Error('expected a source with a registration');
  return source.registration;
}

function expectThat(holds: boolean, what: string, found: unknown): void {
  if (!holds) throw new Error(`expected ${what}, but found ${found instanceof Error ? String(found) : JSON.stringify(found)}`);
}

function expectSame(found: readonly StoredRecord[], expected: readonly StoredRecord[], what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(`expected ${what}: ${JSON.stringify(expected, null, 1)}\nbut found ${JSON.stringify(found, null, 1)}`);
}
