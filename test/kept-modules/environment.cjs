'use strict';
const { TestEnvironment } = require('jest-environment-node');

let kept = null;

/** What Jest, a suite or its modules may have changed, as it was before the first suite. */
function remember({ process }) {
  const [exit, env] = [process.exit, { ...process.env }];
  return () => {
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  };
}

/**
 * Gives all suites of a worker one environment. Jest makes a new one for each suite, in which every module, and Jest's own, must be loaded again: that was a third
 * of the processor time of all tests. The suites replace no modules, and each restores the globals that it changes.
 */
module.exports = function KeptEnvironment(config, context) {
  if (kept !== null) {
    kept.reset();
    return kept;
  }
  kept = new TestEnvironment(config, context);
  kept.reset = remember(kept.global);
  kept.teardown = async () => {
    kept.fakeTimersModern.useRealTimers();
    kept.moduleMocker.restoreAllMocks();
  };
  return kept;
};
