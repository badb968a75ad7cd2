const torture = process.env.VITRINE_TORTURE === '1';

/** @param {'typescript' | 'ecmascript'} syntax  @param {boolean} tsx */
const swc = (syntax, tsx = false) => ({
  jsc: {
    target: 'es2023',
    parser: syntax === 'typescript' ? { syntax, decorators: true, tsx } : { syntax },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: true,
      react: { runtime: 'automatic', importSource: 'preact' },
    },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: true,
});

const base = {
  // All suites of a worker share an environment and the modules in it.
  testEnvironment: '<rootDir>/test/kept-modules/environment.cjs',
  runtime: '<rootDir>/test/kept-modules/runtime.cjs',
  // Sources, not builds: a test never sees yesterday's code.
  testEnvironmentOptions: { customExportConditions: ['@vitrine/source', 'umd', 'node', 'require', 'default'] },
  moduleNameMapper: {
    // Benchmarks and scripts name some modules by their builds.
    '^((?:\\.\\./)+(?:packages|apps)/[a-z-]+)/dist/(.*)\\.js$': '$1/src/$2',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/((packages|apps)/[^/]+|test-support|bench)/dist/'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', swc('typescript')],
    '^.+\\.tsx$': ['@swc/jest', swc('typescript', true)],
    '^.+\\.m?js$': ['@swc/jest', swc('ecmascript')],
  },
  // Jest looks up a global name slowly, unless it is one of these.
  sandboxInjectedGlobals: [
    'Object',
    'Array',
    'Math',
    'JSON',
    'Number',
    'String',
    'Error',
    'TypeError',
    'Promise',
    'Map',
    'Set',
    'Symbol',
    'Reflect',
    'Uint8Array',
  ],
  setupFiles: ['<rootDir>/test/property-seed.ts'],
  // Packages that are ES modules only have to be transformed too; so has the one file of the MongoDB driver that calls import().
  transformIgnorePatterns: [
    '/node_modules/\\.pnpm/(?!(inversify|@inversifyjs|@seriousme|badge-maker)[@+]|mongodb@.*/mongodb/lib/runtime_adapters\\.js)',
  ],
};

/** @param {string} displayName  @param {readonly string[]} testMatch */
const project = (displayName, ...testMatch) => ({
  ...base,
  displayName,
  testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
});

/** Its server is started only when one of its files, or one of those that only a torture run has, is to run. */
const mongo = {
  ...project('mongo', '{packages,apps}/*/test/**/*.mongo.test.ts', 'test-support/test/**/*.mongo.test.ts', 'bench/test/**/*.mongo.test.ts'),
  globalSetup: '<rootDir>/test-support/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/test-support/src/jest/global-teardown.ts',
};

/** @type {import('jest').Config} */
export default {
  projects: [
    project('unit', '{packages,apps}/*/src/**/!(*.torture).test.ts', 'test-support/src/**/*.test.ts', 'bench/src/**/*.test.ts'),
    project('contract', 'packages/*/test/**/*.contract.test.ts'),
    mongo,
    project('api', 'apps/*/test/**/*.api.test.ts'),
    project('browser', 'apps/*/test/**/*.browser.test.ts'),
    project('architecture', 'test/architecture/**/*.architecture.test.ts'),
    ...(torture ? [{ ...mongo, ...project('torture', '{packages,apps}/**/*.torture.test.ts') }] : []),
  ],
  // It ends tests that hang. No pause of a busy machine may end a test that works.
  testTimeout: torture ? 30 * 60_000 : 120_000,
  // A worker keeps the modules, and some memory of each suite. It is replaced before garbage collection and new processes take long.
  workerIdleMemoryLimit: '800MB',
  // A worker of this size takes a second or more to end on a busy machine. One that still runs after ten was left something open.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/test/long-suites-first.cjs',
  collectCoverageFrom: ['{packages,apps}/*/src/**/*.{ts,tsx}', '!**/*.d.ts'],
  coverageDirectory: '.cache/coverage',
};
