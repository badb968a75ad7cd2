import { setTimeout as sleep } from 'node:timers/promises';
import { LostLeaseError, MINUTE, type RecordWriter, type StoredRecord } from '@vitrine/core';
import { aCheck, aCommit, aProvenance, aRelease, NOW, someNews } from '@vitrine/core/testing';
import { describeMongod } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { COLLECTION_NAMES } from '../src/collections.js';
import { acquireLease, createMongoWriters, initStore, type DatabaseLease } from '../src/index.js';
import { begin } from './support/collected.js';
import { contentsOf, expectSame } from './support/contents.js';

const context = { signal: new AbortController().signal };
const clock = { now: () => NOW };
const STEP_DOWNS = 2;
/** The distribution of entries over segments depends on when they were written. */
const COMPARED = COLLECTION_NAMES.filter((name) => name !== 'leases');

/** What a collector stores in one run: new records, an edited one, and checks of which the last one is stored again with a worse state. */
function runOf(number: number): readonly StoredRecord[] {
  const check = (state: 'operational' | 'outage', back: number) => {
    const checkedAt = NOW - (1_000 - number + back) * MINUTE;
    return aCheck({ state, checkedAt, provenance: aProvenance({ source: 'Probe', observedAt: checkedAt }) });
  };
  return [
    aCommit({ sha: number.toString(16).padStart(40, '0'), committedAt: NOW - number * MINUTE }),
    aRelease({ tagName: 'v1', name: `Edited ${String(number)}` }),
    someNews({ id: `nws_run_${String(number)}`, title: `Run ${String(number)}` }),
    check('operational', 0),
    check('outage', 1),
  ];
}

/** A collector of a database. If it loses its lease, it takes it again, as the next process in turn does. */
class Collector {
  failures = 0;
  #lease: DatabaseLease | null = null;
  #writer: RecordWriter | null = null;

  constructor(readonly db: Db) {}

  async open(): Promise<void> {
    await initStore(this.db, { clock });
    await begin(await this.#open(), context);
  }

  /** A run that fails is repeated, as the scheduler does. */
  async run(number: number): Promise<void> {
    for (;;) {
      try {
        await (this.#writer ?? (await this.#open())).put(runOf(number), context);
        return;
      } catch (error) {
        this.failures += 1;
        if (this.failures > 500) throw error;
        if (error instanceof LostLeaseError || this.#lease?.lost.aborted === true) this.#writer = null;
        await sleep(50);
      }
    }
  }

  async close(): Promise<void> {
    await this.#lease?.release();
  }

  async #open(): Promise<RecordWriter> {
    this.#lease = await acquireLease(this.db, { holder: 'collector', lastsMs: 30_000, ...context });
    this.#writer = createMongoWriters(this.db, { clock, lease: this.#lease }).writer;
    return this.#writer;
  }
}

describeMongod('a primary that steps down while a collector writes', (mongo) => {
  it('loses and doubles nothing: the database equals that of a collector whose primary stayed', async () => {
    const set = await mongo.replicaSet();
    const client = await mongo.connect(set.uri);
    const [stepped, calm] = [new Collector(client.db('stepped')), new Collector(client.db('calm'))];
    await stepped.open();
    let isOver = false;
    const stepping = (async () => {
      for (let times = 0; times < STEP_DOWNS; times++) {
        await set.stepDown();
        await sleep(300);
      }
    })().finally(() => (isOver = true));
    let runs = 0;
    while (!isOver || runs < 20) await stepped.run(runs++);
    await stepping;
    await calm.open();
    for (let number = 0; number < runs; number++) await calm.run(number);
    expectSame(await contentsOf(stepped.db, COMPARED), await contentsOf(calm.db, COMPARED));
    await Promise.all([stepped.close(), calm.close()]);
  });
});
