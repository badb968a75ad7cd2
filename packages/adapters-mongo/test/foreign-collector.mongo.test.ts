import { Allowlist, searchWordsOf, SEARCH_TYPES, uptimeWindows } from '@vitrine/core';
import { evidenceFrom } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db, Document } from 'mongodb';
import { initStore, openMongoStore, reindexStore } from '../src/index.js';
import { EXAMPLES, exampleOf } from './support/guide.js';

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
    db = await databases.database();
    await initStore(db, { clock });
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

  it('can store the segment of its commit, under its own id', async () => {
    const withoutId = (document: unknown) => JSON.stringify(document).replace(/[0-9a-f]{24}\b/g, 'id');
    const { segments } = (await db.collection<Document>('search_segments').findOne({ _id: 'commit' as never })) ?? ({} as Document);
    expect(withoutId(segments)).toBe(withoutId(exampleOf('search_segments')['segments']));
    const [{ id } = { id: '' }] = segments as { id: string }[];
    const blocks = await db
      .collection('search_blocks')
      .find({ _id: { $regex: `^${id}` } as never })
      .sort({ _id: 1 })
      .toArray();
    const shown = EXAMPLES.get('search_blocks') as readonly Document[];
    expect(blocks.map(withoutId).sort()).toEqual(shown.map(withoutId).sort());
  });

  it('is shown in search and status', async () => {
    const { readers } = openMongoStore(db, { clock });
    const words = searchWordsOf('keyset wid') ?? { whole: [], prefix: null };
    const hits = await readers.search.search(approved, { words, types: SEARCH_TYPES, limit: 10, after: null, to: NOW }, context);
    expect(hits.items.map(({ record }) => record.kind)).toEqual(['commit']);
    const evidence = await evidenceFrom(readers.checks, { serviceKeys: null, windows: uptimeWindows(NOW).slice(0, 1), now: NOW }, context);
    expect(evidence.get('acme:widget-api')?.tallies.map(({ counts }) => counts.operational)).toEqual([1]);
  });
});
