import { BSON, type Db, type Document } from 'mongodb';
import type { CollectionName } from '../../src/collections.js';

/** The bytes of the documents in collections, sorted by id. Comparing bytes is far faster than comparing decoded documents. */
export type Contents = ReadonlyMap<CollectionName, readonly Buffer[]>;

/** More documents than a test stores. */
const ALL = 1_000_000;

/** Reads the contents of all given collections with one command. */
export async function contentsOf(db: Db, names: readonly CollectionName[]): Promise<Contents> {
  const unions = names.map((coll) => {
    const pipeline = [{ $sort: { _id: 1 } }, { $group: { _id: coll, documents: { $push: '$$ROOT' } } }];
    return { $unionWith: { coll, pipeline } };
  });
  const found = db.collection(names[0] ?? '').aggregate<Uint8Array>([{ $match: { $alwaysFalse: 1 } }, ...unions], { raw: true, batchSize: ALL });
  const held = new Map(
    (await found.toArray()).map((bytes) => {
      const { _id, documents } = BSON.deserialize(bytes, { fieldsAsRaw: { documents: true } }) as { _id: CollectionName; documents: Buffer[] };
      return [_id, documents];
    }),
  );
  return new Map(names.map((name) => [name, held.get(name) ?? []]));
}

/** Restores earlier contents of collections, and skips unchanged ones. This is far faster than to write the records again. */
export async function restore(db: Db, wanted: Contents): Promise<void> {
  const held = await contentsOf(db, [...wanted.keys()]);
  const changed = [...wanted].filter(([name, documents]) => !isSame(held.get(name) ?? [], documents));
  await Promise.all(
    changed.map(async ([name, documents]) => {
      await db.collection(name).deleteMany({});
      // Without promotion, numbers keep their stored type.
      if (documents.length > 0)
        await db.collection(name).insertMany(documents.map((bytes) => BSON.deserialize(bytes, { promoteValues: false, promoteBuffers: false })));
    }),
  );
}

export function expectSame(actual: Contents, wanted: Contents): void {
  for (const [name, documents] of wanted) {
    const found = actual.get(name) ?? [];
    if (!isSame(found, documents)) expect([name, found.map(decoded)]).toEqual([name, documents.map(decoded)]);
  }
}

function decoded(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes);
}

function isSame(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  return Buffer.concat(left).equals(Buffer.concat(right));
}
