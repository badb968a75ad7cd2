import { Allowlist, DAY, startOfDay, type ActivityDay, type RecordWriter, type StoredRecord } from '@vitrine/core';
import { aCommit, aRelease, NOW, StandingClock } from '@vitrine/core/testing';
import { describeMongo, itInTorture } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { COLLECTION_NAMES } from '../src/collections.js';
import type { StoredDocument } from '../src/documents/codec.js';
import { DOCUMENTS } from '../src/documents/documents.js';
import { createMongoReaders, createMongoWriters, initStore, reindexStore } from '../src/index.js';
import { contentsOf, restore, type Contents } from './support/contents.js';
import { commandsOf, explained } from './support/explained.js';

const context = { signal: new AbortController().signal };
const clock = new StandingClock(NOW);
const TODAY = startOfDay(NOW);
const approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
const query = { from: TODAY - 20 * DAY, to: NOW };

const commit = (days: number, serial: number, repositoryRef: 'acme/widget' | 'acme/gadget' = 'acme/widget') =>
  aCommit({ repositoryRef, committedAt: TODAY - days * DAY, sha: String(serial).padStart(40, '0') });
const release = (days: number, serial: number) => aRelease({ publishedAt: TODAY - days * DAY, tagName: `v${String(serial)}` });

const before: readonly StoredRecord[] = [commit(0, 1), commit(1, 2), commit(9, 3), release(1, 1), release(5, 2), commit(3, 4, 'acme/gadget')];

describeMongo('activity', (databases) => {
  let db: Db;
  let start: Contents;
  const names = COLLECTION_NAMES.filter((name) => name !== 'leases');

  const writer = (): RecordWriter => createMongoWriters(db, { clock }).writer;
  const days = async (): Promise<readonly ActivityDay[]> =>
    [...(await createMongoReaders(db, { clock }).activity.days(approved, query, context))].sort((a, b) => a.day - b.day);
  /** The numbers as the records give them: no repository has stored days. */
  const counted = async (): Promise<readonly ActivityDay[]> => {
    const marks = await db.collection('activity_marks').find().toArray();
    await db.collection('activity_marks').deleteMany({});
    const found = await days();
    if (marks.length > 0) await db.collection('activity_marks').insertMany(marks);
    return found;
  };
  const storedDays = () => db.collection('activity_days').find().sort({ _id: 1 }).toArray();

  beforeAll(async () => {
    db = await databases.prepared(initStore, { monitorCommands: true });
    await writer().put(before, context);
    start = await contentsOf(db, names);
  });

  beforeEach(async () => {
    await restore(db, start);
  });

  it('of whole days is read from stored numbers, and of a part of a day from the records', async () => {
    await db.collection('activity_days').updateMany({}, { $inc: { commits: 100 } });
    expect((await days()).map(({ commits }) => commits)).toEqual([101, 100, 101, 101, 1]);
  });

  it('of repositories that another program collects is counted from their records', async () => {
    const theirs = DOCUMENTS.commit.toDocument(commit(3, 9, 'acme/gadget'));
    await db.collection('activity_marks').deleteOne({ _id: 'acme/gadget' as never });
    await db.collection<StoredDocument>('commits').insertOne(theirs);
    expect((await days()).find(({ day }) => day === TODAY - 3 * DAY)?.commits).toBe(2);
  });

  it('is stored with the first change of a repository that has records already', async () => {
    await Promise.all(['activity_marks', 'activity_days'].map((name) => db.collection(name).deleteMany({})));
    await writer().put([commit(7, 5)], context);
    expect(await db.collection('activity_marks').find().toArray()).toEqual([{ _id: 'acme/widget', repositoryRef: 'acme/widget', pendingDays: [] }]);
    expect((await storedDays()).map(({ commits, releases }) => [commits, releases])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
      [1, 1],
      [1, 0],
    ]);
  });

  itInTorture('is stored for many repositories at once, whatever their days, with few queries', async () => {
    const refs = Array.from({ length: 60 }, (_, index) => `acme/tool-${String(index)}` as const);
    const batchOf = (round: number) =>
      refs.flatMap((repositoryRef, index) =>
        [0, index % 3, index % 7 === 0 ? 300 : 40, index * 5].map((age, serial) =>
          aCommit({
            repositoryRef,
            committedAt: TODAY - (age + round) * DAY,
            sha: `${String(index)}${String(serial)}${String(round)}`.padStart(40, '0'),
          }),
        ),
      );
    const asked: number[] = [];
    for (const round of [0, 1, 2]) {
      const commands = await commandsOf(db.client, () => writer().put(batchOf(round), context));
      asked.push(commands.filter(({ aggregate }) => aggregate === 'releases').length);
    }
    expect(Math.max(...asked)).toBeLessThan(20);
    const stored = await storedDays();
    const pipeline = [
      { $group: { _id: { ref: '$repositoryRef', day: { $dateTrunc: { date: '$committedAt', unit: 'day' } } }, commits: { $sum: 1 } } },
    ];
    const rows = await db.collection('commits').aggregate(pipeline).toArray();
    const line = (ref: unknown, day: unknown, commits: unknown) => [ref, (day as Date).getTime(), commits].join(' ');
    const counts = rows.map(({ _id, commits }) => line((_id as { ref: unknown }).ref, (_id as { day: unknown }).day, commits));
    const withCommits = stored.filter(({ commits }) => Number(commits) > 0);
    expect(withCommits.map(({ repositoryRef, day, commits }) => line(repositoryRef, day, commits)).sort()).toEqual(counts.sort());
    expect(await db.collection('activity_marks').countDocuments({ pendingDays: [] })).toBe(refs.length + 2);
  });

  it('is not written when the records of a batch are stored already', async () => {
    const written = await contentsOf(db, ['activity_days', 'activity_marks']);
    await writer().put(before, context);
    expect(await contentsOf(db, ['activity_days', 'activity_marks'])).toEqual(written);
  });

  it('is counted again by store reindex', async () => {
    const expected = await days();
    await db.collection('activity_days').updateMany({}, { $inc: { commits: 100 } });
    await db.collection<StoredDocument>('activity_days').insertOne({
      _id: 'acme/widget 2020-01-01',
      repositoryRef: 'acme/widget',
      day: new Date('2020-01-01'),
      commits: 5,
      releases: 0,
    });
    await reindexStore(db, { clock, ...context, onProgress: () => undefined });
    expect(await days()).toEqual(expected);
    expect(await contentsOf(db, ['activity_days', 'activity_marks'])).toEqual(
      new Map([...start].filter(([name]) => name === 'activity_days' || name === 'activity_marks')),
    );
  });

  it('is right again after a damaged document was overwritten or removed', async () => {
    const commits = db.collection<StoredDocument>('commits');
    const [own, other] = [commit(1, 2), commit(9, 3)].map((record) => DOCUMENTS.commit.toDocument(record));
    for (const [document, day] of [
      [own, 6],
      [other, 8],
    ] as const)
      await commits.updateOne({ _id: document?._id ?? '' }, { $set: { committedAt: new Date(TODAY - day * DAY), title: 5 } });
    await commits.insertOne({ ...own, _id: 'no time', committedAt: 'yesterday' });
    await writer().put([commit(1, 2)], context);
    expect(await days()).toEqual(await counted());
    await writer().remove([commit(9, 3)], context);
    expect(await days()).toEqual(await counted());
    expect((await days()).map(({ day }) => day)).not.toContain(TODAY - 8 * DAY);
    expect(await db.collection('activity_marks').countDocuments()).toBe(2);
  });

  it('needs at most six queries, each from an index, whatever the number of repositories and days', async () => {
    const many = Allowlist.of('acme/widget', 'acme/gadget', ...Array.from({ length: 300 }, (_, index) => `acme/r${String(index)}`)).approved();
    const { activity } = createMongoReaders(db, { clock });
    const commands = await commandsOf(db.client, () => activity.days(many, { from: TODAY - 365 * DAY, to: NOW }, context));
    expect(commands.length).toBe(6);
    for (const command of commands.filter((one) => 'aggregate' in one)) {
      const { stages, docsExamined } = await explained(db, command);
      expect([[...stages].filter((stage) => stage === 'COLLSCAN' || stage === 'SORT'), docsExamined]).toEqual([[], 0]);
    }
  });

  it('is that of the records after some were added, moved to another day and removed', async () => {
    const moved = { ...commit(2, 2), title: 'Moved to another day' };
    await writer().put([moved, commit(0, 5), commit(12, 6), release(2, 1), commit(3, 7, 'acme/gadget'), commit(4, 8, 'acme/gadget')], context);
    expect(await days()).toEqual(await counted());
    await writer().remove([moved, release(5, 2), commit(3, 4, 'acme/gadget'), commit(4, 8, 'acme/gadget')], context);
    expect(await days()).toEqual(await counted());
    expect((await storedDays()).every(({ commits, releases }) => Number(commits) + Number(releases) > 0)).toBe(true);
  });

  it('is counted from the records while another program counts days', async () => {
    await db.collection('activity_marks').updateOne({ _id: 'acme/widget' as never }, { $set: { pendingDays: [new Date(TODAY - DAY)] } });
    await db.collection('activity_days').updateMany({ repositoryRef: 'acme/widget' }, { $inc: { commits: 100 } });
    expect(await days()).toEqual(await counted());
    await writer().put([commit(7, 5)], context);
    expect(await days()).toEqual(await counted());
    expect(await db.collection('activity_marks').countDocuments({ pendingDays: [] })).toBe(2);
  });
});
