export { describeMongo, describeMongod } from './jest/describe-mongo.ts';
export { emptied, reusedDatabases } from './jest/reused-databases.ts';
export type { TestDatabases } from './jest/test-databases.ts';
export type { TestServers } from './jest/test-servers.ts';
export { findMongod } from './mongod/find-mongod.ts';
export type { GuardedServer } from './servers/guarded-server.ts';
export type { MongodProcess } from './servers/mongod-process.ts';
export { ReplicaSet } from './servers/replica-set.ts';
export { TcpProxy } from './proxy/tcp-proxy.ts';
