import { aSync, changeFeedContract, followedWritesContract, NOW, someNews } from '@vitrine/core/testing';
import { describeMongo, describeMongod, isTorture, reusedDatabases, sampled } from '@vitrine/test-support';
import { type ClusterTime, type Db, type Document, Timestamp } from 'mongodb';
import { createMongoChangeFeed, createMongoReaders, initStore, openMongoStore } from '../src/index.js';
import { exampleOf } from './support/guide.js';
import { indexed } from './support/indexed.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };

describeMongo('the feed of changes of MongoDB', (databases) => {
  const reused = reusedDatabases(databases, initStore);

  it.each([
    ...sampled(changeFeedContract({ open: (own) => reused((db) => indexed(openMongoStore(db, { clock: own }))), context, isServer: true }), 3),
    ...sampled(
      followedWritesContract({
        open: (own) => reused((db) => openMongoStore(db, { clock: own })),
        context,
        seed: 20_261_124,
        runs: isTorture ? 50 : 1,
      }),
      2,
    ),
  ])('$name', ({ run }) => run(), isTorture ? 1_800_000 : 120_000);

  it.each(
    sampled<readonly [string, (db: Db) => Promise<unknown>]>(
      [
        ['is dropped with its database', (db) => db.dropDatabase()],
        ['is dropped', (db) => db.collection('news').drop()],
        ['is renamed', (db) => db.collection('news').rename('old_news')],
        ['is replaced by a renamed one', (db) => db.collection('new_news').rename('news', { dropTarget: true })],
        [
          'is replaced by the result of a pipeline',
          (db) =>
            db
              .collection('new_news')
              .aggregate([{ $out: 'news' }])
              .toArray(),
        ],
      ],
      4,
    ),
  )('calls every position too old when a collection %s', async (_what, lose) => {
    const db = await databases.database();
    const store = openMongoStore(db, { clock });
    await store.writer.put([someNews()], context);
    await db.collection('new_news').insertOne({});
    const { position } = await store.changeFeed.changesSince(null, { limit: 10, waitMs: 0 }, context);
    await lose(db);
    const answer = await store.changeFeed.changesSince(position, { limit: 10, waitMs: 20_000 }, context);
    expect([answer.isTooOld, answer.changes]).toEqual([true, []]);
    expect((await store.changeFeed.changesSince(answer.position, { limit: 10, waitMs: 0 }, context)).isTooOld).toBe(false);
    await store.close();
  });

  it('names the repository of a sync record also at the first change after the start, at a new record and at a removal', async () => {
    const store = await reused((db) => openMongoStore(db, { clock }));
    const known = aSync({ id: 'git:widget', repositoryRef: 'acme/widget', feeds: ['commit'], lastSuccessAt: NOW - 2 });
    await store.writer.put([known], context);
    let { position } = await store.changeFeed.changesSince(null, { limit: 10, waitMs: 0 }, context);
    const told = async () => {
      const next = await store.changeFeed.changesSince(position, { limit: 1, waitMs: 20_000 }, context);
      position = next.position;
      return next.changes.map(({ key, repositoryRef, sync }) => [key, repositoryRef, sync]);
    };
    await store.writer.put([{ ...known, lastSuccessAt: NOW }], context);
    expect(await told()).toEqual([['git:widget', 'acme/widget', { feeds: ['commit'], onlyAttempts: false }]]);
    await store.writer.put([{ ...known, id: 'git:secret', repositoryRef: 'acme/secret' }], context);
    expect(await told()).toEqual([['git:secret', 'acme/secret', { feeds: ['commit'], onlyAttempts: false }]]);
    await store.writer.remove([{ kind: 'sync', id: 'git:secret' }], context);
    expect(await told()).toEqual([['git:secret', 'acme/secret', { feeds: ['commit'], onlyAttempts: false }]]);
    await store.close();
  });

  it('names the repository of a sync record also after a call that was aborted while it waited', async () => {
    const store = await reused((db) => openMongoStore(db, { clock }));
    const known = aSync({ id: 'git:widget', repositoryRef: 'acme/widget', feeds: ['commit'], lastSuccessAt: NOW - 2 });
    await store.writer.put([known], context);
    const { position } = await store.changeFeed.changesSince(null, { limit: 10, waitMs: 0 }, context);
    const leaving = new AbortController();
    const waiting = store.changeFeed.changesSince(position, { limit: 10, waitMs: 20_000 }, leaving);
    leaving.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await store.writer.put([{ ...known, lastSuccessAt: NOW }], context);
    const { changes } = await store.changeFeed.changesSince(position, { limit: 10, waitMs: 20_000 }, context);
    expect(changes.map(({ repositoryRef }) => repositoryRef)).toEqual(['acme/widget']);
    await store.close();
  });

  it('tells the latest state of a service when another collector writes it after the counts', async () => {
    const db = await databases.database();
    const store = openMongoStore(db, { clock });
    const [trails, latest] = [db.collection<Document>('status_trails'), exampleOf('status_trails')];
    let { position } = await store.changeFeed.changesSince(null, { limit: 10, waitMs: 0 }, context);
    const told = async () => {
      const next = await store.changeFeed.changesSince(position, { limit: 1, waitMs: 20_000 }, context);
      position = next.position;
      return next.changes.map(({ kind, serviceKey, day }) => [kind, serviceKey, day]);
    };
    const change = ['status-day', 'acme:widget-api', Date.parse('2026-11-20T00:00:00Z')];
    await trails.insertOne({ ...(latest as Document) });
    expect(await told()).toEqual([change]);
    await trails.updateOne({}, { $set: { 'sources.0.newest.state': 'outage' } });
    expect(await told()).toEqual([change]);
    await trails.deleteOne({});
    expect(await told()).toEqual([[...change.slice(0, 2), null]]);
    await store.close();
  });

  it('makes the reads that follow wait for what it told, also on members that lag behind', async () => {
    const db = await databases.database({ monitorCommands: true });
    const waits: boolean[] = [];
    db.client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find' && command['find'] === 'news') waits.push(command['readConcern']?.['afterClusterTime'] !== undefined);
    });
    const changeFeed = createMongoChangeFeed(db, { clock });
    const { news } = createMongoReaders(db, { clock, changeFeed });
    await news.byId('nws_1', context);
    await changeFeed.changesSince(null, { limit: 10, waitMs: 0 }, context);
    await news.byId('nws_1', context);
    expect(waits).toEqual([false, true]);
    await changeFeed.close();
  });
});

describeMongod('the feed of changes of a MongoDB that has lost the history', (servers) => {
  it('calls a position too old at once, whether the history is lost before it or while a stream reads it', async () => {
    const { uri } = await servers.single(['--setParameter', 'enableTestCommands=1']);
    const client = await servers.connect(uri, { appName: 'feed' });
    const feed = createMongoChangeFeed(client.db('lost'), { clock });
    let { position } = await feed.changesSince(null, { limit: 10, waitMs: 0 }, context);
    for (const errorCode of [286, 136]) {
      const data = { failCommands: ['getMore'], appName: 'feed', errorCode };
      await client.db('admin').command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
      const answer = await feed.changesSince(position, { limit: 10, waitMs: 0 }, context);
      expect(answer.isTooOld).toBe(true);
      position = answer.position;
    }
    await feed.close();
  });
});

describeMongod('the feed of changes of a MongoDB whose member lags behind', (servers) => {
  it('goes on from the same position with a new stream, once the member lags for longer than reads may', async () => {
    const { uri } = await servers.single();
    const client = await servers.connect(uri, { monitorCommands: true });
    const news = client.db('lagging').collection<{ readonly _id: string }>('news');
    const opened: boolean[] = [];
    client.on('commandStarted', ({ command }) => {
      const stream = (command['pipeline'] as Document[] | undefined)?.[0]?.['$changeStream'] as Document | undefined;
      if (stream !== undefined) opened.push(stream['resumeAfter'] !== undefined);
    });
    const feed = createMongoChangeFeed(client.db('lagging'), { clock });
    let { position } = await feed.changesSince(null, { limit: 10, waitMs: 0 }, context);
    const keysOfNext = async (waitMs: number) => {
      const next = await feed.changesSince(position, { limit: 10, waitMs }, context);
      position = next.position;
      return [next.isTooOld, next.changes.map(({ key }) => key)];
    };
    for (const seconds of [60, 120]) {
      // The member hears of a later time of the cluster than the one of its newest write.
      await client.withSession(async (session) => {
        const { operationTime: t } = await client.db('admin').command({ ping: 1 }, { session });
        const { signature } = session.clusterTime ?? {};
        session.advanceClusterTime({ clusterTime: Timestamp.fromBits(1, (t as Timestamp).t + seconds), signature } as ClusterTime);
        await client.db('admin').command({ ping: 1 }, { session });
      });
      expect(await keysOfNext(0)).toEqual([false, []]);
      await news.insertOne({ _id: `nws_${String(seconds)}` });
      expect(await keysOfNext(20_000)).toEqual([false, [`nws_${String(seconds)}`]]);
    }
    expect(opened).toEqual([false, true]);
    await feed.close();
  });
});
