import { StoreFiles } from '../src/folder/store-files.js';
import { SqliteStore, type SqliteStoreOptions } from '../src/open-sqlite-store.js';
import { startLocal } from './start-local.js';

/** Opens a store whose calls run in the calling thread: what most tests find does not depend on threads, and starting them takes long. */
export async function openLocalStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  return new SqliteStore(await StoreFiles.open(options.path, options.mustExist), options, startLocal);
}
