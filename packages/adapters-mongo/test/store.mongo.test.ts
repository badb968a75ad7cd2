import { storeContract, type OpenStore } from '@vitrine/core/testing';
import { describeMongo } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { initStore, openMongoStore } from '../src/index.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const context = { signal: new AbortController().signal };

describeMongo('MongoDB', (databases) => {
  const free: Db[] = [];

  /** Making a database takes far longer than emptying one, so they are used again. */
  const open: OpenStore = async (clock) => {
    let db = free.pop();
    if (db === undefined) await initStore((db = await databases.database()), { clock });
    const [own, store] = [db, openMongoStore(db, { clock })];
    return {
      ...store,
      close: async () => {
        await store.close();
        const collections = await own.listCollections({}, { nameOnly: true }).toArray();
        await Promise.all(collections.map(({ name }) => own.collection(name).deleteMany({})));
        free.push(own);
      },
    };
  };

  it.each(storeContract({ open, context, seed: 20_261_121, runs: torture ? 100 : 1 }))(
    '$name',
    async ({ run }) => {
      await run();
    },
    torture ? 1_800_000 : 60_000,
  );
});
