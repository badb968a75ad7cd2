import { type LeaseOptions, LostLeaseError } from '@vitrine/core';
import { describeMongo, describeMongod, emptied, isTorture } from '@vitrine/test-support';
import type { ClientSession, Db, Document } from 'mongodb';
import { LeaseDocument } from '../src/connection/lease-document.js';
import { acquireLease } from '../src/index.js';

/** The session of a process that was paused in the middle of a commit, for longer than its lease. */
async function paused(db: Db, lastsMs = 300): Promise<ClientSession> {
  const session = db.client.startSession();
  const document = new LeaseDocument(db, lastsMs);
  const turn = await document.take('first', session);
  session.startTransaction();
  await document.confirm(turn, session);
  await db.collection('notes').insertOne({}, { session });
  return session;
}

describeMongo('a lease', (databases) => {
  let db: Db;
  const never = new AbortController().signal;
  const take = (holder: string, onWaiting: (holder: string) => void = () => undefined, signal = never) =>
    acquireLease(db, { holder, signal, onWaiting });

  beforeAll(async () => {
    db = await databases.database();
  });
  beforeEach(() => emptied(db));

  it('has one holder until it is released; the second waits, reports the first, and then has it', async () => {
    const first = await take('first');
    const waitedFor: string[] = [];
    let isTaken = false;
    const second = take('second', (holder) => waitedFor.push(holder)).then((lease) => {
      isTaken = true;
      return lease;
    });
    while (waitedFor.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect([waitedFor, isTaken]).toEqual([['first'], false]);
    await first.release();
    await (await second).release();
    expect(waitedFor).toEqual(['first']);
  });

  it('is free after its holder has died', async () => {
    await db
      .collection<{ _id: string }>('leases')
      .insertOne({ _id: 'writer', holder: 'dead', expiresAt: new Date(Date.now() - 1) } as { _id: string });
    const lease = await take('living', () => {
      throw new Error('has to wait');
    });
    expect(lease.lost.aborted).toBe(false);
    await lease.release();
  });

  it.each([0, 300])('rejects after %d ms of waiting, with the name of its holder', async (waitMs) => {
    const first = await take('first');
    const second = () => acquireLease(db, { holder: 'second', signal: never, waitMs });
    const startedAt = performance.now();
    await expect(second()).rejects.toMatchObject({ name: 'LeaseInUseError', holder: 'first' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(waitMs);
    await first.release();
    const taken = await second();
    expect(taken.lost.aborted).toBe(false);
    await taken.release();
  });

  it('takes the defaults for times that are undefined, as JavaScript can give them', async () => {
    const times = { waitMs: undefined, lastsMs: undefined } as unknown as Pick<LeaseOptions, 'waitMs'>;
    const first = await acquireLease(db, { holder: 'first', signal: never, ...times });
    const asking = jest.spyOn(LeaseDocument.prototype, 'take');
    const waiting = new AbortController();
    const second = acquireLease(db, { holder: 'second', signal: waiting.signal, onWaiting: () => setTimeout(() => waiting.abort(), 300), ...times });
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(asking).toHaveBeenCalledTimes(1);
    asking.mockRestore();
    const expiresAt = (await db.collection('leases').findOne())?.['expiresAt'] as Date;
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(20_000);
    await first.release();
  });

  it('stops waiting when its signal aborts', async () => {
    const first = await take('first');
    const waiting = new AbortController();
    const second = take(
      'second',
      () => {
        waiting.abort();
      },
      waiting.signal,
    );
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    await first.release();
  });

  it('does not end the lease of another holder when it is released', async () => {
    const first = await take('first');
    await db.collection<{ _id: string }>('leases').updateOne({ _id: 'writer' }, { $set: { holder: 'second' } });
    await first.release();
    expect(await db.collection('leases').countDocuments({ holder: 'second' })).toBe(1);
  });

  it('is given to exactly one of many concurrent requests', async () => {
    const asking = new AbortController();
    const leases = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        take(
          `holder ${String(index)}`,
          () => {
            asking.abort();
          },
          asking.signal,
        ),
      ),
    );
    expect(leases.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const lease of leases) if (lease.status === 'fulfilled') await lease.value.release();
  });

  const lease = (): Promise<Document | null> => db.collection<{ _id: string }>('leases').findOne({ _id: 'writer' });
  /** Makes the lease expire, as if its holder had not renewed it. */
  const endNow = () => db.collection<{ _id: string }>('leases').updateOne({ _id: 'writer' }, { $set: { expiresAt: new Date(0) } });
  const notes = async () => (await db.collection('notes').find().sort({ _id: 1 }).toArray()).map(({ _id }): unknown => _id);
  const insert = (_id: string) => (session: ClientSession) => db.collection<{ _id: string }>('notes').insertOne({ _id }, { session });

  it('has a greater term each time it is acquired, by any holder, also after a release', async () => {
    const terms: number[] = [];
    for (const holder of ['first', 'first', 'second', 'first']) {
      const taken = await take(holder);
      terms.push(Number((await lease())?.['term']));
      await (terms.length % 2 === 0 ? taken.release() : endNow());
    }
    expect(terms).toEqual([...new Set(terms)].sort((a, b) => a - b));
  });

  it.each(['second', 'first'])('lets nothing be written in a turn that is over, when %s has the next one', async (next) => {
    const first = await take('first');
    await first.commit(insert('1'));
    await endNow();
    const second = await take(next);
    await expect(first.commit(insert('late'))).rejects.toBeInstanceOf(LostLeaseError);
    expect([first.lost.aborted, second.lost.aborted]).toEqual([true, false]);
    await first.release();
    await second.commit(insert('2'));
    await second.release();
    await expect(second.commit(insert('later'))).rejects.toBeInstanceOf(LostLeaseError);
    expect(await notes()).toEqual(['1', '2']);
  });

  it('is lost to another collector that does not use terms', async () => {
    const own = await take('first');
    await db.collection<{ _id: string }>('leases').updateOne({ _id: 'writer' }, { $set: { holder: 'foreign', expiresAt: new Date(4e12) } });
    await expect(own.commit(insert('late'))).rejects.toBeInstanceOf(LostLeaseError);
    expect([own.lost.aborted, await notes()]).toEqual([true, []]);
  });

  it('is free soon if its holder was paused in the middle of a commit, of which nothing is stored', async () => {
    const session = await paused(db, 1);
    const impatient = acquireLease(db, { holder: 'second', signal: never, waitMs: 0 });
    await expect(impatient).rejects.toThrow('Another process collects into this store now.');
    const own = await take('second');
    await expect(session.commitTransaction()).rejects.toThrow();
    expect(await notes()).toEqual([]);
    await session.endSession();
    await own.release();
  });

  it('runs its commits one after the other, and repeats one after a write conflict', async () => {
    const own = await take('first');
    await own.commit(insert('shared'));
    let attempts = 0;
    const meeting = own.commit(async (session) => {
      const options = { session };
      const shared = db.collection<{ _id: string }>('notes');
      await shared.findOne({ _id: 'shared' }, options);
      attempts += 1;
      if (attempts === 1) await shared.updateOne({ _id: 'shared' }, { $set: { by: 'somebody else' } });
      await shared.bulkWrite([{ updateOne: { filter: { _id: 'shared' }, update: { $set: { own: true } } } }], { ordered: false, ...options });
    });
    await Promise.all([meeting, own.commit(insert('next'))]);
    expect(attempts).toBe(2);
    expect(await db.collection('notes').find().sort({ _id: -1 }).toArray()).toEqual([
      { _id: 'shared', by: 'somebody else', own: true },
      { _id: 'next' },
    ]);
    await own.release();
  });
});

if (isTorture)
  describeMongod('a lease on its own server', (servers) => {
    const never = new AbortController().signal;
    const options = { signal: never } as const;

    it('needs only the role readWrite, also to end a transaction of its last holder', async () => {
      const db = (await servers.connect((await servers.guarded('team')).writer)).db();
      const session = await paused(db);
      const second = await acquireLease(db, { ...options, holder: 'second' });
      await expect(session.commitTransaction()).rejects.toThrow();
      expect(await db.collection('notes').countDocuments()).toBe(0);
      await second.release();
    });
  });
