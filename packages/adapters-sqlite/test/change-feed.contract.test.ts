import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, keyOfIdentity, UnavailableError } from '@vitrine/core';
import { aCheck, aCommit, aFinding, changeFeedContract, followedWritesContract, NOW, someNews, StandingClock } from '@vitrine/core/testing';
import { SqliteDatabase } from '../src/database/sqlite-database.js';
import { openSqliteStore, type OpenSqliteStore } from '../src/index.js';
import { bringBack } from './older-format.js';
import { openLocalStore } from './open-local-store.js';
import { writingProcess } from './writing-processes.js';

const context = { signal: new AbortController().signal };
const NO_WAIT = { limit: 1_000, waitMs: 0 };
const WAIT = { limit: 1_000, waitMs: 20_000 };

const torture = process.env['VITRINE_TORTURE'] === '1';
let serial = 0;
let root = '';
const stores: OpenSqliteStore[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitrine-feed-'));
});
afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));
afterAll(() => rm(root, { recursive: true }));

async function open(name: string | null, clock = new StandingClock(NOW)): Promise<OpenSqliteStore> {
  const store = await openLocalStore({ clock, path: name === null ? null : join(root, name) });
  stores.push(store);
  return store;
}

async function closed(store: OpenSqliteStore): Promise<void> {
  stores.splice(stores.indexOf(store), 1);
  await store.close();
}

const now = async ({ changeFeed }: OpenSqliteStore): Promise<string> => (await changeFeed.changesSince(null, NO_WAIT, context)).position;

function inFile<Result>(name: string, use: (database: SqliteDatabase) => Result): Result {
  const database = new SqliteDatabase(join(root, name, 'vitrine.db'));
  try {
    return use(database);
  } finally {
    database.close();
  }
}

describe('the feed of changes of a SQLite store', () => {
  it.each(changeFeedContract({ open: (clock) => openLocalStore({ clock, path: null }), context }))('$name', ({ run }) => run());
});

/** A thread takes a tenth of a second to start. */
describe('the feed of changes of a SQLite store with its threads', () => {
  it.each(changeFeedContract({ open: (clock) => openSqliteStore({ clock, path: null }), context }).filter((_, index) => torture || index % 3 === 0))(
    '$name',
    ({ run }) => run(),
    60_000,
  );
});

/** Stores of files to which the test has a connection of its own. */
const files = new WeakMap<object, string>();

async function openFile(clock: StandingClock): Promise<OpenSqliteStore> {
  const name = `random-${String(serial++)}`;
  const store = await openLocalStore({ clock, path: join(root, name) });
  files.set(store, name);
  return store;
}

const random = {
  open: openFile,
  forget: (store: object) => {
    inFile(files.get(store) ?? '', (database) => database.exec('delete from change where number < (select max(number) from change)'));
    return Promise.resolve();
  },
  context,
  seed: 20_261_124,
  runs: torture ? 500 : 1,
};

describe('a reader of a SQLite store', () => {
  it.each(followedWritesContract(random))('$name', ({ run }) => run(), 600_000);
});

describe('the table of changes', () => {
  it('tells every process what all of them have written, in one order', async () => {
    const readers = [await open('shared'), await open('shared')];
    const starts = await Promise.all(readers.map(now));
    const writer = writingProcess('writing-process.ts', join(root, 'shared'), 'a', '1', '10');
    const own = async (store: OpenSqliteStore) => {
      for (let number = 1; number <= 10; number++) await store.writer.put([aFinding({ id: `b${String(number)}` })], context);
    };
    const writing = own(await open('shared'));
    const last = (name: string) => `finding ${keyOfIdentity(aFinding({ id: `${name}10` }))}`;
    const seen = await Promise.all(
      readers.map(async ({ changeFeed }, index) => {
        const all: string[] = [];
        for (let position = starts[index] ?? ''; !all.includes(last('a')) || !all.includes(last('b'));) {
          const answer = await changeFeed.changesSince(position, WAIT, context);
          all.push(...answer.changes.map(({ kind, key }) => `${kind} ${String(key)}`));
          position = answer.position;
        }
        return all;
      }),
    );
    await writing;
    expect(await writer.lastLine).toBe('10');
    expect(seen[0]).toEqual(seen[1]);
    for (const name of ['a', 'b']) {
      const findings = seen[0]?.filter((one) => one.startsWith(`finding ${name}`));
      expect(findings).toEqual(Array.from({ length: 10 }, (_, index) => `finding ${keyOfIdentity(aFinding({ id: `${name}${String(index + 1)}` }))}`));
    }
    const commits = await readers[0]?.collection.commitBranches('acme/widget', context);
    expect(new Set(seen[0]?.filter((one) => one.startsWith('commit '))).size).toBe(commits?.size);
  });

  it('is read once for all who wait at the same position', async () => {
    const store = await open(null);
    const position = await now(store);
    const waiting = [1, 2].map(() => store.changeFeed.changesSince(position, { limit: 10, waitMs: 20_000 }, context));
    await store.writer.put([someNews({ id: 'n1' })], context);
    const [one, other] = await Promise.all(waiting);
    expect(one?.changes.map(({ key }) => key)).toEqual(['n1']);
    expect(other?.changes).toBe(one?.changes);
    await store.writer.put([someNews({ id: 'n2' })], context);
    expect((await store.changeFeed.changesSince(position, NO_WAIT, context)).changes.map(({ key }) => key)).toEqual(['n1', 'n2']);
  });

  it('is written with the records or not at all', async () => {
    const store = await open('atomic');
    const position = await now(store);
    inFile('atomic', (database) => {
      database.exec(`create trigger refuse before insert on record when new.key = 'n2' begin select raise(abort, 'refused'); end`);
    });
    await expect(store.writer.put([someNews({ id: 'n1' }), someNews({ id: 'n2' })], context)).rejects.toThrow();
    expect((await store.changeFeed.changesSince(position, NO_WAIT, context)).changes).toEqual([]);
    expect(await store.readers.news.byId('n1', context)).toBeNull();
  });

  it('keeps 100,000 changes and 7 days, and always the newest one before a write', async () => {
    const clock = new StandingClock(NOW);
    const store = await open('pruned', clock);
    const start = await now(store);
    await store.writer.put([someNews({ id: 'n1' })], context);
    const afterFirst = await now(store);
    clock.set(NOW + 6 * DAY);
    await store.writer.put([someNews({ id: 'n2' })], context);
    const isTooOld = async (position: string): Promise<boolean> => (await store.changeFeed.changesSince(position, NO_WAIT, context)).isTooOld;
    expect([await isTooOld(start), await isTooOld(afterFirst)]).toEqual([false, false]);
    clock.set(NOW + 30 * DAY);
    const newest = await now(store);
    await store.writer.put([someNews({ id: 'n3' })], context);
    expect([await isTooOld(start), await isTooOld(afterFirst), await isTooOld(newest)]).toEqual([true, true, false]);
    inFile('pruned', (database) => {
      database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 99999)
        insert into change (at, operation, kind, ref) select ${String(clock.now())}, 'put', 'news', '-' from n`);
    });
    expect(await isTooOld(newest)).toBe(false);
    await store.writer.put([someNews({ id: 'n4' }), someNews({ id: 'n5' })], context);
    expect(await isTooOld(newest)).toBe(true);
    expect(inFile('pruned', (database) => database.number('select count(*) from change'))).toBe(100_000);
  });

  it('tells nothing of raw checks that are deleted because they are old', async () => {
    const clock = new StandingClock(NOW);
    const store = await open(null, clock);
    await store.writer.put([aCheck({ checkedAt: NOW - 399 * DAY }), aCheck()], context);
    const position = await now(store);
    for (const days of [2, 4, 6]) {
      clock.set(NOW + days * DAY);
      await store.writer.put([aCheck({ serviceKey: 'acme:docs', checkedAt: clock.now() })], context);
    }
    const { changes } = await store.changeFeed.changesSince(position, NO_WAIT, context);
    expect(new Set(changes.map(({ kind, serviceKey }) => `${kind} ${String(serviceKey)}`))).toEqual(new Set(['check acme:docs']));
  });

  it('of a backup that was restored does not know later positions, also if the file was copied by hand', async () => {
    const clock = new StandingClock(NOW);
    const store = await open('lost', clock);
    await store.writer.put([someNews({ id: 'n1' })], context);
    await Promise.all(['backup', 'copy'].map((name) => mkdir(join(root, name))));
    await store.backup(join(root, 'backup', 'vitrine.db'));
    await closed(store);
    await copyFile(join(root, 'lost', 'vitrine.db'), join(root, 'copy', 'vitrine.db'));
    const before = await open('lost', clock);
    const atCopy = await now(before);
    clock.set(NOW + HOUR);
    await before.writer.put([someNews({ id: 'n2' })], context);
    const afterCopy = await now(before);
    for (const name of ['backup', 'copy']) {
      const restored = await open(name, new StandingClock(NOW + 2 * HOUR));
      await restored.writer.put([someNews({ id: 'n3' }), someNews({ id: 'n4' })], context);
      const answers = await Promise.all([atCopy, afterCopy].map((position) => restored.changeFeed.changesSince(position, NO_WAIT, context)));
      expect([name, ...answers.map(({ isTooOld }) => isTooOld)]).toEqual([name, name === 'backup', true]);
    }
  });

  it('is created when a file of the format before is opened', async () => {
    const store = await open('format-4');
    await store.writer.put([aCommit()], context);
    await closed(store);
    inFile('format-4', (database) => {
      bringBack(database, 4);
    });
    const migrated = await open('format-4');
    const position = await now(migrated);
    await migrated.writer.put([aCommit(), aCommit({ sha: 'b'.repeat(40) })], context);
    const { isTooOld, changes } = await migrated.changeFeed.changesSince(position, NO_WAIT, context);
    expect([isTooOld, changes.map(({ kind, operation }) => `${operation} ${kind}`)]).toEqual([false, ['put commit']]);
  });

  it('says that a position is too old if a later row is damaged, and goes on behind it', async () => {
    const store = await open('damaged');
    const position = await now(store);
    await store.writer.put([someNews({ id: 'n1' }), someNews({ id: 'n2' })], context);
    inFile('damaged', (database) => {
      database.exec(`update change set sync = '{' where key = 'n2'`);
    });
    const answer = await store.changeFeed.changesSince(position, NO_WAIT, context);
    expect(answer.isTooOld).toBe(true);
    await store.writer.put([someNews({ id: 'n3' })], context);
    expect((await store.changeFeed.changesSince(answer.position, NO_WAIT, context)).changes).toMatchObject([{ key: 'n3' }]);
  });

  it('rejects after a pause if the file cannot be read, and at once when the store is closed', async () => {
    const store = await open('unreadable');
    const position = await now(store);
    inFile('unreadable', (database) => {
      database.exec('alter table change rename to moved');
    });
    const began = performance.now();
    await expect(store.changeFeed.changesSince(position, WAIT, context)).rejects.toThrow(UnavailableError);
    expect(performance.now() - began).toBeGreaterThan(900);
    inFile('unreadable', (database) => {
      database.exec('alter table moved rename to change');
    });
    const waiting = store.changeFeed.changesSince(position, WAIT, context);
    const rejected = expect(waiting).rejects.toThrow(UnavailableError);
    await closed(store);
    await rejected;
  });
});
