import { Allowlist, UnavailableError } from '@vitrine/core';
import { aCommit, NOW } from '@vitrine/core/testing';
import { initStore, missingIndexes, openMongoStore } from '@vitrine/adapters-mongo';
import { describeMongo } from '@vitrine/test-support';

const clock = { now: () => NOW };
const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget').approved();

describeMongo('a database that lacks indexes', (databases) => {
  it('fails the lists that need them, and answers them again once the indexes are there', async () => {
    const db = await databases.prepared(initStore);
    const { readers, writer } = openMongoStore(db, { clock });
    await writer.put([aCommit()], context);
    const list = () =>
      readers.commits.list(approved, { limit: 20, after: null, from: null, to: NOW, branch: null, author: null, changeType: null }, context);
    expect((await list()).items).toHaveLength(1);
    await db.collection('commits').dropIndexes();
    await expect(list()).rejects.toBeInstanceOf(UnavailableError);
    await initStore(db, { clock });
    expect((await list()).items).toHaveLength(1);
  });

  it('is looked at with one connection, because a server that starts has no others yet', async () => {
    const db = await databases.prepared(initStore, { monitorCommands: true });
    let [running, most] = [0, 0];
    db.client.on('commandStarted', () => (most = Math.max(most, ++running)));
    for (const end of ['commandSucceeded', 'commandFailed'] as const) db.client.on(end, () => running--);
    await db.collection('videos').dropIndexes();
    expect(new Set((await missingIndexes(db)).map((index) => index.split(':')[0]))).toEqual(new Set(['videos']));
    expect(most).toBe(1);
    await initStore(db, { clock });
  });
});
