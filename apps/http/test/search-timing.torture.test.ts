import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { describeMongo } from '@vitrine/test-support';
import { mongoStores } from './support/mongo-stores.js';
import { searchTimingSuites } from './support/search-timing-suites.js';

// Times say something on an idle machine only.
describe('over SQLite', () => {
  searchTimingSuites((clock) => openSqliteStore({ clock, path: null }), { isEmbedded: true });
});

describeMongo('over MongoDB', (databases) => {
  searchTimingSuites(mongoStores(databases));
});
