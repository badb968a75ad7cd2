export { checkStoreFolder, requireStore } from './folder/check-folder.js';
export { StoreFolderError, type StoreFolderProblem } from './folder/store-folder-error.js';
export { COLLECTOR, type LeaseOptions } from './lease/acquire-lease.js';
export type { Lease } from './lease/held-lease.js';
export { LeaseInUseError } from './lease/lease-in-use-error.js';
export { LostLeaseError } from './lease/lost-lease-error.js';
export { openSqliteStore, type OpenSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.js';
export type { QuarantineMonitor } from './records/record-row.js';
export { DEFAULT_RETENTION_MS } from './sqlite-store.js';
