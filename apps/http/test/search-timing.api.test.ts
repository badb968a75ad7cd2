import { searchTimingSuites } from './support/search-timing-suites.js';

searchTimingSuites();
