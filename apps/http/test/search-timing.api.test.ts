import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { searchTimingSuites } from './support/search-timing-suites.js';

describe('over SQLite', () => {
  searchTimingSuites((clock) => openSqliteStore({ clock, path: null }), { isEmbedded: true });
});
