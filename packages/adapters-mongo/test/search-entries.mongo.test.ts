import { Allowlist, searchWordsOf, SEARCH_TYPES, type SearchableRecord } from '@vitrine/core';
import { aCommit, aFinding, aMission, aRelease, aRepositoryRecord, NOW, someNews } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { CommandStartedEvent, Db, MongoClient } from 'mongodb';
import { Collections, ensureIndexes } from '../src/collections.js';
import type { StoredDocument } from '../src/documents/document-spec.js';
import { createMongoReaders, openMongoStore } from '../src/index.js';
import { reindexSearch } from '../src/search/reindex-search.js';
import { SearchEntryWriter } from '../src/search/search-entry-writer.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const approved = Allowlist.of('acme/widgetkit', 'acme/widget').approved();

describeMongo('search entries', (databases) => {
  let client: MongoClient;
  let db: Db;
  let told: { kind: string; id: string; reason: string }[] = [];

  beforeEach(async () => {
    client = await databases.connect({ monitorCommands: true });
    db = client.db((await databases.database()).databaseName);
    await db.dropDatabase();
    await ensureIndexes(db);
    told = [];
  });

  const put = (...records: SearchableRecord[]) => openMongoStore(db, { clock }).writer.put(records, context);

  async function find(q: string): Promise<string[]> {
    const words = searchWordsOf(q);
    if (words === null) throw new Error(`${q} has no word`);
    const monitor = { quarantined: (kind: string, id: string, reason: string) => told.push({ kind, id, reason }) };
    const query = { words, types: SEARCH_TYPES, limit: 3, after: null, to: NOW };
    const { items } = await createMongoReaders(db, { clock, monitor }).search.search(approved, query, context);
    return items.map(({ position }) => position.id);
  }

  it('are found by the parts of the repository’s name as soon as its record spells it so, and no more when the record is gone', async () => {
    const repositoryRef = 'acme/widgetkit';
    const records = [aCommit({ repositoryRef }), aFinding({ repositoryRef }), aRelease({ repositoryRef }), aMission({ repositoryRef })];
    await put(...records);
    expect(await find('kit')).toEqual([]);
    const { writer } = openMongoStore(db, { clock });
    const repository = aRepositoryRecord({ repositoryRef, fullName: 'Acme/WidgetKit' });
    await writer.put([repository], context);
    expect(await find('kit')).toHaveLength(3);
    await put(aRepositoryRecord({ repositoryRef, fullName: 'acme/widgetkit' }));
    expect(await find('kit')).toEqual([]);
    await put(repository);
    expect(await find('kit')).toHaveLength(3);
    await writer.remove([repository], context);
    expect(await find('kit')).toEqual([]);
    expect(await find('widgetkit')).toHaveLength(3);
  });

  it('cost no write when nothing changed by which a record is found', async () => {
    await put(aCommit());
    const written: string[] = [];
    client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
      if (['insert', 'update', 'delete'].includes(commandName)) written.push(String(command[commandName]));
    });
    await put(aCommit({ additions: 43 }));
    expect(written).not.toContain('search_entries');
    await put(aCommit({ title: 'other' }));
    expect(written).toContain('search_entries');
  });

  it('are the same when a writer that died before it wrote the records is followed by another', async () => {
    const changes = [aCommit(), aFinding()].map((record) => ({ record, stored: null }));
    await new SearchEntryWriter(new Collections(db)).put(changes, new Map(), context);
    expect(await find('widget')).toEqual([]);
    const left = await db.collection('search_entries').find().sort({ _id: 1 }).toArray();
    await put(aCommit(), aFinding());
    expect(await db.collection('search_entries').find().sort({ _id: 1 }).toArray()).toEqual(left);
    expect(await find('widget')).toHaveLength(2);
  });

  it('that cannot be used, or whose record cannot, are told and leave the page full', async () => {
    const findings = Array.from({ length: 6 }, (_, index) => aFinding({ id: `fnd_${String(index)}`, detectedAt: NOW - index * 1_000 }));
    await put(...findings);
    const entries = db.collection<StoredDocument>('search_entries');
    const [first = '', second = '', third = ''] = (await entries.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
    await entries.updateOne({ _id: first }, { $set: { type: 'nonsense' } });
    await entries.updateOne({ _id: second }, { $set: { place: '2' } });
    await db.collection('findings').updateOne({ id: 'fnd_2' }, { $set: { title: 17 } });
    expect((await find('keyset')).map((id) => id.split(' ')[0])).toEqual(['fnd_3', 'fnd_4', 'fnd_5']);
    expect(told.map(({ kind, id }) => [kind, id])).toEqual(
      expect.arrayContaining([
        ['search-entry', first],
        ['search-entry', second],
        ['finding', third.split(' ').slice(1).join(' ')],
      ]),
    );
  });

  it('are rebuilt from the records, and read as they were until that is done', async () => {
    const news = Array.from({ length: 2_500 }, (_, index) => someNews({ id: `nws_${String(index)}`, listedAt: NOW - index * 1_000 }));
    await put(aCommit(), ...news);
    const right = await db.collection('search_entries').find().sort({ _id: 1 }).toArray();
    await db.collection('search_entries').updateMany({}, { $pull: { keys: 'Rstable' } as never });
    await db.collection<StoredDocument>('search_entries').insertOne({ _id: 'news gone', keys: ['Rwidget'] });
    const collections = new Collections(db);
    const broken = new AbortController();
    const onProgress = (_kind: string, entries: number) => {
      if (entries > 1_000) broken.abort(new Error('broken off'));
    };
    await expect(reindexSearch(collections, { signal: broken.signal, onProgress })).rejects.toThrow('broken off');
    expect(await find('widget')).not.toEqual([]);
    const steps: number[] = [];
    await reindexSearch(collections, { ...context, onProgress: (_kind, entries) => steps.push(entries) });
    expect(steps[0]).toBeGreaterThan(1_500);
    expect(await db.collection('search_entries').find().sort({ _id: 1 }).toArray()).toEqual(right);
    expect(await find('widget')).toHaveLength(3);
  });

  it('are rebuilt from the beginning when a writer has written since the rebuilding was broken off', async () => {
    await put(...Array.from({ length: 2_500 }, (_, index) => someNews({ id: `nws_${String(index)}`, listedAt: NOW - index * 1_000 })));
    const collections = new Collections(db);
    const broken = new AbortController();
    await expect(reindexSearch(collections, { signal: broken.signal, onProgress: () => broken.abort(new Error('broken off')) })).rejects.toThrow();
    await put(someNews({ id: 'nws_0', title: 'Zebra' }));
    await reindexSearch(collections, { ...context, onProgress: () => undefined });
    expect(await find('zebra')).toEqual(['nws_0']);
  });
});
