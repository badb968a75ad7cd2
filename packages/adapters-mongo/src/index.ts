export { connectMongo, type MongoConnection, type MongoConnectionOptions } from './connection/connect-mongo.js';
export { acquireLease, leaseHolder, WRITER, type Lease, type LeaseOptions } from './connection/lease.js';
export { MongoStoreError, toMongoStoreError, type MongoStoreProblem } from './connection/mongo-store-error.js';
export { ensureIndexes, missingIndexes } from './collections.js';
export { createMongoReaders, type MongoStoreOptions } from './create-mongo-readers.js';
export { createMongoWriters, type MongoWriters } from './create-mongo-writers.js';
export { openMongoStore } from './open-mongo-store.js';
export { initStore, prepareToWrite, reindexStore, type StoreAdminOptions, type ReindexOptions } from './store-admin.js';
export type { QuarantineMonitor } from './reading/quarantine.js';
