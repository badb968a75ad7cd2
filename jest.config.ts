/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import { wholeRun } from './test/suites.cjs';

const torture = process.env['VITRINE_TORTURE'] === '1';

/** A whole run loads the suites of a package together, which takes a fifth of its time less; by itself Jest runs each in a world of its own. */
const whole = process.env['VITRINE_WHOLE_RUN'] === '1';

const swc = (syntax: 'typescript' | 'ecmascript') => ({
  jsc: {
    target: 'es2023',
    parser: syntax === 'typescript' ? { syntax, decorators: true } : { syntax },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
});

const base = {
  testEnvironment: 'node',
  // Sources, not builds: a test never sees yesterday's code.
  testEnvironmentOptions: { customExportConditions: ['@vitrine/source', 'node', 'require', 'default'] },
  moduleNameMapper: {
    // The benchmarks time some modules that no package exports, and name them by their builds.
    '^(\\.\\./\\.\\./(?:packages|apps)/[a-z-]+)/dist/(.*)\\.js$': '$1/src/$2',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/((packages|apps)/[^/]+|test-support|bench)/dist/'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc('typescript')], '^.+\\.m?js$': ['@swc/jest', swc('ecmascript')] },
  setupFiles: ['<rootDir>/test/property-seed.ts'],
  // Packages that are ES modules only have to be transformed too; so has the one file of the MongoDB driver that calls import().
  transformIgnorePatterns: ['/node_modules/\\.pnpm/(?!(inversify|@inversifyjs)[@+]|mongodb@.*/mongodb/lib/runtime_adapters\\.js)'],
} as const;

const project = (displayName: string, ...testMatch: readonly string[]) => ({
  ...base,
  displayName,
  testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
});

const grouped = (kind: 'unit' | 'mongo' | 'api', ...testMatch: readonly string[]) =>
  project(kind, ...(whole ? wholeRun(kind).map(({ file }) => file) : testMatch));

/** Its server is started only when one of its files is to run. */
const mongo = {
  ...grouped('mongo', '{packages,apps}/*/test/**/*.mongo.test.ts', 'test-support/test/**/*.mongo.test.ts', 'bench/test/**/*.mongo.test.ts'),
  globalSetup: '<rootDir>/test-support/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/test-support/src/jest/global-teardown.ts',
};

export default {
  projects: [
    grouped('unit', '{packages,apps}/*/src/**/!(*.torture).test.ts', 'test-support/src/**/*.test.ts', 'bench/src/**/*.test.ts'),
    project('contract', 'packages/*/test/**/*.contract.test.ts'),
    mongo,
    grouped('api', 'apps/*/test/**/*.api.test.ts'),
    project('architecture', 'test/architecture/**/*.architecture.test.ts'),
    ...(torture ? [project('torture', '{packages,apps}/**/*.torture.test.ts')] : []),
  ],
  testSequencer: '<rootDir>/test/suite-order.cjs',
  testTimeout: torture ? 30 * 60_000 : 20_000,
  collectCoverageFrom: ['{packages,apps}/*/src/**/*.ts', '!**/*.d.ts'],
  coverageDirectory: '.cache/coverage',
} as unknown as Config;
