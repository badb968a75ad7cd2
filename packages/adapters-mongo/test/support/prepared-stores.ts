import type { OpenStore } from '@vitrine/core/testing';
import type { TestDatabases } from '@vitrine/test-support';
import type { Db } from 'mongodb';
import { COLLECTION_NAMES } from '../../src/collections.js';
import { initStore, openMongoStore } from '../../src/index.js';
import { emptied } from './contents.js';

/** Opens stores on databases that are used again once they are closed: making one takes far longer than emptying it. */
export function preparedStores(databases: TestDatabases): OpenStore {
  const free: Db[] = [];
  return async (clock) => {
    const db = free.pop() ?? (await prepared(databases));
    const store = openMongoStore(db, { clock });
    return {
      ...store,
      close: async () => {
        await store.close();
        free.push(await emptied(db, COLLECTION_NAMES));
      },
    };
  };
}

async function prepared(databases: TestDatabases): Promise<Db> {
  const db = await databases.database();
  await initStore(db, { clock: Date });
  return db;
}
