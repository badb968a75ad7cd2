import { describeMongod, itInTorture } from '@vitrine/test-support';
import type { MongoClient } from 'mongodb';

describeMongod('servers of a suite', (servers) => {
  // Three servers and an election.
  itInTorture('elect another primary if the first is killed, and include the first again when it is restarted', async () => {
    const set = await servers.replicaSet();
    const first = await set.primary();
    const client = await servers.connect(set.uri);
    await first.kill();
    expect(await set.primary()).not.toBe(first);
    await client.db('notes').collection('notes').insertOne({ text: 'kept' });
    await first.restart();
    await set.healthy();
    expect(await set.secondaries()).toHaveLength(2);
  });

  itInTorture('let a reader read and only a writer write', async () => {
    const { reader, writer } = await servers.guarded('notes');
    const [reads, writes] = [await servers.connect(reader), await servers.connect(writer)];
    await writes.db().collection('notes').insertOne({ text: 'kept' });
    expect(await reads.db().collection('notes').countDocuments()).toBe(1);
    await expect(reads.db().collection('notes').insertOne({ text: 'lost' })).rejects.toThrow(/not authorized/u);
    await expect(reads.db('other').collection('notes').findOne()).rejects.toThrow(/not authorized/u);
  });

  // Only suites of torture freeze a server.
  itInTorture('do not respond while they are frozen, and respond again afterwards', async () => {
    const server = await servers.single();
    const client = await servers.connect(server.uri, { socketTimeoutMS: 300 });
    server.pause();
    // The signal may take a moment to reach every thread.
    await expect(pings(client, 1_000)).rejects.toThrow(/timed out/u);
    server.resume();
    expect(await client.db().command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  it('can be had through a proxy', async () => {
    const databases = await servers.databases();
    const { databaseName } = await databases.database();
    const proxy = await servers.proxy(Number(new URL(databases.uri).port));
    const notes = (await servers.connect(proxy.uri)).db(databaseName).collection('notes');
    await notes.insertOne({ text: 'kept' });
    proxy.cut();
    await notes.countDocuments().catch(() => null);
    expect(await notes.countDocuments()).toBe(1);
    proxy.swallow();
    await expect(notes.countDocuments({}, { signal: AbortSignal.timeout(200) })).rejects.toThrow(/timed out/iu);
  });
});

async function pings(client: MongoClient, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await client.db().command({ ping: 1 });
}
