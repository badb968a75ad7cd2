import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseLease, initStore } from '@vitrine/adapters-mongo';
import { type LeaseOptions, LostLeaseError } from '@vitrine/core';
import { describeMongo, type TestDatabases, until } from '@vitrine/test-support';
import { pino } from 'pino';
import { CollectingInTurn } from '../src/composition/collecting/collect.js';
import { openedDatabase } from '../src/composition/mongo-store.js';

type Database = Awaited<ReturnType<TestDatabases['database']>>;

/** One of two processes that share a database, without any sources. */
class Worker {
  readonly told: string[] = [];
  readonly logged: string[] = [];
  readonly collecting: CollectingInTurn;
  state = 'new';
  readonly leases: DatabaseLease[] = [];

  constructor(db: Database, holder: string) {
    const connection = { db, connected: Promise.resolve(), state: 'ready', close: () => Promise.resolve() } as const;
    const store = openedDatabase(connection, { hosts: 'here', retentionMs: 400 * 86_400_000 }, { clock: { now: () => Date.now() } });
    const acquire = async (waiting: LeaseOptions) => {
      const turn = await store.acquire(waiting);
      this.leases.push(turn.lease);
      return turn;
    };
    this.collecting = new CollectingInTurn({
      store: { ...store, acquire },
      holder,
      begin: () => {
        this.state = 'collecting';
        return {
          stop: async () => {
            this.state = 'stopped';
          },
        };
      },
      logger: pino({}, { write: (line: string) => this.logged.push(line) }),
      print: (line) => this.told.push(line),
    });
  }

  async eventually(state: string): Promise<void> {
    await until(() => this.state === state);
  }
}

describeMongo('collecting in turn', (databases) => {
  let db: Database;
  beforeAll(async () => {
    db = await databases.prepared(initStore);
  });

  const leases = () => db.collection<{ _id: string; holder: string; expiresAt: Date }>('leases');

  it('collects in one process until it stops, and then in the next', async () => {
    const one = new Worker(db, 'one');
    await one.eventually('collecting');
    const other = new Worker(db, 'other');
    await until(() => other.told.length > 0);
    await sleep(1_500);
    expect([other.state, other.told]).toEqual(['new', ['one collects into this database; this process serves, and waits for its turn.']]);
    await one.collecting.stop();
    expect(one.state).toBe('stopped');
    await other.eventually('collecting');
    await other.collecting.stop();
    expect(await leases().countDocuments()).toBe(0);
  });

  it('stops when the lease is lost, waits, and continues when it has the lease again', async () => {
    const worker = new Worker(db, 'one');
    await worker.eventually('collecting');
    await leases().updateOne({ _id: 'writer' }, { $set: { holder: 'a thief', expiresAt: new Date(4e12) } });
    await worker.eventually('stopped');
    await until(() => worker.told.length > 0);
    expect(worker.logged.join('')).toContain('the right to write was lost');
    await leases().deleteOne({ _id: 'writer' });
    await worker.eventually('collecting');
    expect(worker.told).toEqual(['a thief collects into this database; this process serves, and waits for its turn.']);
    await worker.collecting.stop();
  });

  it('never writes in one turn what it started in an earlier one', async () => {
    const worker = new Worker(db, 'one');
    await worker.eventually('collecting');
    await leases().updateOne({ _id: 'writer' }, { $set: { holder: 'a thief', expiresAt: new Date(Date.now() + 500) } });
    const [first] = worker.leases;
    await expect(first?.commit(() => Promise.resolve('written'))).rejects.toBeInstanceOf(LostLeaseError);
    await worker.eventually('stopped');
    await worker.eventually('collecting');
    await expect(first?.commit(() => Promise.resolve('written'))).rejects.toBeInstanceOf(LostLeaseError);
    expect(await worker.leases[1]?.commit(() => Promise.resolve('written'))).toBe('written');
    await worker.collecting.stop();
    expect(await leases().countDocuments()).toBe(0);
  });
});
