import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aCommit, NOW, oneOfEach } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db, Document } from 'mongodb';
import type { StoredDocument } from '../src/documents/codec.js';
import { initStore, openMongoStore, reindexStore } from '../src/index.js';
import { STORED_SCHEMAS } from '../src/store-admin.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };

describeMongo('the published shapes', (databases) => {
  let db: Db;

  beforeAll(async () => {
    db = await databases.prepared(initStore);
    await openMongoStore(db, { clock }).writer.put(oneOfEach(), context);
  });

  it.each(Object.keys(STORED_SCHEMAS))('match what the writers store in %s', async (name) => {
    const collection = db.collection(name);
    expect(await collection.countDocuments()).toBeGreaterThan(0);
    expect(await collection.find({ $nor: [{ $jsonSchema: STORED_SCHEMAS[name as keyof typeof STORED_SCHEMAS] as Document }] }).toArray()).toEqual([]);
  });

  it('warn about other documents, and do not reject them', async () => {
    const [options] = await db.listCollections({ name: 'commits' }).toArray();
    expect(options).toMatchObject({ options: { validationAction: 'warn', validator: { $jsonSchema: STORED_SCHEMAS.commits } } });
    const commits = db.collection<StoredDocument>('commits');
    await commits.insertOne({ ...aCommit(), _id: 'not a commit', committedAt: 'yesterday' });
    expect(await commits.countDocuments({ $nor: [{ $jsonSchema: STORED_SCHEMAS.commits as Document }] })).toBe(1);
  });

  it('stay when the store is reindexed', async () => {
    await reindexStore(db, { clock, ...context, onProgress: () => undefined });
    const [options] = await db.listCollections({ name: 'status_days' }).toArray();
    expect(options).toMatchObject({ options: { validationAction: 'warn', validator: { $jsonSchema: STORED_SCHEMAS.status_days } } });
  });

  it('lose the collections of the search index that earlier versions kept', async () => {
    for (const name of ['search_segments', 'search_blocks']) await db.collection(name).insertOne({ revision: 1 });
    await initStore(db, { clock });
    expect((await db.listCollections().toArray()).map(({ name }) => name).filter((name) => name.startsWith('search'))).toEqual([]);
  });

  it('can be prepared again, also with another retention', async () => {
    const again = async (days: number): Promise<unknown> => {
      await initStore(db, { clock, retentionMs: days * 86_400_000 });
      return (await db.collection('status_checks').indexes()).find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)?.expireAfterSeconds;
    };
    for (const days of [500, 400]) expect(await again(days)).toBeGreaterThanOrEqual(days * 86_400);
  });

  it('are the ones in the documentation', () => {
    const file = join(__dirname, '../../../docs/api/stored-documents.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(STORED_SCHEMAS)));
  });
});
