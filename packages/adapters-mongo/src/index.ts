export { connectMongo, type MongoConnection, type MongoConnectionOptions } from './connection/connect-mongo.js';
export { acquireLease, type Lease, type LeaseOptions } from './connection/lease.js';
export { ensureIndexes, missingIndexes } from './collections.js';
