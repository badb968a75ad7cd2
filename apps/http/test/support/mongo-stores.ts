import { initStore, openMongoStore } from '@vitrine/adapters-mongo';
import type { OpenStore } from '@vitrine/core/testing';
import { reusedDatabases, type TestDatabases } from '@vitrine/test-support';
import { indexed } from './indexed.js';

export function mongoStores(databases: TestDatabases): OpenStore {
  const reused = reusedDatabases(databases, initStore);
  return (clock) => reused((db) => indexed(openMongoStore(db, { clock })));
}
