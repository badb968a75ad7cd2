import { checkContract, type OpenStore } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { ensureIndexes } from '../src/index.js';
import { emptyChecks, openCheckStore } from './support/check-store.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };

describeMongo('checks on MongoDB', (databases) => {
  let db: Db;

  beforeAll(async () => {
    db = await databases.database();
    await ensureIndexes(db);
  });

  const open: OpenStore = async (clock) => openCheckStore(await emptyChecks(db), clock);

  it.each(checkContract({ open, context, seed: 20_261_121, runs: torture ? 200 : 3 }))(
    '$name',
    async ({ run }) => {
      await run();
    },
    torture ? 600_000 : 60_000,
  );
});
