import type { Db } from 'mongodb';
import { emptied } from './emptied.ts';
import type { Prepare, TestDatabases } from './test-databases.ts';

interface Closable {
  readonly close: () => Promise<void>;
}

/** Opens stores on prepared databases, which are emptied and used again after their store is closed. */
export function reusedDatabases(databases: TestDatabases, prepare: Prepare) {
  const free: Db[] = [];
  return async <Store extends Closable>(open: (db: Db) => Store): Promise<Store> => {
    const db = free.pop() ?? (await databases.prepared(prepare));
    const store = open(db);
    const close = async (): Promise<void> => {
      await store.close();
      free.push(await emptied(db));
    };
    return { ...store, close };
  };
}
