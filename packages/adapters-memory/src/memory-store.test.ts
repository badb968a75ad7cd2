import { Allowlist, SEARCH_TYPES, searchWordsOf } from '@vitrine/core';
import { aCommit, aFinding, aRepositoryRecord, aSync, NOW, oneOfEach, StandingClock } from '@vitrine/core/testing';
import { openMemoryStore, type OpenMemoryStore } from './index.js';

const context = { signal: new AbortController().signal };
const clock = new StandingClock(NOW);
const everything = Allowlist.of('acme/widget', 'acme/secret').approved();
const without = Allowlist.of('acme/widget').approved();

const hidden = (count: number) =>
  Array.from({ length: count }, (_, serial) =>
    aCommit({ repositoryRef: 'acme/secret', sha: `5ec2${serial.toString(16).padStart(36, '0')}`, title: `zebra zeb${String(serial)} both` }),
  );

async function found({ readers }: OpenMemoryStore, q: string): Promise<number> {
  const words = searchWordsOf(q) ?? { whole: [], prefix: null };
  return (await readers.search.search(everything, { words, types: SEARCH_TYPES, limit: 100, after: null, to: NOW }, context)).items.length;
}

async function records({ collection }: OpenMemoryStore): Promise<string[]> {
  const all: string[] = [];
  for await (const record of collection.records(context)) all.push(JSON.stringify(record));
  return all.sort();
}

describe('search of the store in memory', () => {
  it('clears the state of sources of a repository that is not approved', async () => {
    const store = await openMemoryStore({ clock });
    await store.writer.put([aSync({ id: 'git acme/secret', repositoryRef: 'acme/secret', state: 'somewhere' })], context);
    await store.writer.indexFor(without, context);
    expect((await store.collection.sync('git acme/secret', context))?.state).toBeNull();
  });

  it('is complete after the next call if one was interrupted', async () => {
    const store = await openMemoryStore({ clock });
    await store.writer.put([...hidden(200), aFinding({ title: 'zebra' })], context);
    for (const [approved, hits] of [
      [without, 1],
      [everything, 100],
    ] as const) {
      await expect(store.writer.indexFor(approved, { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
      await store.writer.indexFor(approved, context);
      expect(await found(store, 'zebra')).toBe(hits);
    }
  });

  it('finds records that are written while the list changes', async () => {
    const store = await openMemoryStore({ clock });
    await store.writer.put(hidden(20), context);
    const limiting = store.writer.indexFor(without, context);
    await Promise.all([limiting, store.writer.put([...hidden(21), aFinding({ title: 'zebra' })], context)]);
    expect(await found(store, 'zebra')).toBe(1);
  });

  it('finds records by the new name of a repository, in any order of writing', async () => {
    const store = await openMemoryStore({ clock });
    await store.writer.put([aCommit({ title: 'x' })], context);
    expect([await found(store, 'widget'), await found(store, 'wid')]).toEqual([1, 1]);
    await store.writer.put([aRepositoryRecord({ fullName: 'Acme/WidGet' })], context);
    expect(await found(store, 'get x')).toBe(1);
    await store.writer.remove([aRepositoryRecord()], context);
    expect(await found(store, 'get x')).toBe(0);
    expect(await found(store, 'widget x')).toBe(1);
  });
});

describe('a write to the store in memory', () => {
  it('changes nothing if the same records are stored again with their fields in another order', async () => {
    const store = await openMemoryStore({ clock });
    await store.writer.put(oneOfEach(), context);
    const reordered = oneOfEach().map((record) => Object.fromEntries(Object.entries(record).reverse()) as unknown as typeof record);
    expect(await store.writer.put(reordered, context)).toMatchObject({ stored: 0, unchanged: reordered.length });
  });

  it('stores copies, so that a caller can change its own objects', async () => {
    const store = await openMemoryStore({ clock });
    const commit = { ...aCommit({ title: 'before' }) };
    await store.writer.put([commit], context);
    commit.title = 'after';
    expect((await records(store)).join()).toContain('"title":"before"');
  });

  it('stores nothing and rejects with the reason if its signal was aborted', async () => {
    const store = await openMemoryStore({ clock });
    const gone = { signal: AbortSignal.abort(new Error('the client has gone')) };
    await expect(store.readers.repositories.list(without, { limit: 1, after: null }, gone)).rejects.toThrow('the client has gone');
    await expect(store.writer.put([aCommit()], gone)).rejects.toThrow('the client has gone');
    expect(await records(store)).toEqual([]);
  });
});
