import { MINUTE, type RecordIdentity, type RecordWriter, type StoredRecord } from '@vitrine/core';
import { aCommit, aRelease, aRepositoryRecord, NOW, oneOfEach, StandingClock } from '@vitrine/core/testing';
import { describeMongo, everyNth } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { COLLECTION_NAMES, Collections } from '../src/collections.js';
import { acquireLease, initStore, type DatabaseLease } from '../src/index.js';
import { writersOver } from '../src/open-mongo-store.js';
import { contentsOf, expectSame, restore, type Contents } from './support/contents.js';
import { FailingCollections } from './support/failing-collections.js';

const context = { signal: new AbortController().signal };
const clock = new StandingClock(NOW);

/** Every death before the commit leaves the same data. */
const STEP = everyNth(17);

const COMPARED = COLLECTION_NAMES.filter((name) => name !== 'leases');

/** Records of a repository whose own record is neither written nor removed. */
const gadget = { repositoryRef: 'acme/gadget' } as const;

const before: readonly StoredRecord[] = [
  ...oneOfEach(),
  aRelease({ tagName: 'v0', publishedAt: NOW - 99 * MINUTE }),
  aRepositoryRecord(gadget),
  aRelease({ ...gadget, tagName: 'v0', publishedAt: NOW - 99 * MINUTE }),
  aRelease({ ...gadget, tagName: 'v1', publishedAt: NOW - 98 * MINUTE }),
];
const batch: readonly StoredRecord[] = [
  aRepositoryRecord({ fullName: 'Acme/Widget', defaultBranch: 'next' }),
  aCommit({ title: 'An edited subject' }),
  aCommit({ sha: '7'.repeat(40), committedAt: NOW - MINUTE }),
  aRelease({ tagName: 'v9', publishedAt: NOW - MINUTE }),
  aRelease({ tagName: 'v10', publishedAt: NOW + 60 * MINUTE }),
  aRelease({ ...gadget, tagName: 'v2', publishedAt: NOW - MINUTE }),
];
/** A forge that says something else about what is stored. */
const GITHUB = 'github:acme/widget';
const told: readonly StoredRecord[] = [
  aRepositoryRecord({ fullName: 'Acme/Widget' }),
  aCommit({ authorLogin: 'grace' }),
  aRelease({ body: 'Notes' }),
  aRelease({ tagName: 'v3', publishedAt: NOW - MINUTE }),
];
const gone: readonly RecordIdentity[] = [aRelease(), aCommit(), aRepositoryRecord(), aRelease({ ...gadget, tagName: 'v1' })];

describeMongo('a collector that dies', (databases) => {
  let db: Db;
  let start: Contents;
  let lease: DatabaseLease;

  const writer = (collections = new Collections(db)): RecordWriter => writersOver(collections, { clock, lease }).writer;

  beforeAll(async () => {
    db = await databases.prepared(initStore);
    lease = await acquireLease(db, { holder: 'the dying', ...context });
    await writer().put(before, { ...context, source: 'git:acme/widget' });
    await writer().put([...told, aRelease({ tagName: 'v4', publishedAt: NOW - 2 * MINUTE })], { ...context, source: 'gitlab:acme/widget' });
    start = await contentsOf(db, COMPARED);
  });

  const works: readonly (readonly [string, (own: RecordWriter) => Promise<unknown>])[] = [
    ['putting records', (own) => own.put(batch, context)],
    ['removing records', (own) => own.remove(gone, context)],
    ['putting the records of another source', (own) => own.put(told, { ...context, source: GITHUB })],
    ['withdrawing a source', (own) => own.withdraw('gitlab:acme/widget', context)],
  ];

  it.each(works)(
    'between any two operations while %s loses and duplicates nothing: a repetition gives the result of a complete run',
    async (_name, work) => {
      await restore(db, start);
      await work(writer());
      const whole = await contentsOf(db, COMPARED);
      let operations = 0;
      for (; ; operations += STEP) {
        await restore(db, start);
        const died = await work(writer(new FailingCollections(db, operations))).then(
          () => false,
          () => true,
        );
        if (!died) break;
        await work(writer());
        expectSame(await contentsOf(db, COMPARED), whole);
      }
      expect(operations).toBeGreaterThanOrEqual(10);
    },
    120_000,
  );
});
