import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The libraries that write the formats. Each is loaded when it is first needed, because that takes up to 80 ms and 13 MB, and many servers are never asked for feeds or badges. */
export const libraries = {
  get badges() {
    return require('badge-maker') as typeof import('badge-maker');
  },
  get feeds() {
    return require('feedsmith') as typeof import('feedsmith');
  },
};
