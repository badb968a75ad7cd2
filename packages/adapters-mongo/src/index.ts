export { connectMongo, type MongoConnection, type MongoConnectionOptions } from './connection/connect-mongo.js';
export { acquireLease, type DatabaseLease } from './connection/lease.js';
export { MongoStoreError, toMongoStoreError, type MongoStoreProblem } from './connection/mongo-store-error.js';
export { ensureIndexes, missingIndexes } from './collections.js';
export { createMongoReaders, createMongoRecordScan, type MongoStoreOptions } from './open-mongo-store.js';
export { createMongoChangeFeed, createMongoWriters, openMongoStore, type MongoWriterOptions, type MongoWriters } from './open-mongo-store.js';
export { initStore, prepareToWrite, reindexStore, type StoreAdminOptions, type ReindexOptions } from './store-admin.js';
