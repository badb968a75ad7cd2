'use strict';
const { default: Sequencer } = require('@jest/test-sequencer');

/** The suites that take longest, the longest first. Most of them wait more than they compute, so other suites run beside them. */
const LONGEST = [
  'apps/http/test/pages.browser.test.ts',
  'packages/adapters-sqlite/test/sqlite-store.contract.test.ts',
  'packages/adapters-mongo/test/activity.mongo.test.ts',
  'test/architecture/packages/packages.architecture.test.ts',
  'apps/http/test/start.api.test.ts',
  'apps/collector/test/store.mongo.test.ts',
  'packages/adapters-mongo/test/store.mongo.test.ts',
  'apps/http/test/hostile-sockets.api.test.ts',
  'apps/http/test/start.mongo.test.ts',
  'apps/http/test/lost-database.mongo.test.ts',
  'apps/http/test/replica-set.mongo.test.ts',
  'packages/adapters-mongo/test/search-approved.mongo.test.ts',
  'test/architecture/deploy.architecture.test.ts',
  'apps/collector/src/program.test.ts',
  'packages/adapters-mongo/test/check-crash.mongo.test.ts',
  'apps/http/test/same-answers.mongo.test.ts',
  'apps/http/test/commands.mongo.test.ts',
  'packages/collector/src/git/git-source.damaged-clones.test.ts',
  'packages/adapters-mongo/test/stopped-collector.mongo.test.ts',
  'apps/http/test/failing-store.api.test.ts',
  'apps/http/test/connections.api.test.ts',
  'apps/http/test/privacy.mongo.test.ts',
  'apps/http/test/two-processes.api.test.ts',
  'apps/http/test/search-timing.mongo.test.ts',
  'apps/http/test/collecting-in-turn.mongo.test.ts',
  'packages/adapters-mongo/test/lease.mongo.test.ts',
  'apps/http/test/stopping.api.test.ts',
];

/**
 * Starts the longest suites first, so that no run ends with a single long one. Jest by itself orders suites by how long they took in earlier runs. A clone has no
 * earlier runs, and then Jest orders them by the size of their files.
 */
module.exports = class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => {
      const place = LONGEST.findIndex((name) => path.replaceAll('\\', '/').endsWith(`/${name}`));
      return place === -1 ? LONGEST.length : place;
    };
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
