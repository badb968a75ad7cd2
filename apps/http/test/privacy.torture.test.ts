import { describeMongo } from '@vitrine/test-support';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { mongoStores } from './support/mongo-stores.js';
import { privacySuites } from './support/privacy-suites.js';

// random-requests.api.test.ts runs the same suites over the store in memory, in every run.
describe('over SQLite', () => {
  privacySuites((clock) => openSqliteStore({ clock, path: null }));
});

describeMongo('over MongoDB', (databases) => {
  privacySuites(mongoStores(databases));
});
