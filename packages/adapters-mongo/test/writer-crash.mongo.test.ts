import { MINUTE, type RecordIdentity, type RecordWriter, type StoredRecord } from '@vitrine/core';
import { aCommit, aRelease, aRepositoryRecord, NOW, oneOfEach, StandingClock } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db, Document } from 'mongodb';
import { writersOver } from '../src/create-mongo-writers.js';
import { Collections, COLLECTION_NAMES } from '../src/collections.js';
import { initStore } from '../src/index.js';
import { FailingCollections } from './support/failing-collections.js';
import { storedEntries } from './support/stored-entries.js';

const context = { signal: new AbortController().signal };
const clock = new StandingClock(NOW);

/** Which segments hold the entries of search depends on when they were written, so those are compared as entries. */
const COMPARED = COLLECTION_NAMES.filter((name) => !name.startsWith('search_') && name !== 'leases');

const before: readonly StoredRecord[] = [...oneOfEach(), aRelease({ tagName: 'v0', publishedAt: NOW - 99 * MINUTE })];
const batch: readonly StoredRecord[] = [
  aRepositoryRecord({ fullName: 'Acme/Widget', defaultBranch: 'next' }),
  aCommit({ title: 'An edited subject' }),
  aCommit({ sha: '7'.repeat(40), committedAt: NOW - MINUTE }),
  aRelease({ tagName: 'v9', publishedAt: NOW - MINUTE }),
  aRelease({ tagName: 'v10', publishedAt: NOW + 60 * MINUTE }),
];
const gone: readonly RecordIdentity[] = [aRelease(), aCommit(), aRepositoryRecord()];

describeMongo('a collector that dies', (databases) => {
  let db: Db;

  beforeAll(async () => {
    db = await databases.database();
    await initStore(db, { clock });
  });

  const writer = (collections = new Collections(db)): RecordWriter => writersOver(collections, { clock }).writer;

  const start = async (): Promise<void> => {
    await Promise.all(COLLECTION_NAMES.map((name) => db.collection(name).deleteMany({})));
    await writer().put(before, context);
  };

  const everything = async (): Promise<readonly (readonly Document[])[]> => [
    ...(await Promise.all(COMPARED.map((name) => db.collection(name).find().sort({ _id: 1 }).toArray()))),
    await storedEntries(db),
  ];

  it.each<readonly [string, (own: RecordWriter) => Promise<unknown>]>([
    ['putting records', (own) => own.put(batch, context)],
    ['removing records', (own) => own.remove(gone, context)],
  ])(
    'between any two operations while %s loses and doubles nothing: the same again gives what a clean run gives',
    async (_name, work) => {
      await start();
      await work(writer());
      const whole = await everything();
      let deaths = 0;
      for (let operations = 0; ; operations++) {
        await start();
        const died = await work(writer(new FailingCollections(db, operations))).then(
          () => false,
          () => true,
        );
        if (!died) break;
        deaths += 1;
        await work(writer());
        expect([operations, await everything()]).toEqual([operations, whole]);
      }
      expect(deaths).toBeGreaterThanOrEqual(10);
    },
    120_000,
  );
});
