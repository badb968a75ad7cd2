import { describeMongo } from '@vitrine/test-support';
import { mongoStores } from './support/mongo-stores.js';
import { searchTimingSuites } from './support/search-timing-suites.js';

describeMongo('over MongoDB', (databases) => {
  searchTimingSuites(mongoStores(databases));
});
