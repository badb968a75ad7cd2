import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { NOW } from '../packages/core/dist/testing/index.js';
import { acquireLease, createMongoWriters, initStore, WRITER } from '../packages/adapters-mongo/dist/index.js';
import { atLeast, atMost } from './measure.mjs';
import { benchMongod } from './mongod.mjs';
import { searchCommit, searchRepositoryRecords } from './mongo-search.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const BATCH = 1_000;
const BATCHES = 60;
const clock = { now: () => NOW };
const context = { signal: new AbortController().signal };

/** Records a second, as a collector writes them: batch after batch, each with its search entries; and the megabytes in use after each half. */
async function written(writer, batches) {
  const megabytes = [];
  const start = performance.now();
  for (const [index, batch] of batches.entries()) {
    await writer.put(batch, context);
    if (index === batches.length >> 1 || index === batches.length - 1) {
      collectGarbage();
      megabytes.push(process.memoryUsage().heapUsed / 2 ** 20);
    }
  }
  return { perSecond: (batches.length * BATCH) / ((performance.now() - start) / 1_000), growth: megabytes[1] - megabytes[0] };
}

export async function mongoWritingFigures() {
  const { client, stop } = await benchMongod();
  try {
    const db = client.db('writing');
    await db.dropDatabase();
    await initStore(db, { clock });
    const lease = await acquireLease(db, { name: WRITER, holder: 'the benchmark', ...context });
    const { writer } = createMongoWriters(db, { clock, lease });
    await writer.put(searchRepositoryRecords(), context);
    const batches = Array.from({ length: BATCHES }, (_, batch) => Array.from({ length: BATCH }, (_, index) => searchCommit(batch * BATCH + index)));
    const fresh = await written(writer, batches);
    const again = await written(writer, batches);
    await lease.release();
    await db.dropDatabase();
    return [
      atLeast('writing 60,000 new commits with their search entries', fresh.perSecond, 'records/s', 5_000),
      atLeast('the same again, unchanged', again.perSecond, 'records/s', 10_000),
      atMost('the same: growth of memory from the middle to the end', Math.max(fresh.growth, again.growth), 'MB', 20),
    ];
  } finally {
    await stop();
  }
}
