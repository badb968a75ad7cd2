import type { Db } from 'mongodb';
import type { TestDatabases } from './test-databases.ts';

interface Closable {
  readonly close: () => Promise<void>;
}

/**
 * Opens stores on databases that are emptied and used again after their store is closed, because to create a database takes far longer than to empty it.
 * @param prepare prepares a new database
 */
export function reusedDatabases(databases: TestDatabases, prepare: (db: Db) => Promise<unknown>) {
  const free: Db[] = [];
  const made = async (): Promise<Db> => {
    const db = await databases.database();
    await prepare(db);
    return db;
  };
  return async <Store extends Closable>(open: (db: Db) => Store): Promise<Store> => {
    const db = free.pop() ?? (await made());
    const store = open(db);
    const close = async (): Promise<void> => {
      await store.close();
      free.push(await emptied(db));
    };
    return { ...store, close };
  };
}

/** Empties the given collections, or all collections if none is given. */
export async function emptied(db: Db, names?: readonly string[]): Promise<Db> {
  const collections = (await db.collections()).filter(({ collectionName }) => names?.includes(collectionName) ?? true);
  const unions = collections.map(({ collectionName: coll }) => ({
    $unionWith: { coll, pipeline: [{ $limit: 1 }, { $project: { _id: { $literal: coll } } }] },
  }));
  const found = await collections[0]?.aggregate([{ $match: { $alwaysFalse: 1 } }, ...unions]).toArray();
  const held = new Set(found?.map(({ _id: name }): unknown => name));
  await Promise.all(collections.filter(({ collectionName }) => held.has(collectionName)).map((collection) => collection.deleteMany({})));
  return db;
}
