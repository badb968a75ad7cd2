import type { RecordStore } from '@vitrine/core';
import { searchContract } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import { ensureIndexes, openMongoStore } from '../src/index.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };

describeMongo('search on MongoDB', (databases) => {
  const open = async (clock: { now(): number }): Promise<RecordStore> => {
    const db = await databases.database();
    await db.dropDatabase();
    await ensureIndexes(db);
    return openMongoStore(db, { clock });
  };

  it.each(searchContract({ open, context, seed: 20_261_121, runs: torture ? 200 : 4 }))(
    '$name',
    async ({ run }) => {
      await run();
    },
    torture ? 600_000 : 60_000,
  );
});
