'use strict';
const { default: Runtime } = require('jest-runtime');

let kept = null;

/** Jest's own module that registers the tests of one suite. It is loaded anew for each suite, and then starts without tests and without listeners. */
const REGISTRY_OF_TESTS = /[\\/]jestAdapterInit\.js$/u;
const LISTENERS = Symbol.for('EVENT_HANDLERS');

function startSuite(testPath) {
  const internal = kept.registries.getInternalCjsRegistry();
  for (const file of internal.keys()) if (REGISTRY_OF_TESTS.test(file)) internal.delete(file);
  delete kept._environment.global[LISTENERS];
  kept._testPath = testPath;
  kept.testState.state = 'loading';
}

/** Gives all suites of a worker the modules that the first of them has loaded. A run that measures coverage or watches files loads them for each suite. */
function KeptRuntime(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig) {
  const isKept = kept !== null;
  const create = () => new Runtime(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig);
  if (coverageOptions.collectCoverage || globalConfig.watch || globalConfig.watchAll) return create();
  kept ??= create();
  if (isKept) startSuite(testPath);
  kept.teardown = () => kept.registries.getActiveCjsRegistry().delete(testPath);
  return kept;
}

module.exports = KeptRuntime;
