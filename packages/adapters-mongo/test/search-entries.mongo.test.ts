import {
  Allowlist,
  searchWordsOf,
  SEARCH_TYPES,
  type RecordWriter,
  type SearchableRecord,
  type SearchPosition,
  type SearchType,
} from '@vitrine/core';
import { aCommit, aFinding, aMission, aRelease, aRepositoryRecord, NOW, someNews } from '@vitrine/core/testing';
import { describeMongo, emptied } from '@vitrine/test-support';
import { Binary, type CommandStartedEvent, type Db, type Document, type MongoClient } from 'mongodb';
import { COLLECTION_NAMES, Collections, ensureIndexes } from '../src/collections.js';
import { BadValue } from '../src/documents/codec.js';
import type { StoredDocument } from '../src/documents/document-spec.js';
import { createMongoReaders, createMongoWriters, type MongoWriters } from '../src/index.js';
import { reindexSearch } from '../src/search/reindex-search.js';
import { SearchEntryWriter } from '../src/search/search-entry-writer.js';
import { toSegmentList } from '../src/search/segment-documents.js';
import type { SegmentRef } from '../src/search/segments/segment.js';
import { Commits } from '../src/writers/commits.js';
import { storedEntries } from './support/stored-entries.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const approved = Allowlist.of('acme/widgetkit', 'acme/widget').approved();

describeMongo('search entries', (databases) => {
  let client: MongoClient;
  let db: Db;
  let writer: RecordWriter;
  let settled: MongoWriters['settled'];
  let told: { kind: string; id: string; reason: string }[] = [];

  beforeAll(async () => {
    client = await databases.connect({ monitorCommands: true });
    db = client.db((await databases.database()).databaseName);
    await ensureIndexes(db);
  });

  beforeEach(async () => {
    restart();
    await emptied(db, COLLECTION_NAMES);
    told = [];
  });

  afterEach(() => settled());

  /** Simulates a new process that continues to write. */
  function restart(): void {
    ({ writer, settled } = createMongoWriters(db, { clock }));
  }

  const put = (...records: SearchableRecord[]) => writer.put(records, context);

  async function find(q: string): Promise<string[]> {
    const words = searchWordsOf(q);
    if (words === null) throw new Error(`${q} has no word`);
    const monitor = { quarantined: (kind: string, id: string, reason: string) => told.push({ kind, id, reason }) };
    const query = { words, types: SEARCH_TYPES, limit: 3, after: null, to: NOW };
    const { items } = await createMongoReaders(db, { clock, monitor }).search.search(approved, query, context);
    return items.map(({ position }) => position.id);
  }

  async function segmentsOf(type: SearchType): Promise<readonly SegmentRef[]> {
    const list = toSegmentList(await db.collection<StoredDocument>('search_segments').findOne({ _id: type }));
    if (list instanceof BadValue) throw new Error(list.toString());
    return list.segments;
  }

  it('are found by the parts of the repository’s name when it is stored, and no longer when its record is removed', async () => {
    const repositoryRef = 'acme/widgetkit';
    const records = [aCommit({ repositoryRef }), aFinding({ repositoryRef }), aRelease({ repositoryRef }), aMission({ repositoryRef })];
    await put(...records);
    expect(await find('kit')).toEqual([]);
    const repository = aRepositoryRecord({ repositoryRef, fullName: 'Acme/WidgetKit' });
    await put(repository);
    expect(await find('kit')).toHaveLength(3);
    await put(aRepositoryRecord({ repositoryRef, fullName: 'acme/widgetkit' }));
    expect(await find('kit')).toEqual([]);
    await put(repository);
    expect(await find('kit')).toHaveLength(3);
    await writer.remove([repository], context);
    expect(await find('kit')).toEqual([]);
    expect(await find('widgetkit')).toHaveLength(3);
  });

  it('cost no write if no searchable text changed', async () => {
    await put(aCommit());
    const written: string[] = [];
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (['insert', 'update', 'delete'].includes(commandName)) written.push(String(command[commandName]));
    });
    await put(aCommit({ additions: 43 }));
    expect(written).not.toContain('search_blocks');
    await put(aCommit({ title: 'other' }));
    expect(written).toContain('search_blocks');
  });

  it('are the same if a writer that died before it wrote the records is followed by another', async () => {
    const changes = [aCommit(), aFinding()].map((record) => ({ record, stored: null }));
    await new SearchEntryWriter(new Collections(db), new Commits(new Collections(db), null)).put(changes, context);
    expect(await find('widget')).toEqual([]);
    const left = await storedEntries(db);
    await put(aCommit(), aFinding());
    expect(await storedEntries(db)).toEqual(left);
    expect(await find('widget')).toHaveLength(2);
  });

  it('that are invalid, or whose record is invalid, are reported and leave the page full', async () => {
    const findings = Array.from({ length: 7 }, (_, index) => aFinding({ id: `fnd_${String(index)}`, detectedAt: NOW - index * 1_000 }));
    for (const finding of findings) await put(finding);
    const [first = '', second = '', third = ''] = (await segmentsOf('finding')).map(({ id }) => id);
    const blocks = db.collection<StoredDocument>('search_blocks');
    await blocks.updateOne({ _id: first }, { $set: { times: 17 } });
    await blocks.updateOne({ _id: `${second} r0` }, { $set: { keys: 'a\nb' } });
    await blocks.updateOne({ _id: `${third} t0` }, { $set: { ends: new Binary(new Uint8Array([255, 255, 0, 0])) } });
    await db.collection('findings').updateOne({ id: 'fnd_3' }, { $set: { title: 17 } });
    expect((await find('keyset')).map((id) => id.split(' ')[0])).toEqual(['fnd_4', 'fnd_5', 'fnd_6']);
    expect(told.map(({ kind, id }) => [kind, id.split(' ').slice(0, 2).join(' ')])).toEqual(
      expect.arrayContaining([
        ['search-block', first],
        ['search-block', `${second} r0`],
        ['search-block', `${third} t0`],
        ['finding', expect.stringContaining('fnd_3') as unknown],
      ]),
    );
  });

  it('of a damaged segment stay unchanged while others are merged, and are found again when it is repaired', async () => {
    const news = Array.from({ length: 20 }, (_, index) =>
      someNews({ id: `nws_${String(index)}`, title: `Zebra ${String(index)}`, listedAt: NOW - index }),
    );
    for (const one of news.slice(0, 3)) await put(one);
    const [damaged = ''] = (await segmentsOf('news')).map(({ id }) => id);
    const blocks = db.collection<StoredDocument>('search_blocks');
    const sound = await blocks.findOne({ _id: `${damaged} t0` });
    await blocks.updateOne({ _id: `${damaged} t0` }, { $set: { ends: null } });
    for (const one of news.slice(3)) await put(one);
    await settled();
    expect(await find('zebra')).toEqual(['nws_1', 'nws_2', 'nws_3']);
    await blocks.replaceOne({ _id: `${damaged} t0` }, sound ?? {});
    expect(await find('zebra')).toEqual(['nws_0', 'nws_1', 'nws_2']);
  });

  it('are in few segments after any number of writes, and rewritten or removed ones leave nothing behind', async () => {
    const news = Array.from({ length: 32 }, (_, index) => someNews({ id: `nws_${String(index % 16)}`, title: `Zebra ${String(index)}` }));
    for (const one of news) await writer.put([one], context);
    for (const one of news.slice(0, 16)) await writer.remove([one], context);
    for (let index = 0; index < 28; index++) await writer.put([someNews({ id: 'nws_last', title: `Lion ${String(index)}` })], context);
    await settled();
    const named = (await segmentsOf('news')).map(({ id }) => id);
    expect(named.length).toBeLessThan(16);
    const stored = await db.collection('search_blocks').distinct('_id');
    expect(new Set(stored.map((id) => String(id).split(' ')[0]))).toEqual(new Set(named));
    expect((await storedEntries(db)).map(({ recordKey, terms }) => [recordKey, terms.includes('!27')])).toEqual([['nws_last', true]]);
    expect(await find('lion')).toEqual(['nws_last']);
    expect(await find('zebra')).toEqual([]);
  });

  it('that are missing although a list names them are reported, and the others are found', async () => {
    await put(someNews({ id: 'nws_0', title: 'Zebra' }));
    await put(someNews({ id: 'nws_1', title: 'Zebra', listedAt: NOW - 5_000 }));
    const [first = ''] = (await segmentsOf('news')).map(({ id }) => id);
    await db.collection<StoredDocument>('search_blocks').deleteOne({ _id: `${first} t0` });
    expect(await find('zebra')).toEqual(['nws_1']);
    expect(told).toEqual([{ kind: 'search-block', id: `${first} t0`, reason: 'missing' }]);
  });

  it('of interrupted writers are removed by the next one', async () => {
    await put(aCommit());
    await db
      .collection<StoredDocument>('search_blocks')
      .insertMany(['000000000000000000000001', '000000000000000000000001 t0'].map((_id) => ({ _id })));
    const left = (await db.collection('search_blocks').distinct('_id')).length;
    restart();
    await put(aFinding());
    expect(await db.collection<StoredDocument>('search_blocks').findOne({ _id: /^0000/ })).toBeNull();
    expect(left).toBeGreaterThan(4);
    expect(await find('widget')).toHaveLength(2);
  });

  it('are found while segments are merged during the search', async () => {
    await put(someNews({ id: 'nws_0', title: 'Zebra' }));
    let isDone = false;
    const writing = (async () => {
      for (let index = 0; index < 20; index++)
        await writer.put([someNews({ id: `nws_${String(1 + index)}`, title: 'Lion', listedAt: NOW - 5_000 })], context);
      isDone = true;
    })();
    while (!isDone) expect(await find('zebra')).toEqual(['nws_0']);
    await writing;
  });

  it('are rebuilt from the records, while the old ones can be read', async () => {
    const news = Array.from({ length: 1_600 }, (_, index) => someNews({ id: `nws_${String(index)}`, listedAt: NOW - index * 1_000 }));
    await put(aCommit(), ...news);
    const right = await storedEntries(db);
    await new SearchEntryWriter(new Collections(db), new Commits(new Collections(db), null)).put(
      [{ record: someNews({ id: 'nws_gone', title: 'Widget' }), stored: null }],
      context,
    );
    await db.collection<StoredDocument>('search_segments').updateOne({ _id: 'news' }, { $pop: { segments: -1 } } as Document);
    expect(await storedEntries(db)).not.toEqual(right);
    const collections = new Collections(db);
    const broken = new AbortController();
    const onProgress = (_kind: string, entries: number) => {
      if (entries > 1_000) broken.abort(new Error('broken off'));
    };
    await expect(reindexSearch(collections, new Commits(collections, null), { signal: broken.signal, onProgress })).rejects.toThrow('broken off');
    expect(await find('widget')).not.toEqual([]);
    const steps: number[] = [];
    await reindexSearch(collections, new Commits(collections, null), { ...context, onProgress: (_kind, entries) => steps.push(entries) });
    expect(steps[0]).toBeGreaterThan(1_500);
    expect(await storedEntries(db)).toEqual(right);
    expect(await find('widget')).toHaveLength(3);
  });

  it('are rebuilt from the beginning if a writer has written since the rebuild was interrupted', async () => {
    await put(...Array.from({ length: 1_100 }, (_, index) => someNews({ id: `nws_${String(index)}`, listedAt: NOW - index * 1_000 })));
    const collections = new Collections(db);
    const broken = new AbortController();
    await expect(
      reindexSearch(collections, new Commits(collections, null), { signal: broken.signal, onProgress: () => broken.abort(new Error('broken off')) }),
    ).rejects.toThrow();
    restart();
    await put(someNews({ id: 'nws_0', title: 'Zebra' }));
    await reindexSearch(collections, new Commits(collections, null), { ...context, onProgress: () => undefined });
    expect(await find('zebra')).toEqual(['nws_0']);
  });

  it('stay unchanged if the result of a rebuild is damaged', async () => {
    await put(aCommit(), aFinding());
    const collections = new Collections(db);
    const broken = new AbortController();
    await expect(
      reindexSearch(collections, new Commits(collections, null), { signal: broken.signal, onProgress: () => broken.abort(new Error('broken off')) }),
    ).rejects.toThrow();
    await db.collection<StoredDocument>('search_segments').updateOne({ _id: 'next commit' }, { $set: { segments: 'nonsense' } });
    const right = await storedEntries(db);
    await expect(reindexSearch(collections, new Commits(collections, null), { ...context, onProgress: () => undefined })).rejects.toThrow(
      '"next commit" cannot be read',
    );
    expect(await storedEntries(db)).toEqual(right);
    await reindexSearch(collections, new Commits(collections, null), { ...context, onProgress: () => undefined });
    expect(await storedEntries(db)).toEqual(right);
  });

  it.each(['zebra', 'ze'])('gives every page of hits outside of titles, however many rows there are before it: %s', async (q) => {
    const sha = (index: number) => index.toString(16).padStart(40, '0');
    const text = (index: number) => (index % 3 === 0 ? 'a zeal' : 'a zebra, a zeal');
    await put(
      aRepositoryRecord(),
      ...Array.from({ length: 400 }, (_, index) => aCommit({ sha: sha(index), committedAt: NOW - index, description: text(index) })),
    );
    const { search } = createMongoReaders(db, { clock });
    const words = searchWordsOf(q) ?? { whole: [], prefix: null };
    const found: string[] = [];
    let after: SearchPosition | null = null;
    do {
      const { items, next } = await search.search(approved, { words, types: SEARCH_TYPES, limit: 30, after, to: NOW }, context);
      found.push(...items.map(({ position }) => position.id));
      after = next;
    } while (after !== null);
    const wanted = Array.from({ length: 400 }, (_, index) => index).filter((index) => q === 'ze' || index % 3 !== 0);
    expect(found.map((id) => Number.parseInt(id.slice(-40), 16))).toEqual(wanted);
  });
});
