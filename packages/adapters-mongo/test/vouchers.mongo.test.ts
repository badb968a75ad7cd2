import { keyOfIdentity } from '@vitrine/core';
import { aCommit, aRelease, NOW } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db, Document } from 'mongodb';
import type { StoredDocument } from '../src/documents/codec.js';
import { initStore, openMongoStore } from '../src/index.js';

const clock = { now: () => NOW };
const context = { signal: new AbortController().signal };
const [GIT, GITHUB] = ['git:acme/widget', 'github:acme/widget'];
const TAG = aRelease({ body: 'tag message' });
const NOTES = aRelease({ body: 'Notes', publishedAt: NOW - 9 });

describeMongo('the sources of records in MongoDB', (databases) => {
  let db: Db;
  const store = () => openMongoStore(db, { clock });
  const releases = () => db.collection<StoredDocument>('releases');
  const vouchers = async (): Promise<unknown> => (await releases().findOne({ _id: keyOfIdentity(TAG) }))?.['vouchers'];
  const said = async () => {
    const all: unknown[] = [];
    for await (const { record, source } of store().collection.statements(context)) if (record.kind === 'release') all.push([source, record]);
    return all;
  };

  beforeAll(async () => {
    db = await databases.prepared(initStore);
  });

  it('are stored with the record, each with the fields in which it contradicts the record', async () => {
    await store().writer.put([TAG], { ...context, source: GIT });
    expect(await vouchers()).toEqual([{ source: GIT }]);
    await store().writer.put([NOTES], { ...context, source: GITHUB });
    const wanted = [
      { source: GIT, says: { body: 'tag message' } },
      { source: GITHUB, says: { publishedAt: new Date(NOTES.publishedAt) } },
    ];
    expect(await vouchers()).toEqual(wanted);
  });

  it('agree with the record if a statement cannot be decoded', async () => {
    await releases().updateOne({ _id: keyOfIdentity(TAG) }, { $set: { 'vouchers.0.says': { publishedAt: 'yesterday' }, 'vouchers.2': 7 } });
    const shown = { ...NOTES, publishedAt: TAG.publishedAt };
    expect(await said()).toEqual([
      [GIT, shown],
      [GITHUB, NOTES],
    ]);
    await store().writer.put([TAG], { ...context, source: GIT });
    expect(await said()).toEqual([
      [GIT, TAG],
      [GITHUB, NOTES],
    ]);
  });

  it('lead to their records by an index', async () => {
    const plan: Document = await releases().find({ 'vouchers.source': GIT }, { limit: 10 }).explain('queryPlanner');
    expect(JSON.stringify(plan)).toMatch(/"stage":"IXSCAN".*"vouchers\.source":1/);
  });

  it('are withdrawn from documents that cannot be decoded, which are removed', async () => {
    const commit = aCommit();
    await store().writer.put([commit], { ...context, source: GIT });
    await db
      .collection<StoredDocument>('commits')
      .updateOne({ _id: keyOfIdentity(commit) }, { $unset: { provenance: '' } }, { bypassDocumentValidation: true });
    expect(await store().writer.withdraw(GIT, context)).toBe(1);
    expect([await db.collection('commits').countDocuments(), await said()]).toEqual([0, [[GITHUB, NOTES]]]);
  });
});
