import { initStore, openMongoStore } from '@vitrine/adapters-mongo';
import type { OpenStore } from '@vitrine/core/testing';
import type { TestDatabases } from '@vitrine/test-support';

type Database = Awaited<ReturnType<TestDatabases['database']>>;

/** Opens stores in databases that are used again, empty, when a store is closed: making one takes far longer than emptying it. */
export function mongoStores(databases: TestDatabases): OpenStore {
  const free: Database[] = [];
  return async (clock) => {
    const db = free.pop() ?? (await prepared(await databases.database()));
    const store = openMongoStore(db, { clock });
    return {
      ...store,
      async close() {
        await store.close();
        const collections = await db.listCollections({}, { nameOnly: true }).toArray();
        await Promise.all(collections.map(({ name }) => db.collection(name).deleteMany({})));
        free.push(db);
      },
    };
  };

  async function prepared(db: Database): Promise<Database> {
    await initStore(db, { clock: { now: () => 0 } });
    return db;
  }
}
