import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, ChangeSet, createUseCases, type ApprovedRepositories, type RepositoryRef, type SearchableRecord } from '@vitrine/core';
import { aCommit, aFinding, anIncident, aRelease, aRepositoryRecord, aVideo, NOW, someNews } from '@vitrine/core/testing';
import { SqliteDatabase } from '../src/database/sqlite-database.js';
import { SearchWriter } from '../src/search/search-writer.js';
import { bringBack } from './older-format.js';
import { openLocalStore } from './open-local-store.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const everything = Allowlist.of('acme/widget', 'acme/secret').approved();
const without = Allowlist.of('acme/widget').approved();

/** Enough for several segments of the index, which are merged. */
const MANY = 120;

/** Records that contain a word that no other repository's records contain. */
function recordsOf(repositoryRef: RepositoryRef, word: string, count: number): readonly SearchableRecord[] {
  const digits = word === 'zebra' ? '5ec2' : '0000';
  return [
    aRepositoryRecord({ repositoryRef, fullName: repositoryRef }),
    ...Array.from({ length: count }, (_, serial) =>
      aCommit({ repositoryRef, sha: digits + serial.toString(16).padStart(36, '0'), title: `${word} both`, committedAt: NOW - serial * 1_000 }),
    ),
    aRelease({ repositoryRef, name: word }),
    aFinding({ repositoryRef, title: word }),
  ];
}

describe('search entries of approved repositories', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-approved-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const open = () => openLocalStore({ clock, path: folder });
  const inFile = <Result>(use: (database: SqliteDatabase) => Result): Result => {
    const database = new SqliteDatabase(join(folder, 'vitrine.db'));
    try {
      return use(database);
    } finally {
      database.close();
    }
  };

  /** The traces of a hidden repository in the words of the index, whether an entry still has them or not. */
  function traces(): readonly string[] {
    return inFile((database) =>
      ['azebra', 'tzebra', 'h5ec2', 'asecret'].filter((word) =>
        String(database.row('select term from search_terms where term >= ? limit 1', word)?.[0] ?? '').startsWith(word),
      ),
    );
  }

  const entries = () => inFile((database) => database.rows('select r.key from search_entry e join record r on r.id = e.record order by 1'));
  const pages = () => inFile((database) => database.number('select count(*) from search_words_data'));

  async function fill(count = MANY): Promise<void> {
    const store = await open();
    const [hidden, shown] = [recordsOf('acme/secret', 'zebra', count), recordsOf('acme/widget', 'okapi', count)];
    for (let at = 0; at < hidden.length; at += 10) await store.writer.put([...hidden.slice(at, at + 10), ...shown.slice(at, at + 10)], context);
    await store.writer.put([someNews({ title: 'okapi' })], context);
    await store.close();
  }

  it('leave no word, sha or name of a removed repository in the index', async () => {
    await fill();
    expect(traces()).toHaveLength(4);
    const store = await open();
    await store.writer.indexFor(without, context);
    await store.close();
    expect([traces(), entries().length]).toEqual([[], MANY + 4]);
  });

  it.each([Allowlist.of('acme/widget'), () => without, { approved: without }, null])(
    'stay as they are for %p, which is no permission',
    async (value) => {
      const store = await open();
      await store.writer.put(recordsOf('acme/widget', 'zebra', 1), context);
      await store.writer.indexFor(without, context);
      const search = async () =>
        (await createUseCases(store.readers, { clock }).search.execute({ q: 'zebra' }, { approved: without, ...context })).data;
      const before = await search();
      await expect(Reflect.apply(store.writer.indexFor, store.writer, [value, context])).rejects.toThrow(
        new TypeError('indexFor needs a permission. Call indexFor(allowlist.approved(), { signal }).'),
      );
      expect(before.items).not.toEqual([]);
      expect(await search()).toEqual(before);
      await store.close();
    },
  );

  it('take as much room after the removal as if the repository had never been stored', async () => {
    const store = await open();
    await store.writer.indexFor(without, context);
    await store.writer.put(
      [...recordsOf('acme/secret', 'zebra', MANY), ...recordsOf('acme/widget', 'okapi', MANY), someNews({ title: 'okapi' })],
      context,
    );
    await store.close();
    const [alone, right] = [pages(), entries()];
    await rm(folder, { recursive: true });
    await fill();
    const other = await open();
    await other.writer.indexFor(without, context);
    await other.close();
    expect(entries()).toEqual(right);
    expect(Math.abs(pages() - alone)).toBeLessThanOrEqual(3);
  });

  it('are complete after the next call if the process ends after any step', async () => {
    await fill(30);
    const step = (writer: SearchWriter, database: SqliteDatabase, approved: ApprovedRepositories) =>
      database.transaction(() => writer.indexNext(approved, new ChangeSet()));
    for (const [approved, count, left] of [
      [without, 34, 0],
      [everything, 67, 4],
    ] as const) {
      for (let isDone = false, steps = 0; !isDone; steps++) {
        // Each step runs in a new process, which remembers nothing of the one before.
        isDone = inFile((database) => step(new SearchWriter(database), database, approved) === false);
        expect(steps).toBeLessThan(10);
      }
      expect([entries().length, traces().length]).toEqual([count, left]);
    }
  });

  it('are not written by a process that does not know of the change yet', async () => {
    await fill(3);
    const [one, other] = [await open(), await open()];
    await other.writer.put([aFinding({ id: 'fnd_first', title: 'okapi' })], context);
    await one.writer.indexFor(without, context);
    await other.writer.put([aFinding({ repositoryRef: 'acme/secret', id: 'fnd_zebra', title: 'zebra' })], context);
    await other.writer.remove([aRelease({ repositoryRef: 'acme/secret' })], context);
    await Promise.all([one.close(), other.close()]);
    expect(traces()).toEqual([]);
  });

  it('follow a new name of a repository with many records, also after an interruption', async () => {
    await fill(30);
    const store = await open();
    await store.writer.put([aRepositoryRecord({ repositoryRef: 'acme/secret', fullName: 'Acme/SecretKit' })], context);
    await store.close();
    const named = () => inFile((database) => database.number(`select count(*) from search_words where search_words match '"akit"'`));
    expect(named()).toBe(33);
    inFile((database) => {
      database.exec(`insert into search_renamed select id, 0 from scope where ref = 'acme/secret'`);
    });
    const again = await open();
    await again.writer.put([aFinding({ id: 'fnd_other' })], context);
    await again.close();
    expect([named(), inFile((database) => database.number('select count(*) from search_renamed'))]).toEqual([33, 0]);
  });

  it.each(
    [['before a list was known', false] as const, ['of the repositories of the list', true] as const].slice(
      process.env['VITRINE_TORTURE'] === '1' ? 0 : 1,
    ),
  )('of incidents and videos are added to a file of a format that did not search them, %s', async (_, isLimited) => {
    const store = await open();
    if (isLimited) await store.writer.indexFor(without, context);
    await store.writer.put(
      [
        ...recordsOf('acme/widget', 'okapi', 3),
        ...Array.from({ length: 1_100 }, (_unused, serial) => anIncident({ id: `inc_${String(serial)}`, startedAt: NOW - serial })),
        aVideo({ repositoryRef: 'acme/widget', id: 'vid_shown' }),
        aVideo({ repositoryRef: 'acme/secret', id: 'vid_hidden' }),
      ],
      context,
    );
    await store.close();
    const words = () => inFile((database) => database.rows('select term, doc from search_terms order by 1, 2'));
    const [entriesBefore, wordsBefore] = [entries(), words()];
    expect(entriesBefore).toHaveLength(isLimited ? 1_107 : 1_108);
    inFile((database) => {
      bringBack(database, 7);
    });
    expect(entries()).toHaveLength(6);
    await (await open()).close();
    expect([entries(), words().length]).toEqual([entriesBefore, wordsBefore.length]);
  });

  it('find versions without their v in a file of a format that did not', async () => {
    const store = await open();
    await store.writer.put([aRelease({ name: 'v7.12.0', tagName: 'v7.12.0' }), aCommit({ title: 'v is a letter' })], context);
    await store.close();
    const found = () => inFile((database) => database.number(`select count(*) from search_words where search_words match '"a7" AND "a12"'`));
    inFile((database) => {
      bringBack(database, 12);
    });
    expect(found()).toBe(0);
    await (await open()).close();
    expect(found()).toBe(1);
  });
});
