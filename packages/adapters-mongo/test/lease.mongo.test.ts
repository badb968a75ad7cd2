import { describeMongo } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { acquireLease } from '../src/index.js';

describeMongo('a lease', (databases) => {
  let db: Db;
  const never = new AbortController().signal;
  const take = (holder: string, onWaiting: (holder: string) => void = () => undefined, signal = never) =>
    acquireLease(db, { name: 'collector', holder, signal, onWaiting });

  beforeEach(async () => {
    db = await databases.database();
  });

  it('is one holder’s until it is released; the second waits, says for whom, and then has it', async () => {
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

  it('is free when its holder has died', async () => {
    await db
      .collection<{ _id: string }>('leases')
      .insertOne({ _id: 'collector', holder: 'dead', expiresAt: new Date(Date.now() - 1) } as { _id: string });
    const lease = await take('living', () => {
      throw new Error('has to wait');
    });
    await lease.release();
  });

  it('lets go of waiting when it is told to', async () => {
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

  it('does not take away what another one holds when it is released', async () => {
    const first = await take('first');
    await db.collection<{ _id: string }>('leases').updateOne({ _id: 'collector' }, { $set: { holder: 'second' } });
    await first.release();
    expect(await db.collection('leases').countDocuments({ holder: 'second' })).toBe(1);
  });

  it('goes to exactly one of many that ask at the same moment', async () => {
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
});
