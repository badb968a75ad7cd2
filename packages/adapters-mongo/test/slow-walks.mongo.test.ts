import { Allowlist, MINUTE, type Commit, type RepositoryRef, type TimePosition } from '@vitrine/core';
import { aCommit, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import { MongoServerError, type Db, type FindOptions } from 'mongodb';
import { Collections, ensureIndexes } from '../src/collections.js';
import { readingOver } from '../src/create-mongo-readers.js';
import { MongoCommitReader } from '../src/readers/mongo-commit-reader.js';
import { openMongoStore } from '../src/index.js';

const context = { signal: new AbortController().signal };
const refs = Array.from({ length: 450 }, (_, index): RepositoryRef => `team/repository-${String(index)}`);
const approved = Allowlist.of(...refs.slice(0, 401)).approved();
const ALL = { author: null, branch: null, changeType: null };

/** A database in which every walk by time takes too long. */
class SlowWalking extends Collections {
  walks = 0;
  queries = 0;

  override of(name: Parameters<Collections['of']>[0]): ReturnType<Collections['of']> {
    return new Proxy(super.of(name), {
      get: (collection, property) => {
        const value: unknown = Reflect.get(collection, property, collection);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          const options = given[1] as FindOptions | undefined;
          if (property !== 'find') return value.apply(collection, given);
          this.queries += 1;
          if (options?.maxTimeMS !== 50) return value.apply(collection, given);
          this.walks += 1;
          return { toArray: () => Promise.reject(new MongoServerError({ message: 'operation exceeded time limit', code: 50 })) };
        };
      },
    });
  }
}

describeMongo('a walk by time that takes too long', (databases) => {
  let db: Db;
  const clock = new StandingClock(NOW);

  beforeAll(async () => {
    db = await databases.database();
    await ensureIndexes(db);
    // Three of one moment each time, so that pages end among them too.
    const commits = Array.from({ length: 120 }, (_, serial) =>
      aCommit({
        repositoryRef: refs[(serial * 37) % refs.length] ?? 'team/none',
        sha: serial.toString(16).padStart(40, '0'),
        authorLogin: serial % 2 === 0 ? 'ada' : 'bea',
        authorName: serial % 3 === 0 ? 'ada' : 'Cleo',
        committedAt: NOW - Math.floor(serial / 3) * 1_000,
      }),
    );
    await openMongoStore(db, { clock }).writer.put(commits, context);
  });

  async function pages(collections: Collections, filters: { readonly author: string | null }): Promise<Commit[][]> {
    const reader = new MongoCommitReader(readingOver(collections, { clock }));
    const found: Commit[][] = [];
    for (let after: TimePosition | null = null; ;) {
      const { items, next } = await reader.list(approved, { ...ALL, ...filters, limit: 7, after, from: null, to: NOW }, context);
      found.push([...items]);
      if (next === null) return found;
      after = next;
    }
  }

  it.each([
    [null, 3],
    // A login or a name: half as many repositories at once.
    ['ada', 5],
  ])('gives the same pages in parts (author: %s), and is tried once', async (author, parts) => {
    const slow = new SlowWalking(db);
    const expected = await pages(new Collections(db), { author });
    expect(expected.length).toBeGreaterThan(5);
    expect(await pages(slow, { author })).toEqual(expected);
    expect([slow.walks, slow.queries - slow.walks]).toEqual([1, parts * expected.length]);
  });

  it('is tried again after a minute', async () => {
    const slow = new SlowWalking(db);
    const reader = new MongoCommitReader(readingOver(slow, { clock }));
    const read = () => reader.list(approved, { ...ALL, limit: 7, after: null, from: null, to: NOW }, context);
    const walks: number[] = [];
    for (const pause of [0, MINUTE - 1, 1]) {
      clock.set(clock.now() + pause);
      await read();
      walks.push(slow.walks);
    }
    expect(walks).toEqual([1, 1, 2]);
  });
});
