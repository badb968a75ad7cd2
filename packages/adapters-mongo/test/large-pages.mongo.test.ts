import { Allowlist } from '@vitrine/core';
import { aCommit, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import { createMongoReaders } from '../src/index.js';
import { DOCUMENTS } from '../src/documents/documents.js';

const approved = Allowlist.of('acme/widget').approved();
const context = { signal: new AbortController().signal };
const COMMITS = 18;
const MEGABYTE = 1_000_000;

describeMongo('a page of documents that do not fit into one message of the server', (databases) => {
  it('has all of them, and leaves no cursor open', async () => {
    const db = await databases.database();
    const documents = Array.from({ length: COMMITS }, (_, index) =>
      DOCUMENTS.commit.toDocument(
        aCommit({ sha: index.toString(16).padStart(40, '0'), committedAt: NOW - index * 1_000, title: `${String(index)} ${'x'.repeat(MEGABYTE)}` }),
      ),
    );
    for (const document of documents) await db.collection<{ _id: string }>('commits').insertOne(document);
    await db.collection('commits').createIndex({ repositoryRef: 1, committedAt: -1, _id: 1 });
    const { commits } = createMongoReaders(db, { clock: new StandingClock(NOW) });
    const query = { limit: COMMITS, after: null, from: null, to: NOW, author: null, branch: null, changeType: null };
    const page = await commits.list(approved, query, context);
    expect(page.items.map(({ title }) => title.slice(0, 2))).toEqual(documents.map((_, index) => `${String(index)} `.slice(0, 2)));
    const operations = [{ $currentOp: { idleCursors: true, allUsers: true } }, { $match: { type: 'idleCursor', ns: `${db.databaseName}.commits` } }];
    expect(await (await databases.connect()).db('admin').aggregate(operations).toArray()).toEqual([]);
  });
});
