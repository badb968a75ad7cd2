import type { Db } from 'mongodb';

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
