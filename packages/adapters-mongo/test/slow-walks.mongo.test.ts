import {
  Allowlist,
  MINUTE,
  recordReaders,
  SECOND,
  type ApprovedRepositories,
  type Commit,
  type RepositoryRef,
  type TimePosition,
} from '@vitrine/core';
import { aCommit, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo, isTorture, sampled } from '@vitrine/test-support';
import { MongoServerError, type Db, type Filter, type FindOptions } from 'mongodb';
import { Collections, type ReadCollection } from '../src/collections.js';
import { readingOver } from '../src/open-mongo-store.js';
import type { StoredDocument } from '../src/documents/codec.js';
import { recordTables } from '../src/readers/record-readers.js';
import { initStore, openMongoStore } from '../src/index.js';
import { specOf } from '../src/documents/documents.js';
import { copyIndexes } from './support/copied-indexes.js';
import { commandsOf, explained } from './support/explained.js';
import { insertDamaged } from './support/insert-bytes.js';

const context = { signal: new AbortController().signal };
const refs = Array.from({ length: 250 }, (_, index): RepositoryRef => `team/repository-${String(index)}`);
const approved = Allowlist.of(...refs.slice(0, 221)).approved();
const ALL = { author: null, branch: null, changeType: null };
const LIMIT = 4;
/** The time limit of queries other than scans by time. */
const MAX_TIME_MS = 1_500;

/** A database in which scans by time exceed their limit, and optionally also the two searches for the first records of scopes. */
class SlowWalking extends Collections {
  walks = 0;
  searches = 0;
  queries = 0;

  constructor(
    db: Db,
    readonly isSearchSlow = false,
  ) {
    super(db);
  }

  override of(name: Parameters<Collections['of']>[0]): ReturnType<Collections['of']> {
    return new Proxy(super.of(name), {
      get: (collection, property) => {
        if (property === 'find') return (filter: Filter<StoredDocument>, options: FindOptions) => this.#find(collection, filter, options);
        const value: unknown = Reflect.get(collection, property, collection);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown =>
          this.#isSlowSearch(property) ? { toArray: tooSlow } : value.apply(collection, withTime(property, given));
      },
    });
  }

  #find(collection: ReadCollection, filter: Filter<StoredDocument>, options: FindOptions) {
    const isWalk = options.maxTimeMS !== MAX_TIME_MS;
    if (isWalk) this.walks += 1;
    else this.queries += 1;
    return isWalk ? { toArray: tooSlow } : collection.find(filter, options);
  }

  #isSlowSearch(property: PropertyKey): boolean {
    if (property !== 'aggregate') return false;
    this.searches += 1;
    return this.isSearchSlow;
  }
}

/** Gives all other queries enough time, even on a busy machine. */
function withTime(property: PropertyKey, given: readonly unknown[]): readonly unknown[] {
  return property === 'aggregate' ? [given[0], { ...(given[1] as object), maxTimeMS: MAX_TIME_MS }] : given;
}

const tooSlow = (): Promise<never> => Promise.reject(new MongoServerError({ message: 'operation exceeded time limit', code: 50 }));

describeMongo('a scan by time that takes too long', (databases) => {
  let db: Db;
  const clock = new StandingClock(NOW);

  beforeAll(async () => {
    db = await databases.prepared(initStore, { monitorCommands: true });
    const { writer } = openMongoStore(db, { clock });
    // Always three records with the same time, so that some pages end between them.
    await writer.put(
      Array.from({ length: 75 }, (_, serial) => commit(serial, NOW - Math.floor(serial / 3) * 1_000)),
      context,
    );
    // And far more records with the same time than a page holds.
    await writer.put(
      Array.from({ length: isTorture ? 60 : 25 }, (_, serial) => commit(200 + serial, NOW - MINUTE)),
      context,
    );
  });

  function commit(serial: number, committedAt: number): Commit {
    return aCommit({
      repositoryRef: refs[(serial * 37) % refs.length] ?? 'team/none',
      sha: serial.toString(16).padStart(40, '0'),
      authorLogin: serial % 2 === 0 ? 'ada' : 'bea',
      authorName: serial % 3 === 0 ? 'ada' : 'Cleo',
      changeType: serial % 4 === 0 ? 'docs' : 'fix',
      branch: serial % 5 === 0 ? 'next' : 'main',
      committedAt,
    });
  }

  type Filters = Partial<Readonly<Record<keyof typeof ALL, string | readonly string[]>>>;

  async function pages(collections: Collections, filters: Filters, under: ApprovedRepositories = approved): Promise<Commit[][]> {
    const reader = recordReaders(recordTables(readingOver(collections, { clock, maxTimeMs: MAX_TIME_MS }))).commits;
    const found: Commit[][] = [];
    for (let after: TimePosition | null = null; ;) {
      const { items, next } = await reader.list(under, { ...ALL, ...filters, limit: LIMIT, after, from: null, to: NOW }, context);
      found.push([...items]);
      if (next === null) return found;
      after = next;
    }
  }

  it.each<[Filters]>(sampled([[{}], [{ changeType: 'docs' }], [{ branch: 'main' }]], 3))(
    'returns the same pages from the scopes with the first records: %j',
    async (filters) => {
      const slow = new SlowWalking(db);
      const expected = await pages(new Collections(db), filters);
      expect(expected.length).toBeGreaterThan(5);
      expect(await pages(slow, filters)).toEqual(expected);
      expect([slow.walks, slow.searches]).toEqual([1, 2 * expected.length]);
      // One query is enough, except at the time that far more records have than a page holds: there it also reads the parts.
      const inParts = (slow.queries - expected.length) / 3;
      expect(inParts).toBeGreaterThan(0);
      expect(inParts).toBeLessThan(expected.length / 2);
    },
  );

  it.each<[Filters, number]>([
    [{}, 3],
    // A login or a name: half as many repositories in one query, and the condition is not a single range of the index.
    [{ author: 'ada' }, 4],
    // With two filters, only one is in the index.
    [{ changeType: 'docs', branch: 'main' }, 3],
  ])('returns the same pages in parts, if that way is slow too or impossible: %j', async (filters, queries) => {
    const slow = new SlowWalking(db, true);
    const expected = await pages(new Collections(db), filters);
    expect(expected.length).toBeGreaterThan(3);
    expect(await pages(slow, filters)).toEqual(expected);
    expect([slow.walks, slow.searches, slow.queries]).toEqual([1, Object.keys(filters).length === 0 ? 2 : 0, queries * expected.length]);
  });

  it('returns the same pages with more values of a filter than one query merges', async () => {
    const authors = ['ada', ...Array.from({ length: 150 }, (_, index) => `author-${String(index)}`)];
    const few = Allowlist.of(...refs.slice(0, 3)).approved();
    const expected = await pages(new Collections(db), { author: 'ada' }, few);
    expect(expected.flat().length).toBeGreaterThan(0);
    expect(await pages(new SlowWalking(db), { author: authors }, few)).toEqual(expected);
  });

  it('returns the same pages if nearly all scopes are empty', async () => {
    const strangers = Array.from({ length: 300 }, (_, index) => `team/stranger-${String(index)}`);
    const few = Allowlist.of(...strangers, ...refs.slice(0, 5)).approved();
    const expected = await pages(new Collections(db), {}, few);
    expect(expected.flat().length).toBeGreaterThan(1);
    expect(await pages(new SlowWalking(db), {}, few)).toEqual(expected);
  });

  it.each<[Filters]>(sampled([[{}], [{ changeType: 'docs' }]], 2))('finds the first record of each scope by one seek: %j', async (filters) => {
    const reader = recordReaders(recordTables(readingOver(new SlowWalking(db), { clock, maxTimeMs: MAX_TIME_MS }))).commits;
    const query = { ...ALL, ...filters, limit: LIMIT, after: { time: NOW - 30_500, id: 'x' }, from: null, to: NOW };
    const commands = await commandsOf(db.client, () => reader.list(approved, query, context));
    expect(commands.map((command) => Object.keys(command)[0])).toEqual(['aggregate', 'aggregate', 'find']);
    const [search, other, page] = await Promise.all(commands.map((command) => explained(db, command)));
    for (const half of [search, other]) {
      expect(half?.stages).toContain('DISTINCT_SCAN');
      expect(half?.docsExamined).toBe(0);
      expect(half?.keysExamined).toBeLessThanOrEqual(201);
    }
    expect(page?.keysExamined).toBeLessThanOrEqual(4 * (LIMIT + 1));
  });

  it('is tried again after five seconds', async () => {
    const slow = new SlowWalking(db);
    const reader = recordReaders(recordTables(readingOver(slow, { clock, maxTimeMs: MAX_TIME_MS }))).commits;
    const read = () => reader.list(approved, { ...ALL, limit: LIMIT, after: null, from: null, to: NOW }, context);
    const walks: number[] = [];
    for (const pause of [0, 0, 5 * SECOND - 1, 2]) {
      clock.set(clock.now() + pause);
      await read();
      walks.push(slow.walks);
    }
    expect(walks).toEqual([1, 1, 1, 2]);
  });

  it('returns full pages beside ids that are not UTF-8, in every way to read them', async () => {
    const own = await databases.database();
    await copyIndexes(db, own, ['commits']);
    const { writer } = openMongoStore(own, { clock });
    const healthy = Array.from({ length: 24 }, (_, serial) => commit(serial, NOW - Math.floor(serial / 3) * 1_000));
    await writer.put(healthy, context);
    const expected = await pages(new Collections(own), {});
    const damaged = async (serial: number, committedAt: number, id: string) => {
      await insertDamaged(own, 'commits', { ...specOf('commit').toDocument(commit(serial, committedAt)), _id: id }, 'MARKER');
    };
    for (let serial = 100; serial < 103; serial++) await damaged(serial, NOW - serial * 10, `MARKER${String(serial)}`);
    // More at the same time than a page holds.
    for (let serial = 200; serial < 200 + 2 * LIMIT; serial++) await damaged(serial, NOW - 5_500, `MARKER${String(serial)}`);
    // A list of repositories: it is in two parts.
    const inTwo = { ...specOf('commit').toDocument(commit(300, NOW - 7_500)), repositoryRef: [refs[0], refs[220]], authorKeys: null };
    await own.collection('commits').insertOne(inTwo as object);
    expect((await own.collection('commits').countDocuments()) - healthy.length).toBe(4 + 2 * LIMIT);
    for (const collections of [new Collections(own), new SlowWalking(own), new SlowWalking(own, true)])
      expect(await pages(collections, {})).toEqual(expected);
  });
});
