import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore, type OpenMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist, searchWordsOf, SEARCH_TYPES, type ApprovedRepositories, type ChangeFeed, type FoundPage, type SearchReader } from '@vitrine/core';
import { aFinding, aRepositoryRecord, NOW, StandingClock } from '@vitrine/core/testing';
import { openSearchIndex } from '../src/index.js';
import { closeIndexFile, openIndexFile } from '../src/search-index/index-file.js';
import { aligned, indexOver } from './indexed-store.js';

const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
const widgetOnly = Allowlist.of('acme/widget').approved();

function find(reader: SearchReader, q: string, list: ApprovedRepositories = approved): Promise<FoundPage> {
  const words = searchWordsOf(q);
  if (words === null) throw new Error(`${q} holds no word`);
  return reader.search(list, { words, types: SEARCH_TYPES, limit: 1_000, after: null, to: NOW }, context);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 5));
}

function findings(from: number, count: number, title: string) {
  return Array.from({ length: count }, (_, index) => aFinding({ id: `f${from + index}`, title, detectedAt: NOW - (from + index) * 60_000 }));
}

describe('the file of a search index', () => {
  let store: OpenMemoryStore;
  let folder: string;

  beforeEach(async () => {
    store = await openMemoryStore({ clock: new StandingClock(NOW) });
    folder = mkdtempSync(join(tmpdir(), 'vitrine-index-'));
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('is filled with the newest records first, and says how much can be found until it is complete', async () => {
    await store.writer.put(findings(0, 600, 'zebra'), context);
    const index = indexOver(store.scan, store.changeFeed);
    const seen: [number, string | undefined, number | undefined][] = [];
    for (let isBusy = true; isBusy;) {
      isBusy = await index.next(approved, 0, context);
      const { items, searchable } = await find(index, 'zebra');
      seen.push([items.length, items[0]?.position.id, searchable]);
    }
    const partial = seen.filter(([count, , share]) => count > 0 && share !== undefined);
    expect(partial.every(([, first]) => first?.startsWith('f0 ') === true)).toBe(true);
    expect(partial.map(([, , share]) => share)).toContain(500 / 600);
    expect(seen.at(-1)?.[2]).toBeUndefined();
    index.close();
  });

  it('misses no record that changes or goes while it is filled', async () => {
    await store.writer.put(findings(0, 600, 'zebra'), context);
    const index = indexOver(store.scan, store.changeFeed);
    for (let step = 0; await index.next(approved, 0, context); step++) {
      await store.writer.put(findings(step, 1, 'okapi'), context);
      await store.writer.put(findings(590 - step, 1, 'okapi'), context);
      await store.writer.remove(findings(300 + step, 1, 'zebra'), context);
      if (step > 20) break;
    }
    await aligned(index, approved);
    const all = (q: string) => index.database.number('select count(*) from search_words where search_words match ?', `"t${q}"`);
    expect([all('zebra') + all('okapi'), await store.scan.count(approved, context)]).toEqual([
      await store.scan.count(approved, context),
      all('zebra') + all('okapi'),
    ]);
    expect(all('okapi')).toBeGreaterThan(2);
    expect((await find(index, 'okapi')).items.length).toBe(all('okapi'));
    index.close();
  });

  it('continues after a restart with what was written meanwhile, and reads nothing else again', async () => {
    await store.writer.put(findings(0, 20, 'zebra'), context);
    const first = indexOver(store.scan, store.changeFeed, folder);
    await aligned(first, approved);
    first.close();
    await store.writer.put(findings(20, 3, 'okapi'), context);
    await store.writer.remove(findings(0, 1, 'zebra'), context);
    const pages: string[] = [];
    const scan: typeof store.scan = { ...store.scan, page: (list, query, within) => (pages.push(query.kind), store.scan.page(list, query, within)) };
    const second = indexOver(scan, store.changeFeed, folder);
    await aligned(second, approved);
    expect([(await find(second, 'okapi')).items.length, (await find(second, 'zebra')).items.length, pages]).toEqual([3, 19, []]);
    second.close();
  });

  it('is made again if the feed no longer knows its position', async () => {
    await store.writer.put(findings(0, 10, 'zebra'), context);
    const first = indexOver(store.scan, store.changeFeed, folder);
    await aligned(first, approved);
    first.close();
    const restored = await openMemoryStore({ clock: new StandingClock(NOW) });
    await restored.writer.put(findings(5, 10, 'okapi'), context);
    const second = indexOver(restored.scan, restored.changeFeed, folder);
    await aligned(second, approved);
    expect([(await find(second, 'zebra')).items.length, (await find(second, 'okapi')).items.length]).toEqual([0, 10]);
    second.close();
    await restored.close();
  });

  it('claims to be complete only while the changes of the store can be read, also after a restart', async () => {
    await store.writer.put(findings(0, 4, 'zebra'), context);
    const waits: number[] = [];
    let isDown = false;
    const feed: ChangeFeed = {
      changesSince: (position, query, reading) => {
        waits.push(query.waitMs);
        return isDown ? Promise.reject(new Error('the feed is down')) : store.changeFeed.changesSince(position, query, reading);
      },
    };
    let index = indexOver(store.scan, feed, folder);
    await aligned(index, approved);
    for (const isRestart of [false, true]) {
      isDown = true;
      if (isRestart) {
        index.close();
        index = indexOver(store.scan, feed, folder);
      }
      await expect(index.next(approved, 0, context)).rejects.toThrow('the feed is down');
      index.renew();
      expect((await find(index, 'zebra')).searchable).toBe(0.99);
      isDown = false;
      await index.next(approved, 60_000, context);
      expect([(await find(index, 'zebra')).searchable, waits.at(-1)]).toEqual([undefined, 0]);
    }
    index.close();
  });

  it('loses every word of a repository that leaves the list, before it gets those of another', async () => {
    const hidden = findings(0, 600, 'okapi').map((finding) => ({ ...finding, id: `g${finding.id}`, repositoryRef: 'acme/gadget' as const }));
    await store.writer.put([...findings(0, 5, 'zebra'), ...hidden], context);
    const index = indexOver(store.scan, store.changeFeed);
    await aligned(index, approved);
    const words = () => index.database.rows("select distinct term from search_terms where term like '_okapi'").length;
    expect(words()).toBe(2);
    await aligned(index, widgetOnly);
    expect([words(), index.database.number('select count(*) from record')]).toEqual([0, 5]);
    expect((await find(index, 'okapi')).items).toEqual([]);
    index.close();
  });

  it('knows nothing of records that are not approved, whoever writes them', async () => {
    const index = indexOver(store.scan, store.changeFeed);
    await aligned(index, widgetOnly);
    await store.writer.put([...findings(0, 5, 'zebra'), aFinding({ id: 'h', repositoryRef: 'acme/gadget', title: 'okapi' })], context);
    await store.writer.put([aRepositoryRecord({ repositoryRef: 'acme/gadget', fullName: 'Acme/Gadget' })], context);
    await aligned(index, widgetOnly);
    const hidden = "select count(*) from search_terms where term like '%okapi' or term like '%gadget'";
    expect([index.database.number(hidden), index.database.number("select count(*) from record where key in ('h', 'acme/gadget')")]).toEqual([0, 0]);
    index.close();
  });

  it('belongs to one process at a time, so another one has a file of its own', async () => {
    const [first, second] = [indexOver(store.scan, store.changeFeed, folder), indexOver(store.scan, store.changeFeed, folder)];
    expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toEqual(['search-test-f4-1.db', 'search-test-f4-2.db']);
    first.close();
    const third = indexOver(store.scan, store.changeFeed, folder);
    expect(third.database.file).toContain('search-test-f4-1.db');
    second.close();
    third.close();
  });

  it('replaces the files of earlier formats of the same database, and leaves all others alone', () => {
    const older = ['search-test-f2-1.db', 'search-test-f2-1.db-wal', 'search-test-f1-12.db'];
    const others = ['search-test-f5-1.db', 'search-other-f2-1.db', 'search-test-f1-f4-1.db', 'notes'];
    for (const name of [...older, ...others]) writeFileSync(join(folder, name), '');
    indexOver(store.scan, store.changeFeed, folder).close();
    expect(readdirSync(folder).sort()).toEqual([...others, 'search-test-f4-1.db'].sort());
  });

  it('is made beside an earlier format that cannot be removed', () => {
    // No user can remove a folder as if it were a file.
    mkdirSync(join(folder, 'search-test-f1-1.db'));
    writeFileSync(join(folder, 'search-test-f2-1.db'), '');
    const problems: unknown[] = [];
    const database = openIndexFile(folder, 'test', (error) => problems.push(error));
    expect([problems, database.file]).toEqual([[], join(folder, 'search-test-f4-1.db')]);
    closeIndexFile(database);
    expect(readdirSync(folder)).not.toContain('search-test-f2-1.db');
  });

  it.each([
    ['text', 'not a database, but long enough to be read as one '.repeat(200)],
    ['nothing', ''],
  ])('is made again from %s', async (_name, content) => {
    writeFileSync(join(folder, 'search-test-f4-1.db'), content);
    await store.writer.put(findings(0, 3, 'zebra'), context);
    const index = indexOver(store.scan, store.changeFeed, folder);
    await aligned(index, approved);
    expect((await find(index, 'zebra')).items.length).toBe(3);
    index.close();
  });

  it.each([
    ['is a file', () => join(folder, 'taken')],
    ['is in a file system without new folders', () => '/proc/vitrine/cache/search'],
  ])('is kept in memory if the folder %s, and says so', (_name, folderOf) => {
    const problems: unknown[] = [];
    writeFileSync(join(folder, 'taken'), '');
    const database = openIndexFile(folderOf(), 'test', (error) => problems.push(error));
    expect([problems, database.file]).toEqual([[expect.objectContaining({ code: expect.stringMatching(/^E/) })], ':memory:']);
    database.close();
  });
});

describe('an open search index', () => {
  it('follows the store and the list, and goes on after failures', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    let isDown = true;
    const failures: unknown[] = [];
    const shares: (number | null)[] = [];
    const indexed: string[] = [];
    const feed: ChangeFeed = {
      changesSince: (...args) => (isDown ? Promise.reject(new Error('the store is down')) : store.changeFeed.changesSince(...args)),
    };
    await store.writer.put(findings(0, 4, 'zebra'), context);
    const index = openSearchIndex({
      scan: store.scan,
      feed,
      approved,
      folder: null,
      name: 'test',
      onSearchable: (share) => shares.push(share),
      onIndexed: (changes) => indexed.push(...changes.map(({ key }) => String(key).split(' ')[0] ?? '')),
      onFolderProblem: (error) => failures.push(error),
      onFailure: (error) => failures.push(error),
    });
    await until(() => Promise.resolve(failures.length > 0));
    expect((await find(index.search, 'zebra')).searchable).toBe(0);
    isDown = false;
    await until(() => Promise.resolve(shares.at(-1) === null));
    const grown = Allowlist.of('acme/widget', 'acme/gadget', 'acme/new').approved();
    expect([(await find(index.search, 'zebra')).searchable, (await find(index.search, 'zebra', grown)).searchable]).toEqual([undefined, 0.99]);
    await store.writer.put(findings(4, 1, 'zebra'), context);
    await until(() => Promise.resolve(indexed.length > 0));
    expect([indexed, (await find(index.search, 'zebra')).items.length]).toEqual([['f4'], 5]);
    await until(async () => (await find(index.search, 'zebra')).items.length === 5);
    index.approve(Allowlist.of('acme/gadget').approved());
    await until(async () => (await find(index.search, 'zebra')).items.length === 0);
    expect([failures.length, shares[0]]).toEqual([1, 0]);
    await index.close();
    await store.close();
  }, 60_000);

  it('tells once of a failure that lasts, also if the steps before it succeed each time', async () => {
    const store = await openMemoryStore({ clock: new StandingClock(NOW) });
    await store.writer.put(findings(0, 4, 'zebra'), context);
    let [attempts, isDown] = [0, true];
    const failures: unknown[] = [];
    const page: typeof store.scan.page = (list, query, reading) => {
      if (!isDown || query.kind !== 'finding') return store.scan.page(list, query, reading);
      attempts++;
      return Promise.reject(new Error('the list of findings is down'));
    };
    const scan = { page, count: store.scan.count.bind(store.scan), byKeys: store.scan.byKeys.bind(store.scan) };
    const fails = (error: unknown): void => void failures.push(error);
    const index = openSearchIndex({ scan, feed: store.changeFeed, approved, folder: null, name: 'test', onFolderProblem: fails, onFailure: fails });
    await until(() => Promise.resolve(attempts > 1));
    isDown = false;
    await until(async () => (await find(index.search, 'zebra')).items.length === 4);
    expect(failures).toHaveLength(1);
    await index.close();
    await store.close();
  }, 60_000);
});
