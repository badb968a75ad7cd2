import type { Db } from 'mongodb';

/**
 * Creates collections with the indexes that they have in another database. For documents with lists in indexed fields: from then on, such an index is used in fewer
 * ways, so they may not be stored in a database that suites pass on.
 */
export async function copyIndexes(from: Db, to: Db, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const indexes = await from.collection(name).indexes();
    await to.collection(name).createIndexes(indexes.filter((index) => index.name !== '_id_'));
  }
}
