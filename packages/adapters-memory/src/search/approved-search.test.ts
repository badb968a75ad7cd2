import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Allowlist, SEARCH_TYPES, searchWordsOf } from '@vitrine/core';
import { aCommit, aFinding, aSync, NOW, StandingClock } from '@vitrine/core/testing';
import { LevelRecordLog, openMemoryStore, type OpenMemoryStore } from '../index.js';
import { MemoryRecordWriter } from '../memory-record-writer.js';
import { MemoryStore } from '../memory-store.js';

const context = { signal: new AbortController().signal };
const clock = new StandingClock(NOW);
const everything = Allowlist.of('acme/widget', 'acme/secret').approved();
const without = Allowlist.of('acme/widget').approved();

const hidden = (count: number) =>
  Array.from({ length: count }, (_, serial) =>
    aCommit({ repositoryRef: 'acme/secret', sha: `5ec2${serial.toString(16).padStart(36, '0')}`, title: `zebra zeb${String(serial)} both` }),
  );

async function found({ readers, searchReady }: OpenMemoryStore, q: string): Promise<number> {
  await searchReady;
  const words = searchWordsOf(q) ?? { whole: [], prefix: null };
  return (await readers.search.search(everything, { words, types: SEARCH_TYPES, limit: 100, after: null, to: NOW }, context)).items.length;
}

describe('search of approved repositories in the embedded store', () => {
  it('forgets the words that only a removed repository contained', async () => {
    const store = await MemoryStore.open({ clock });
    const writer = new MemoryRecordWriter(store);
    await writer.put([...hidden(300), aFinding({ title: 'okapi both' })], context);
    const { indexer, index } = store.records;
    await indexer.settled();
    const known = () => ['zebra', 'zeb7', 'both', 'okapi'].filter((word) => index.vocabulary.findWord(word) !== null);
    const heads = () => ['zeb', 'ze', '5ec', 'oka', 'bot'].filter((head) => index.vocabulary.findHead(head) !== null);
    expect([known(), heads()]).toEqual([
      ['zebra', 'zeb7', 'both', 'okapi'],
      ['zeb', 'ze', '5ec', 'oka', 'bot'],
    ]);
    expect(await writer.indexFor(without, context)).toEqual({ added: 0, removed: 300 });
    expect([known(), heads()]).toEqual([
      ['both', 'okapi'],
      ['oka', 'bot'],
    ]);
    expect(index.vocabulary.findWord('both')?.occurrences.all).toMatchObject({ size: 1, length: 1 });
    expect(await writer.indexFor(everything, context)).toEqual({ added: 300, removed: 0 });
    expect(known()).toHaveLength(4);
    await store.close();
  });

  it('indexes only records of approved repositories if it is opened with a list', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-approved-'));
    const open = async (approved = without) => openMemoryStore({ clock, approved, log: await LevelRecordLog.open(folder) });
    const first = await open(everything);
    await first.writer.put([...hidden(3), aFinding({ title: 'zebra' })], context);
    expect(await found(first, 'zebra')).toBe(4);
    await first.close();
    const second = await open();
    expect(await found(second, 'zebra')).toBe(1);
    expect(await second.writer.indexFor(without, context)).toEqual({ added: 0, removed: 0 });
    expect(await second.writer.indexFor(everything, context)).toEqual({ added: 3, removed: 0 });
    expect(await found(second, 'zebra')).toBe(4);
    await second.close();
    await rm(folder, { recursive: true });
  });

  it('clears the state of sources of a repository that was removed while the store was closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-approved-'));
    const open = async (approved = without) => openMemoryStore({ clock, approved, log: await LevelRecordLog.open(folder) });
    const first = await open(everything);
    await first.writer.put([aSync({ id: 'git acme/secret', repositoryRef: 'acme/secret', state: 'somewhere' })], context);
    await first.close();
    const second = await open();
    await second.writer.indexFor(without, context);
    await second.close();
    const third = await open();
    expect((await third.collection.sync('git acme/secret', context))?.state).toBeNull();
    await third.close();
    await rm(folder, { recursive: true });
  });

  it('is complete after the next call if one was interrupted', async () => {
    const store = await openMemoryStore({ clock });
    await store.writer.put([...hidden(5_000), aFinding({ title: 'zebra' })], context);
    for (const [approved, hits] of [
      [without, 1],
      [everything, 100],
    ] as const) {
      const stop = new AbortController();
      setImmediate(() => {
        stop.abort();
      });
      await store.writer.indexFor(approved, { signal: stop.signal }).catch(() => undefined);
      await store.writer.indexFor(approved, context);
      expect(await found(store, 'zebra')).toBe(hits);
    }
    await store.close();
  });

  it('finds records that are written while the index is updated', async () => {
    const store = await openMemoryStore({ clock });
    await store.writer.put(hidden(2_000), context);
    const aligning = store.writer.indexFor(without, context);
    await Promise.all([aligning, store.writer.put([...hidden(2_001), aFinding({ title: 'zebra' })], context)]);
    expect(await found(store, 'zebra')).toBe(1);
    await store.close();
  });
});
