import boundaries from 'eslint-plugin-boundaries';
import { importX } from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const testSupport = ['test-support/src/**/*.ts'];
const sources = ['{packages,apps}/*/src/**/*.ts', ...testSupport];
const bench = ['bench/src/**/*.ts'];
const tests = ['**/*.test.ts', '{packages,apps}/*/test/**/*.ts', 'test-support/test/**/*.ts', 'test/**/*.ts', 'bench/test/**/*.ts'];
const mains = ['apps/*/src/main.ts'];

const resolver = {
  noWarnOnMultipleProjects: true,
  conditionNames: ['@vitrine/source', 'types', 'import', 'default'],
  project: ['packages/*/tsconfig.json', 'apps/*/tsconfig.json', 'test-support/tsconfig.json'],
};

const coreLayers = ['domain', 'policies', 'ports', 'use-cases', 'testing'];
const appFolders = ['config', 'composition', 'controllers', 'requests', 'presenters', 'http', 'schemas', 'openapi', 'routes'];

const layer = (...types) => ({ element: { types: { anyOf: types } } });
const door = (...categories) => ({ file: { categories: { anyOf: categories } } });
const mayImport = (from, ...targets) => targets.map((to) => ({ from, allow: { to } }));

/** Who may import whom; everything else is refused. */
const layers = [
  ...mayImport(layer('domain'), layer('domain')),
  ...mayImport(layer('policies'), layer('domain', 'policies')),
  ...mayImport(layer('ports'), layer('domain', 'policies', 'ports')),
  ...mayImport(layer('use-cases'), layer('domain', 'policies', 'ports', 'use-cases')),
  ...mayImport(layer('testing'), layer('domain', 'policies', 'ports', 'testing')),
  ...mayImport(door('core-door'), layer('domain', 'policies', 'ports', 'use-cases')),

  ...mayImport(layer('adapter'), door('core-door'), layer('adapter')),
  ...mayImport(layer('collector'), door('core-door'), layer('collector')),

  ...mayImport(layer('config'), layer('config')),
  ...mayImport(layer('http'), door('core-door'), layer('http')),
  ...mayImport(layer('requests'), door('core-door'), layer('requests', 'http')),
  ...mayImport(layer('presenters'), door('core-door'), layer('presenters', 'http')),
  ...mayImport(layer('schemas'), door('core-door'), layer('schemas', 'http')),
  ...mayImport(layer('routes'), door('core-door'), layer('routes', 'requests', 'schemas', 'http')),
  ...mayImport(layer('openapi'), door('core-door'), layer('openapi', 'routes', 'requests', 'schemas', 'http')),
  ...mayImport(layer('controllers'), door('core-door'), layer('controllers', 'routes', 'requests', 'presenters', 'http')),
  ...mayImport(layer('composition'), door('core-door', 'adapter-door', 'collector-door'), layer(...appFolders)),
  ...mayImport(layer('command'), door('core-door', 'adapter-door', 'collector-door'), layer('command')),
  ...mayImport(layer('test-support'), layer('test-support')),
  ...mayImport(door('app-door'), door('collector-door'), layer('composition', 'config', 'http', 'openapi', 'presenters', 'command')),
];

const never = (selector, message) => ({ selector, message });

const style = [
  never('ExportDefaultDeclaration', 'export by name'),
  never('ExportAllDeclaration', 'name what you export'),
  never('TSEnumDeclaration', 'use a union of strings'),
];

const patterns = [
  never(
    ":matches(NewExpression, CallExpression)[callee.name='RegExp'][arguments.0.type!='Literal']",
    'write a literal: only that is checked for the time it takes',
  ),
];

const forgedApprovals = [
  never("TSAsExpression TSTypeReference[typeName.name='ApprovedRepositories']", 'only the Allowlist mints ApprovedRepositories'),
  never("TSTypeAssertion TSTypeReference[typeName.name='ApprovedRepositories']", 'only the Allowlist mints ApprovedRepositories'),
  never('CallExpression > TSAsExpression > TSNeverKeyword', 'an argument asserted to never passes for everything, approvals included'),
];

const collections = [
  never("CallExpression[callee.property.name='collection']", 'collections are named in packages/adapters-mongo/src/collections.ts alone'),
];

const clock = [
  never("NewExpression[callee.name='Date'][arguments.length=0]", 'ask the Clock port'),
  never("CallExpression[callee.name='Date']", 'ask the Clock port'),
  never("VariableDeclarator > Identifier.init[name='Date']", 'ask the Clock port'),
];

const processAccess = [never("MemberExpression[object.name='globalThis'][property.name='process']", 'only main.ts of an app touches process')];

/** A leading underscore says that a name is there only for its place. */
const unusedNames = ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true }];

const restrictedSyntax = (...groups) => ({ 'no-restricted-syntax': ['error', ...groups.flat()] });

const processImports = ['process', 'node:process'].map((name) => ({ name, message: 'only main.ts of an app touches process' }));
const containerImports = ['inversify', 'reflect-metadata'].map((name) => ({ name, message: 'the container lives in composition/' }));

export default tseslint.config(
  { ignores: ['**/dist/**', '**/*.d.ts', 'coverage/**', '.cache/**', '.vitrine/**', '*.ts'] },

  // Sources: everything strict. What has to know types or all the files at once is asked by oxlint, on the compiler it shares with the build.
  {
    files: sources,
    ignores: tests,
    extends: [...tseslint.configs.strict],
    plugins: { boundaries, 'import-x': importX, regexp },
    settings: {
      'import-x/extensions': ['.ts'],
      'import-x/resolver-next': [createTypeScriptImportResolver(resolver)],
      'import/resolver': { typescript: resolver },
      'boundaries/elements': [
        ...coreLayers.map((type) => ({ type, pattern: `packages/core/src/${type}` })),
        { type: 'adapter', pattern: 'packages/adapters-*/src' },
        { type: 'collector', pattern: 'packages/collector/src' },
        ...appFolders.map((type) => ({ type, pattern: `apps/http/src/${type}` })),
        { type: 'command', pattern: 'apps/collector/src' },
        { type: 'test-support', pattern: 'test-support/src' },
      ],
      'boundaries/files': [
        { category: 'core-door', pattern: 'packages/core/src/index.ts' },
        { category: 'adapter-door', pattern: 'packages/adapters-*/src/index.ts' },
        { category: 'collector-door', pattern: 'packages/collector/src/index.ts' },
        { category: 'app-door', pattern: 'apps/*/src/{index,main}.ts' },
      ],
    },
    rules: {
      'boundaries/no-unknown-files': 'error',
      'boundaries/no-unknown-dependencies': 'error',
      'boundaries/dependencies': ['error', { default: 'disallow', policies: layers }],
      'import-x/no-relative-packages': 'error',
      'import-x/no-extraneous-dependencies': ['error', { includeTypes: true, devDependencies: false }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 8, variant: 'modified' }],
      '@typescript-eslint/no-unused-vars': unusedNames,
      // Patterns meet texts from outside, so their time must grow with the text and no faster. One with the flag y is tried at one place only.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
      'no-restricted-globals': ['error', { name: 'process', message: 'only main.ts of an app touches process' }],
      'no-restricted-imports': ['error', { paths: [...processImports, ...containerImports] }],
      ...restrictedSyntax(style, patterns, forgedApprovals, collections, processAccess),
    },
  },
  {
    files: ['packages/core/src/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'ask the Clock port' },
        { object: 'Date', property: 'parse', message: 'use parseInstant: Date.parse reads what the platform likes' },
        { object: 'Math', property: 'random', message: 'chance comes in as an argument' },
      ],
      ...restrictedSyntax(style, patterns, forgedApprovals, collections, processAccess, clock),
    },
  },
  { files: ['packages/core/src/policies/allowlist.ts'], rules: restrictedSyntax(style, patterns, collections, processAccess, clock) },
  { files: ['packages/adapters-mongo/src/collections.ts'], rules: restrictedSyntax(style, patterns, forgedApprovals, processAccess) },
  { files: ['apps/http/src/composition/**/*.ts'], rules: { 'no-restricted-imports': ['error', { paths: processImports }] } },
  {
    files: mains,
    rules: { 'no-restricted-globals': 'off', 'no-restricted-imports': 'off', ...restrictedSyntax(style, patterns, forgedApprovals, collections) },
  },
  // It runs beside the tests, in Jest's own process.
  { files: testSupport, ignores: tests, rules: { 'no-restricted-globals': 'off' } },

  // Benchmarks: as strict, but each is a program of its own, fills databases past the writers, and times what no package exports.
  {
    files: bench,
    ignores: tests,
    extends: [...tseslint.configs.strict],
    plugins: { regexp, 'import-x': importX },
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 8, variant: 'modified' }],
      '@typescript-eslint/no-unused-vars': unusedNames,
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
      'import-x/no-extraneous-dependencies': ['error', { includeTypes: true, devDependencies: false }],
      ...restrictedSyntax(style, patterns, forgedApprovals),
    },
  },

  // Tests: without types, which keeps it fast; tsc checks those.
  {
    files: tests,
    extends: [...tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-unused-vars': unusedNames,
      'no-restricted-properties': [
        'error',
        ...['describe', 'it', 'test'].flatMap((object) =>
          ['skip', 'only', 'todo'].map((property) => ({ object, property, message: 'a test runs, or is not there' })),
        ),
      ],
      ...restrictedSyntax(style, forgedApprovals),
    },
  },

  // Scripts.
  {
    files: ['*.js', '**/*.{mjs,cjs}'],
    rules: {
      'no-unused-vars': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: 'error',
      complexity: ['error', { max: 8, variant: 'modified' }],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
    },
  },
  // Invented records are data, however many lines they take.
  { files: ['examples/**/*.mjs'], rules: { 'max-lines': 'off' } },
  // The very first file to run: it must parse in a Node that is far too old, to be able to say so.
  { files: ['scripts/run.cjs'], languageOptions: { ecmaVersion: 5, sourceType: 'script' }, rules: { 'no-var': 'off', 'prefer-const': 'off' } },
);
