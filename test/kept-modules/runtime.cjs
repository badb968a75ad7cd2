'use strict';
const asyncHooks = require('node:async_hooks');
const { default: Runtime } = require('jest-runtime');

let kept = null;

/** Jest's own module that registers the tests of one suite. It is loaded anew for each suite, and then starts without tests and without listeners. */
const REGISTRY_OF_TESTS = /[\\/]jestAdapterInit\.js$/u;
const LISTENERS = Symbol.for('EVENT_HANDLERS');

/**
 * Which test runs, for Jest. Jest would follow it through every promise, in one more way for each suite that a worker has run: a tenth of all processor time. The tests
 * of a suite run one after the other, so the last one that was begun is the one.
 */
class TestInTurn {
  #running;

  getStore() {
    return this.#running;
  }

  async run(test, call) {
    const around = this.#running;
    this.#running = test;
    try {
      return await call();
    } finally {
      this.#running = around;
    }
  }
}

/** Lets Jest's own module know the test in turn. */
function withoutFollowing(load) {
  // From Node 22 on, it is a getter, to which nothing can be assigned.
  const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { configurable: true, enumerable: true, value: TestInTurn });
  try {
    return load();
  } finally {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original);
  }
}

const { AsyncLocalStorage } = asyncHooks;
const storages = new Set();

/** Playwright follows its calls through every promise, and Node would go on to do so for all promises of the suites after it: a fiftieth of all processor time. */
class StorageOfSuite extends AsyncLocalStorage {
  constructor(...args) {
    super(...args);
    storages.add(this);
  }
}
Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { configurable: true, enumerable: true, value: StorageOfSuite });

function startSuite(testPath) {
  for (const storage of storages) storage.disable();
  const internal = kept.registries.getInternalCjsRegistry();
  for (const file of internal.keys()) if (REGISTRY_OF_TESTS.test(file)) internal.delete(file);
  delete kept._environment.global[LISTENERS];
  kept._testPath = testPath;
  kept.testState.state = 'loading';
}

/** The module that registers tests is compiled once: half of the time that Jest itself took went into compiling it, and into running it as code that was never run before. */
function compileOnce({ executor }) {
  const compile = executor.compile.bind(executor);
  let registryOfTests = null;
  executor.compile = (code, file) => (REGISTRY_OF_TESTS.test(file) ? (registryOfTests ??= compile(code, file)) : compile(code, file));
}

/** Gives all suites of a worker the modules that the first of them has loaded. A run that measures coverage or watches files loads them for each suite. */
function KeptRuntime(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig) {
  const isKept = kept !== null;
  const create = () => new Runtime(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig);
  if (coverageOptions.collectCoverage || globalConfig.watch || globalConfig.watchAll) return create();
  if (!isKept) {
    kept = create();
    compileOnce(kept);
  }
  kept.requireInternalModule = (from, name) => withoutFollowing(() => Runtime.prototype.requireInternalModule.call(kept, from, name));
  if (isKept) startSuite(testPath);
  kept.teardown = () => kept.registries.getActiveCjsRegistry().delete(testPath);
  return kept;
}

module.exports = KeptRuntime;
