'use strict';
const { dirname, relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const root = dirname(__dirname);

/**
 * How the paths of suites begin that start many processes, in the order in which they run. Each start copies the page tables of the process that starts it, and a worker grows with each suite and
 * with each module, so these are the first, and those that start most and load least are the first of them.
 */
const START_PROCESSES = [
  'packages/collector/src/sources/git/branch-walk',
  'packages/collector/src/sources/git/git-files',
  'packages/collector/src/sources/git/git-source',
  'packages/collector/src/sources/findings/closed-branches',
  'packages/collector/src/sources/findings/create-findings',
  'packages/collector/src/sources/findings/findings-source',
  'packages/collector/src/fetching/truncated',
  'packages/collector/test/sources.contract',
  'apps/http/test/sources-of-records',
  'apps/http/test/findings.api',
  'packages/adapters-sqlite/test/moved-folder',
  'apps/collector/test/full-disk',
  'packages/adapters-sqlite/test/full-disk',
  'apps/collector/test/called-by-npm',
  'packages/core/src/rules/time-zone',
  'test-support/src/servers/watchdog',
  'packages/adapters-sqlite/test/several-processes',
  'packages/adapters-sqlite/test/stopped-process',
  'packages/adapters-sqlite/test/damaged-file',
  'packages/adapters-sqlite/test/first-start',
  'test/architecture/',
];

/** The suites that take longest. One that mostly waits and one that mostly computes take turns, so that the workers use the processor evenly. */
const LONGEST = [
  'apps/http/test/pages.browser.test.ts',
  'apps/http/test/collector-process.api.test.ts',
  'apps/http/test/forge-sources.api.test.ts',
  'apps/http/test/connections.api.test.ts',
  'packages/adapters-mongo/test/writer-crash.mongo.test.ts',
  'packages/collector/src/probes/heartbeat/heartbeat-listener.test.ts',
  'apps/collector/test/store.mongo.test.ts',
  'packages/adapters-mongo/test/store.mongo.test.ts',
  'apps/http/test/start.api.test.ts',
  'packages/adapters-sqlite/test/sqlite-store.contract.test.ts',
  'apps/collector/src/program.test.ts',
  'packages/adapters-mongo/test/activity.mongo.test.ts',
  'apps/http/test/collecting-in-turn.mongo.test.ts',
  'apps/http/test/approved-patterns.api.test.ts',
  'apps/http/test/lost-database.mongo.test.ts',
  'apps/collector/src/collect-command.test.ts',
  'apps/http/test/failing-store.api.test.ts',
  'packages/adapters-mongo/test/lease.mongo.test.ts',
  'packages/adapters-mongo/test/check-crash.mongo.test.ts',
  'apps/http/test/search-alignment.api.test.ts',
  'apps/http/test/pipelining.api.test.ts',
  'apps/http/test/wire.api.test.ts',
];

/**
 * Starts the longest suites first, so that no run ends with a single long one. Jest by itself orders suites by how long they took in earlier runs. A clone has no
 * earlier runs, and then Jest orders them by the size of their files.
 */
module.exports = class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => {
      const name = relative(root, path).replaceAll('\\', '/');
      const early = START_PROCESSES.findIndex((start) => name.startsWith(start));
      if (early !== -1) return early - START_PROCESSES.length;
      const place = LONGEST.indexOf(name);
      return place === -1 ? LONGEST.length : place;
    };
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
