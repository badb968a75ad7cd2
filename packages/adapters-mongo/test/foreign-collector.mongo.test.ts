import { Allowlist, searchWordsOf, SEARCH_TYPES, uptimeWindows } from '@vitrine/core';
import { evidenceFrom } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db, Document } from 'mongodb';
import { initStore, openMongoStore, reindexStore } from '../src/index.js';
import { exampleOf } from './support/guide.js';
import { indexed } from './support/indexed.js';

const context = { signal: new AbortController().signal };
const NOW = Date.parse('2026-11-20T14:00:00Z');
const clock = { now: () => NOW };
const approved = Allowlist.of('acme/widget').approved();

/** Writes the documents of the guide, like a collector that does not know any derived data. */
describeMongo('another collector', (databases) => {
  let db: Db;
  const put = (collection: string, document: Document) => db.collection(collection).insertOne({ ...document });
  const stored = (collection: string): Promise<Document | null> => db.collection(collection).findOne({ _id: exampleOf(collection)._id as never });

  beforeAll(async () => {
    db = await databases.prepared(initStore);
    const { latestActivityAt, latestRelease, upcoming, ...repository } = exampleOf('repositories') as Document;
    expect([latestActivityAt, latestRelease, upcoming]).not.toContain(undefined);
    await put('repositories', repository);
    for (const collection of ['commits', 'releases', 'status_checks', 'syncs']) await put(collection, exampleOf(collection));
    await reindexStore(db, { clock, ...context, onProgress: () => undefined });
  });

  it.each(['status_days', 'status_hours', 'status_trails', 'repositories'])(
    'gets %s from store reindex, as the guide shows them',
    async (collection) => {
      expect(await stored(collection)).toEqual(exampleOf(collection));
    },
  );

  it('is shown in search and status', async () => {
    const { readers, close } = indexed(openMongoStore(db, { clock }));
    const words = searchWordsOf('keyset wid') ?? { whole: [], prefix: null };
    const hits = await readers.search.search(approved, { words, types: SEARCH_TYPES, limit: 10, after: null, to: NOW }, context);
    expect(hits.items.map(({ record }) => record.kind)).toEqual(['commit']);
    await close();
    const evidence = await evidenceFrom(readers.checks, { serviceKeys: null, windows: uptimeWindows(NOW).slice(0, 1), now: NOW }, context);
    expect(evidence.get('acme:widget-api')?.tallies.map(({ counts }) => counts.operational)).toEqual([1]);
  });
});
