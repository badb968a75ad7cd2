export { lockFile } from './folder/lock-file.js';
export { checkStoreFolder, requireStore } from './folder/store-files.js';
export { StoreFolderError, type StoreFolderProblem } from './folder/store-folder-error.js';
export type { FolderLease } from './lease/lease.js';
export type { Damage, StoreCheck } from './readers/check-store.js';
export { openSearchIndex, type SearchIndex, type SearchIndexOptions } from './search-index/open-search-index.js';
export { openSqliteStore, type OpenSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.js';
