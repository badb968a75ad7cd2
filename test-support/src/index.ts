export { describeMongo } from './jest/describe-mongo.ts';
export type { TestDatabases } from './jest/test-databases.ts';
