import { BSON, type Db, type Document } from 'mongodb';
import type { CollectionName } from '../../src/collections.js';

/** The bytes of the documents in collections, in order of their ids. Bytes are compared far quicker than what they mean. */
export type Contents = ReadonlyMap<CollectionName, readonly Buffer[]>;

interface ContentsOptions {
  /** Stages that leave out what does not matter. */
  readonly without?: readonly Document[];
}

/** More documents than a test stores. */
const ALL = 1_000_000;

/** What collections hold: by one command for all of them. */
export async function contentsOf(db: Db, names: readonly CollectionName[], { without = [] }: ContentsOptions = {}): Promise<Contents> {
  const unions = names.map((coll) => {
    const pipeline = [{ $sort: { _id: 1 } }, ...without, { $group: { _id: coll, documents: { $push: '$$ROOT' } } }];
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

/** Makes collections hold again what they held, touching those that do not: far quicker than to write it the way it was first written. */
export async function restore(db: Db, wanted: Contents): Promise<void> {
  const held = await contentsOf(db, [...wanted.keys()]);
  const changed = [...wanted].filter(([name, documents]) => !isSame(held.get(name) ?? [], documents));
  await Promise.all(
    changed.map(async ([name, documents]) => {
      await db.collection(name).deleteMany({});
      // Without promoting values: a number stays of the type that it is stored as.
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

export function decoded(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes);
}

function isSame(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  return Buffer.concat(left).equals(Buffer.concat(right));
}
