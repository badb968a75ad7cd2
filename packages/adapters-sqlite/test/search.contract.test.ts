import { Allowlist, searchWordsOf, SEARCH_TYPES, type SearchEntry, type SearchPosition, type SearchQuery, type SearchWords } from '@vitrine/core';
import { aCommit, aFinding, aRepositoryRecord, NOW, Random } from '@vitrine/core/testing';
import { openSqliteStore, type OpenSqliteStore } from '../src/index.js';
import { openLocalStore } from './open-local-store.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const approved = Allowlist.of('acme/widget').approved();

function wordsOf(q: string): SearchWords {
  const words = searchWordsOf(q);
  if (words === null) throw new Error(`${q} holds no word`);
  return words;
}

async function search(store: OpenSqliteStore, q: string, over: Partial<SearchQuery> = {}) {
  return store.readers.search.search(approved, { words: wordsOf(q), types: SEARCH_TYPES, limit: 100, after: null, to: NOW, ...over }, context);
}

async function everyHit(store: OpenSqliteStore, q: string): Promise<readonly SearchEntry[]> {
  const hits: SearchEntry[] = [];
  for (let after: SearchPosition | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page: Awaited<ReturnType<typeof search>> = await search(store, q, { after });
    hits.push(...page.items);
    after = page.next;
  }
  return hits;
}

describe('search in SQLite', () => {
  it('shows every hit of one millisecond once, in order, page by page', async () => {
    const store = await openLocalStore({ clock, path: null });
    const count = process.env['VITRINE_TORTURE'] === '1' ? 50_000 : 250;
    const ids = Array.from({ length: count }, (_, serial) => `fnd_${String(serial).padStart(5, '0')}`);
    await store.writer.put(
      new Random(3).shuffled(ids).map((id) => aFinding({ id, title: 'zebra', summary: '' })),
      context,
    );
    const hits = await everyHit(store, 'zebra');
    expect(hits.map(({ record }) => record.kind === 'finding' && record.id)).toEqual(ids);
    await store.close();
  }, 180_000);

  it('keeps and searches text with U+0000', async () => {
    const store = await openLocalStore({ clock, path: null });
    const finding = aFinding({ id: 'fnd\0one', title: 'be\0fore after', summary: 'zebra\0okapi' });
    await store.writer.put([finding, aFinding({ id: 'fnd\0two', title: 'be\0fore' })], context);
    for (const q of ['fore', 'after', 'okapi', 'zebra be'])
      expect([q, (await search(store, q)).items.map(({ record }) => record)]).toContainEqual(expect.arrayContaining([finding]));
    const [first, second] = await everyHit(store, 'fore');
    expect([first?.position.id, second?.position.id]).toEqual([expect.stringContaining('fnd\0one'), expect.stringContaining('fnd\0two')]);
    expect((await search(store, 'fore', { limit: 1, after: first?.position ?? null })).items).toEqual([second]);
    await store.close();
  });

  it('does not show a repository with the id of its forge twice', async () => {
    const store = await openLocalStore({ clock, path: null });
    const list = new Allowlist([
      { fullName: 'acme/widget', owner: 'acme', name: 'widget', forgeId: '7' },
      { fullName: 'acme/widget-b', owner: 'acme', name: 'widget-b', forgeId: null },
    ]).approved();
    await store.writer.put([aRepositoryRecord({ repositoryRef: 'acme/widget#7' }), aRepositoryRecord({ repositoryRef: 'acme/widget-b' })], context);
    const query = { words: wordsOf('acme'), types: SEARCH_TYPES, limit: 1, to: NOW };
    const first = await store.readers.search.search(list, { ...query, after: null }, context);
    const second = await store.readers.search.search(list, { ...query, after: first.next }, context);
    expect([...first.items, ...second.items].map(({ position }) => position.id)).toEqual(['acme/widget', 'acme/widget-b']);
    expect(second.next).toBeNull();
    await store.close();
  });

  it('keeps the index right when a batch changes, removes and stores the same record', async () => {
    const store = await openLocalStore({ clock, path: null });
    await store.writer.put([aFinding({ title: 'zebra' })], context);
    await store.writer.put([aFinding({ title: 'horse' }), aFinding({ title: 'okapi' })], context);
    await store.writer.remove([aFinding(), aFinding()], context);
    await store.writer.put(
      [aCommit({ title: 'camel' }), aFinding({ title: 'llama' }), aFinding({ title: 'llama', detectedAt: NOW - 5_000 })],
      context,
    );
    const found = await Promise.all(['zebra', 'horse', 'okapi', 'camel', 'llama'].map(async (q) => (await search(store, q)).items.length));
    expect(found).toEqual([0, 0, 0, 1, 1]);
    await store.close();
  });

  it('runs in a thread, and ends soon when nobody waits for the answer', async () => {
    const store = await openSqliteStore({ clock, path: null });
    const records = Array.from({ length: 300 }, (_, serial) =>
      aFinding({ id: `fnd_${String(serial)}`, title: 'zebra', summary: 'horse', detectedAt: NOW - serial * 1_000 }),
    );
    await store.writer.put(records, context);
    const controller = new AbortController();
    const query = { words: wordsOf('zebra horse'), types: SEARCH_TYPES, limit: 100, after: null, to: NOW };
    const gone = store.readers.search.search(approved, query, { signal: controller.signal });
    controller.abort(new Error('nobody waits'));
    await expect(gone).rejects.toThrow('nobody waits');
    expect((await search(store, 'zebra')).items).toHaveLength(100);
    await store.close();
  });
});
