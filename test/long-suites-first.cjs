'use strict';
const { default: Sequencer } = require('@jest/test-sequencer');

/** Each start of a process copies the page tables of the one that starts it. A worker grows with each suite, so the suites that start many processes are the first. */
const START_PROCESSES = [
  /\/collector\/src\/(sources\/(git|findings)|fetching)\/(git-source|git-files|findings-source|closed-branches|create-findings|branch-walk|truncated)/u,
  /\/(sources\.contract|sources-of-records|moved-folder|loaded-modules|full-disk|called-by-npm|watching|time-zone|watchdog)\./u,
  /\/(several-processes|stopped-process|damaged-file|first-start|starting-process)\.contract\./u,
  /\/test\/architecture\//u,
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
  'apps/http/test/hostile-sockets.api.test.ts',
  'apps/collector/src/program.test.ts',
  'apps/http/test/start.mongo.test.ts',
  'packages/adapters-mongo/test/activity.mongo.test.ts',
  'apps/http/test/collecting-in-turn.mongo.test.ts',
  'apps/http/test/approved-patterns.api.test.ts',
  'apps/http/test/lost-database.mongo.test.ts',
  'apps/collector/src/collect-command.test.ts',
  'apps/http/test/two-processes.api.test.ts',
  'apps/http/test/failing-store.api.test.ts',
  'packages/adapters-mongo/test/lease.mongo.test.ts',
  'apps/http/test/stopping.api.test.ts',
  'apps/http/test/findings.api.test.ts',
  'packages/adapters-mongo/test/check-crash.mongo.test.ts',
  'apps/http/test/search-alignment.api.test.ts',
  'apps/http/test/pipelining.api.test.ts',
  'packages/adapters-mongo/test/search-approved.mongo.test.ts',
  'apps/http/test/wire.api.test.ts',
];

/**
 * Starts the longest suites first, so that no run ends with a single long one. Jest by itself orders suites by how long they took in earlier runs. A clone has no
 * earlier runs, and then Jest orders them by the size of their files.
 */
module.exports = class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const placeOf = ({ path }) => {
      if (START_PROCESSES.some((pattern) => pattern.test(path.replaceAll('\\', '/')))) return -1;
      const place = LONGEST.findIndex((name) => path.replaceAll('\\', '/').endsWith(`/${name}`));
      return place === -1 ? LONGEST.length : place;
    };
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
