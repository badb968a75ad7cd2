import type { Db } from 'mongodb';
import type { Commit } from '@vitrine/core';
import { acquireLease, createMongoWriters, initStore, type MongoWriters } from '@vitrine/adapters-mongo';
import { atLeast, atMost, megabytesInUse, mustBe, type Figure } from '../measure.js';
import { clock, withMongod } from '../stores.js';
import { repositoryRecords, worldCommits } from '../world.js';

const BATCH = 1_000;
const BATCHES = 130;
const context = { signal: new AbortController().signal };

/** Writes batches, as a collector does. Measures records a second, the longest put, and the growth of memory in the second half. */
async function written(
  { writer }: MongoWriters,
  batches: readonly (readonly Commit[])[],
  expected: { readonly stored: number; readonly unchanged: number },
) {
  const megabytes: number[] = [];
  let longest = 0;
  const start = performance.now();
  for (const [index, batch] of batches.entries()) {
    const startOfPut = performance.now();
    mustBe(`batch ${String(index)}`, await writer.put(batch, context), { ...expected, refused: [] });
    longest = Math.max(longest, performance.now() - startOfPut);
    if (index === batches.length >> 1 || index === batches.length - 1) megabytes.push(megabytesInUse());
  }
  const [middle = Number.NaN, end = Number.NaN] = megabytes;
  return { perSecond: (batches.length * BATCH) / ((performance.now() - start) / 1_000), longest, growth: end - middle };
}

async function checkStored(db: Db, batches: readonly (readonly Commit[])[]): Promise<void> {
  const found = db.collection('commits').find({}, { projection: { _id: 0, sha: 1 } });
  const stored = (await found.toArray()).map(({ sha }) => String(sha));
  const given = batches.flat().map(({ sha }) => sha);
  mustBe('commits that were written', stored.toSorted(), given.toSorted());
}

export function figures(): Promise<readonly Figure[]> {
  return withMongod(async (client) => {
    const db = client.db('writing');
    await db.dropDatabase();
    await initStore(db, { clock });
    // Before the lease, which is not renewed while nothing else can run.
    const batches = Array.from({ length: BATCHES }, (_, batch) => worldCommits(batch * BATCH, BATCH));
    const lease = await acquireLease(db, { holder: 'the benchmark', ...context });
    const writers = createMongoWriters(db, { clock, lease });
    await writers.writer.put(repositoryRecords, context);
    const fresh = await written(writers, batches, { stored: BATCH, unchanged: 0 });
    const again = await written(writers, batches, { stored: 0, unchanged: BATCH });
    await lease.release();
    await checkStored(db, batches);
    await db.dropDatabase();
    return [
      atLeast('writing 130,000 new commits in batches of 1,000', fresh.perSecond, 'records/s', 6_000),
      atMost('the same: the longest batch', fresh.longest, 'ms', 400),
      atLeast('the same again, unchanged', again.perSecond, 'records/s', 10_000),
      atMost('the same: growth of memory from the middle to the end', Math.max(fresh.growth, again.growth), 'MB', 20),
    ];
  });
}
