import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTorture } from '../../test-support/src/torture.ts';
import { PlantedTree, root, type Finding } from './planted-tree.js';

interface Violation {
  readonly name: string;
  readonly file: string;
  readonly code: string;
  readonly rule: string;
}

const core = 'packages/core/src';
const app = 'apps/http/src';
const memory = 'packages/adapters-memory/src';
const config = 'packages/config/src';
const collector = 'packages/collector/src';
const LAYERS = 'house(layers)';
const IMPORTS = 'eslint(no-restricted-imports)';
const PROPERTIES = 'eslint(no-restricted-properties)';
const GLOBALS = 'eslint(no-restricted-globals)';
const CLOCK = 'house(clock-port)';
const MINTED = 'house(minted-approvals)';
const PATTERNS = 'house(literal-patterns)';
const STYLE = 'house(style)';

const imports = (name: string, file: string, specifier: string, rule = LAYERS): Violation => ({
  name,
  file,
  code: `import * as planted from '${specifier}';\nexport const seen: unknown = planted;\n`,
  rule,
});

const uses = (name: string, file: string, expression: string, rule: string): Violation => ({
  name,
  file,
  code: `export const planted: unknown = ${expression};\n`,
  rule,
});

const violations: readonly Violation[] = [
  imports('a kind that imports a rule', `${core}/kinds/planted.ts`, '../rules/allowlist.js'),
  imports('a kind that imports a port', `${core}/kinds/planted-port.ts`, '../ports/store.js'),
  imports('a rule that imports a port', `${core}/rules/planted.ts`, '../ports/store.js'),
  imports('a rule that imports a use case', `${core}/rules/planted-use.ts`, '../use-cases/shared/answer.js'),
  imports('a port that imports a use case', `${core}/ports/planted.ts`, '../use-cases/shared/answer.js'),
  imports('a use case that imports test code', `${core}/use-cases/shared/planted.ts`, '../../testing/planted-support.js'),
  imports('test support that imports a use case', `${core}/testing/planted.ts`, '../use-cases/shared/answer.js'),
  imports('the core that imports an adapter', `${core}/use-cases/shared/planted-adapter.ts`, '../../../../adapters-memory/src/index.js', IMPORTS),
  imports('a dependency that is not declared', `${core}/rules/planted-dependency.ts`, 'express', 'house(declared-imports)'),
  imports('an adapter that reaches behind the door of the core', `${memory}/planted.ts`, '../../core/src/rules/allowlist.js'),
  imports('an adapter that imports the test support of the core', `${memory}/planted-testing.ts`, '@vitrine/core/testing'),
  imports('a relative import of another package', `${memory}/planted-relative.ts`, '../../core/src/index.js', IMPORTS),
  imports('the collector that imports an adapter', `${collector}/planted.ts`, '../../adapters-memory/src/index.js'),
  imports('the pages that import the configuration', `packages/pages/src/planted.ts`, '../../config/src/index.js'),
  imports('the pages that import the driver of a database', `packages/pages/src/planted-driver.ts`, 'mongodb', 'house(declared-imports)'),
  imports('the serving part that imports the pages', `${app}/serving/planted-pages.ts`, '@vitrine/pages'),
  imports('the feeds that import the configuration', 'packages/feeds/src/planted.ts', '../../config/src/index.js'),
  imports('the configuration that imports the collector', `${config}/planted.ts`, '../../collector/src/index.js'),
  imports('the command that imports the internals of the configuration', 'apps/collector/src/planted-internal.ts', '@vitrine/config/internal'),
  imports('a view that imports the configuration', `${app}/views/planted-config.ts`, '@vitrine/config'),
  imports('a view that imports an adapter', `${app}/views/planted.ts`, '@vitrine/adapters-memory'),
  imports('a view that imports the collector', `${app}/views/planted-collector.ts`, '@vitrine/collector'),
  imports('a view that imports the servers of the tests', `${app}/views/planted-servers.ts`, '@vitrine/test-support'),
  imports('an adapter that imports the servers of the tests', 'packages/adapters-mongo/src/planted-servers.ts', '@vitrine/test-support'),
  imports('a view that imports the composition', `${app}/views/planted-composition.ts`, '../composition/planted-legal.js'),
  imports('a shared part of views that imports a view', `${app}/views/shared/planted.ts`, '../planted.js'),
  imports('a shared part of views that imports an adapter', `${app}/views/shared/planted-adapter.ts`, '@vitrine/adapters-memory'),
  imports('a view that imports the OpenAPI document', `${app}/views/planted-openapi.ts`, '../openapi/document.js'),
  imports('the serving part that imports a view', `${app}/serving/planted.ts`, '../views/planted.js'),
  imports('the container outside the composition', `${app}/views/planted-container.ts`, 'inversify', IMPORTS),
  uses(
    'a use case that imports test code when it runs',
    `${core}/use-cases/shared/planted-late.ts`,
    "import('../../testing/planted-support.js')",
    LAYERS,
  ),
  uses('a kind that uses a type of a port', `${core}/kinds/planted-type.ts`, "null as import('../ports/store.js').Clock | null", LAYERS),
  imports('a folder whose name begins like that of a layer', `${core}/kinds-of-records/planted.ts`, './planted-other.js'),
  imports('a folder that no layer knows, in the core', `${core}/utils/planted.ts`, '../kinds/identity.js'),
  imports('a folder that no layer knows, in the app', `${app}/services/planted.ts`, '@vitrine/core'),
  imports('two files that import each other', `${core}/kinds/planted-cycle-a.ts`, './planted-cycle-b.js', 'import(no-cycle)'),
  {
    name: 'two files that import only types of each other',
    file: `${core}/kinds/planted-type-cycle-a.ts`,
    code: "import type { B } from './planted-type-cycle-b.js';\nexport interface A {\n  readonly b: B | null;\n}\n",
    rule: 'import(no-cycle)',
  },
  {
    name: 'a configuration that imports a type of its source, over another file of the other package',
    file: `${config}/planted-cycle.ts`,
    code: "import type { PlantedGit } from '../../collector/src/sources/git/planted-cycle.js';\nexport type PlantedConfig = Pick<PlantedGit, 'location'>;\n",
    rule: 'import(no-cycle)',
  },
  uses('the clock in the core', `${core}/rules/planted-now.ts`, 'Date.now()', PROPERTIES),
  uses('the clock in the core, as a date', `${core}/rules/planted-date.ts`, 'new Date()', CLOCK),
  uses('the clock in the core, as text', `${core}/rules/planted-text.ts`, 'Date()', CLOCK),
  uses('the clock in the core, under another name', `${core}/rules/planted-alias.ts`, 'Date', CLOCK),
  uses('a lenient date parser in the core', `${core}/rules/planted-parse.ts`, "Date.parse('1 May')", PROPERTIES),
  uses('chance in the core', `${core}/rules/planted-chance.ts`, 'Math.random()', PROPERTIES),
  uses('process in a view', `${app}/views/planted-process.ts`, 'process.env', GLOBALS),
  uses('process in the collector', `${collector}/planted-process.ts`, 'process.env', GLOBALS),
  uses('process by way of globalThis', `${app}/http/planted-global.ts`, 'globalThis.process', 'house(process-in-main)'),
  imports('process by way of its module', `${memory}/planted-module.ts`, 'node:process', IMPORTS),
  uses('approvals forged by an assertion', `${app}/views/planted-forged.ts`, '{} as unknown as ApprovedRepositories', MINTED),
  uses('approvals forged by way of never', `${app}/views/planted-never.ts`, 'String({} as never)', MINTED),
  uses('approvals forged in a test', `${memory}/planted.test.ts`, '{} as unknown as ApprovedRepositories', MINTED),
  uses('a collection named outside its list', `${memory}/planted-collection.ts`, "(db: Db) => db.collection('commits')", 'house(named-collections)'),
  uses('a pattern that takes cubic time', `${collector}/planted-pattern.ts`, '/(?:^|[A-Z][A-Z0-9]*)\\d+x$/', 'regexp(no-super-linear-backtracking)'),
  uses('a pattern that takes quadratic time to find nothing', `${core}/rules/planted-pattern.ts`, '/\\/+$/', 'regexp(no-super-linear-move)'),
  uses('a pattern that is put together, which nothing checks', `${app}/http/planted-pattern.ts`, '(text: string) => new RegExp(text)', PATTERNS),
  uses('a pattern in a text, which nothing checks', `${app}/http/planted-text-pattern.ts`, "RegExp('/+$')", PATTERNS),
  { name: 'a default export', file: `${core}/kinds/planted-default.ts`, code: 'export default 1;\n', rule: STYLE },
  { name: 'an enum', file: `${core}/kinds/planted-enum.ts`, code: 'export enum Planted {\n  A,\n}\n', rule: STYLE },
  { name: 'a barrel', file: `${core}/kinds/planted-barrel.ts`, code: "export * from './commit.js';\n", rule: STYLE },
  {
    name: 'a file over 250 lines',
    file: `${core}/kinds/planted-long.ts`,
    code: 'export type Planted =\n' + '  | 1\n'.repeat(250),
    rule: 'eslint(max-lines)',
  },
  {
    name: 'a function over 40 lines',
    file: `${core}/kinds/planted-function.ts`,
    code: `export function planted(): number {\n${'  Number(1);\n'.repeat(41)}  return 1;\n}\n`,
    rule: 'eslint(max-lines-per-function)',
  },
  uses(
    'a function with too many ways through it',
    `${app}/http/planted-ways.ts`,
    `(n: number) => ${'n === 1 || '.repeat(9)}n === 2`,
    'eslint(complexity)',
  ),
  uses('a value of any type', `${collector}/planted-any.ts`, '(value: any) => String(value)', 'typescript(no-explicit-any)'),
  uses('a name that nothing uses', `${memory}/planted-unused.ts`, '(() => { const unused = 1; })()', 'eslint(no-unused-vars)'),
  uses('a name that nothing uses, in a test', `${memory}/planted-unused.test.ts`, '(() => { const unused = 1; })()', 'eslint(no-unused-vars)'),
  imports('a tool of the workspace that a package does not declare', `${collector}/planted-tool.ts`, 'fast-check', 'house(declared-imports)'),
  {
    name: 'syntax in the first script that an old Node cannot parse',
    file: 'scripts/run.cjs',
    code: "'use strict';\nconst run = () => `now`;\nrun();\n",
    rule: 'house(syntax-of-2009)',
  },
  { name: 'a skipped test', file: `${core}/kinds/planted-skip.test.ts`, code: "it.skip('does something', () => undefined);\n", rule: PROPERTIES },
];

/** Found with the types of all packages, which takes half of the time: a normal run leaves them out. */
const typed: readonly Violation[] = [
  {
    name: 'a promise that nobody waits for',
    file: `${core}/rules/planted-promise.ts`,
    code: 'export function planted(run: () => Promise<void>): void {\n  run();\n}\n',
    rule: 'typescript(no-floating-promises)',
  },
  {
    name: 'a value without a type that is used as one',
    file: `${app}/http/planted-unsafe.ts`,
    code: 'export function planted(text: string): string {\n  return JSON.parse(text);\n}\n',
    rule: 'typescript(no-unsafe-return)',
  },
  {
    name: 'a question whose answer the types know',
    file: `${memory}/planted-condition.ts`,
    code: "export function planted(text: string): string {\n  return text ?? '';\n}\n",
    rule: 'typescript(no-unnecessary-condition)',
  },
];

const support = [
  { file: `${core}/testing/planted-support.ts`, code: 'export const planted = 1;\n' },
  { file: `${core}/kinds/planted-cycle-b.ts`, code: "import * as planted from './planted-cycle-a.js';\nexport const seen: unknown = planted;\n" },
  {
    file: `${core}/kinds/planted-type-cycle-b.ts`,
    code: "import type { A } from './planted-type-cycle-a.js';\nexport interface B {\n  readonly a: A | null;\n}\n",
  },
  {
    file: `${collector}/sources/git/planted-cycle.ts`,
    code: "import type { PlantedEnvironment } from './planted-cycle-environment.js';\nexport interface PlantedGit {\n  readonly location: string;\n  readonly environment: PlantedEnvironment;\n}\n",
  },
  {
    file: `${collector}/sources/git/planted-cycle-environment.ts`,
    code: "import type { PlantedConfig } from '../../../../config/src/planted-cycle.js';\nexport type PlantedEnvironment = PlantedConfig | null;\n",
  },
  { file: `${memory}/planted-door.ts`, code: 'export const planted = 1;\n' },
];

const legal = [
  {
    file: `${core}/use-cases/shared/planted-legal.ts`,
    code: "import type { Clock } from '../../ports/store.js';\n\nexport const planted = (clock: Clock): Clock => clock;\n",
  },
  {
    file: `${core}/rules/planted-legal.ts`,
    code: 'export const planted = (instant: number): string => new Date(instant + Date.UTC(1970, 0, 1)).toISOString();\n',
  },
  {
    file: `${memory}/planted-legal.ts`,
    code: "import type { Clock } from '@vitrine/core';\n\nexport const planted = (clock: Clock): Clock => clock;\n",
  },
  {
    file: `${collector}/planted-legal.ts`,
    code: "import type { Config } from '@vitrine/config';\nimport { errorCodeOf } from '@vitrine/config/internal';\n\nexport const planted = (config: Config): string | null => errorCodeOf(config);\n",
  },
  {
    file: `${app}/composition/planted-legal.ts`,
    code: "import { Container } from 'inversify';\n\nexport const planted = (): Container => new Container();\n",
  },
];

describe('the layers', () => {
  let findings: readonly Finding[] = [];

  beforeAll(async () => {
    const plants = [...violations, ...(isTorture ? typed : []), ...support, ...legal];
    const tree = new PlantedTree(plants);
    try {
      findings = await tree.lint(
        plants.map(({ file }) => file),
        isTorture,
      );
    } finally {
      tree.remove();
    }
  });

  const rulesFor = (file: string) => findings.filter((finding) => finding.file === file).map(({ rule }) => rule);

  it.each([...violations, ...(isTorture ? typed : [])])('refuse $name', ({ file, rule }) => {
    expect(rulesFor(file)).toContain(rule);
  });

  it.each(legal)('let $file pass', ({ file }) => {
    expect(findings.filter((finding) => finding.file === file)).toEqual([]);
  });
});

describe('the check for cycles', () => {
  interface Rules {
    readonly rules?: Readonly<Record<string, unknown>>;
  }

  it('applies to the imports of types, without an exemption', () => {
    const { rules = {}, overrides = [] }: Rules & { readonly overrides?: readonly Rules[] } = JSON.parse(
      readFileSync(join(root, '.oxlintrc.json'), 'utf8'),
    );
    const settings = [rules, ...overrides.map((override) => override.rules ?? {})].flatMap((each) => each['import/no-cycle'] ?? []);
    expect(settings).toEqual(['error', { ignoreTypes: false }]);
  });
});
