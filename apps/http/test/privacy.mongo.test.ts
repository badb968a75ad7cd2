import { describeMongo } from '@vitrine/test-support';
import { mongoStores } from './support/mongo-stores.js';
import { privacySuites } from './support/privacy-suites.js';

describeMongo('over MongoDB', (databases) => {
  privacySuites(mongoStores(databases));
});
