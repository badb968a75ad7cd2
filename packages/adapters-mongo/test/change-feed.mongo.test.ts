import { randomUUID } from 'node:crypto';
import { UnavailableError, type Clock, type RecordStore } from '@vitrine/core';
import { changeFeedContract, NOW, someNews } from '@vitrine/core/testing';
import { describeMongod } from '@vitrine/test-support';
import type { Db, MongoClient } from 'mongodb';
import { initStore, openMongoStore } from '../src/index.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };

describeMongod('the feed of changes of MongoDB', (servers) => {
  let client: MongoClient;
  beforeAll(async () => {
    client = await servers.connect((await servers.replicaSet(1)).uri);
  }, 120_000);

  const database = (): Db => client.db(`vitrine_${randomUUID().slice(0, 13)}`);
  const open = async (own: Clock): Promise<RecordStore> => {
    const db = database();
    await initStore(db, { clock: own });
    return openMongoStore(db, { clock: own });
  };

  it.each(changeFeedContract({ open, context }))('$name', ({ run }) => run(), 120_000);

  it.each<readonly [string, (db: Db) => Promise<unknown>]>([
    ['is dropped', (db) => db.collection('news').drop()],
    ['is renamed', (db) => db.collection('news').rename('old_news')],
    ['is dropped with its database', (db) => db.dropDatabase()],
  ])('calls every position too old when a collection %s', async (_what, lose) => {
    const db = database();
    const store = openMongoStore(db, { clock });
    await store.writer.put([someNews()], context);
    const { position } = await store.changeFeed.changesSince(null, { limit: 10, waitMs: 0 }, context);
    await lose(db);
    const answer = await store.changeFeed.changesSince(position, { limit: 10, waitMs: 20_000 }, context);
    expect([answer.isTooOld, answer.changes]).toEqual([true, []]);
    expect((await store.changeFeed.changesSince(answer.position, { limit: 10, waitMs: 0 }, context)).isTooOld).toBe(false);
    await store.close();
  });

  it('rejects after a pause on a standalone server, which has no streams', async () => {
    const single = await servers.connect(`mongodb://${(await servers.single()).address}`);
    const { changeFeed, close } = openMongoStore(single.db('vitrine'), { clock });
    await expect(changeFeed.changesSince(null, { limit: 1, waitMs: 0 }, context)).rejects.toThrow(UnavailableError);
    await close();
  });
});
