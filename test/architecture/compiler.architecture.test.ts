import { PlantedTree, type Finding } from './planted-tree.js';

const core = 'packages/core/src/rules';
const MISSING_MODULE = /^TS(2307|2591)$/u;
const MISSING_NAME = /^TS(2304|2552|2580|2584|2591|2318)$/u;

const importing = (file: string, specifier: string) => ({
  file,
  code: `import * as planted from '${specifier}';\nexport const seen: unknown = planted;\n`,
  error: MISSING_MODULE,
});
const using = (file: string, name: string) => ({ file, code: `export const seen: unknown = ${name};\n`, error: MISSING_NAME });

const violations = [
  { name: 'mongodb', ...importing(`${core}/planted-mongodb.ts`, 'mongodb') },
  { name: 'node:fs', ...importing(`${core}/planted-fs.ts`, 'node:fs') },
  { name: 'node:timers', ...importing(`${core}/planted-timers.ts`, 'node:timers') },
  { name: 'process', ...using(`${core}/planted-process.ts`, 'process') },
  { name: 'fetch', ...using(`${core}/planted-fetch.ts`, 'fetch') },
  { name: 'setTimeout', ...using(`${core}/planted-timer.ts`, 'setTimeout') },
  { name: 'console', ...using(`${core}/planted-console.ts`, 'console') },
  { name: 'Buffer', ...using(`${core}/planted-buffer.ts`, 'Buffer') },
];

const forgery = {
  file: `${core}/planted-forgery.ts`,
  code: "import { type ApprovedRepositories } from './allowlist.js';\n\nexport const forged: ApprovedRepositories = { refs: [], scopes: [], revision: '1' };\n",
};

const construction = {
  file: `${core}/planted-construction.ts`,
  code: "import { ApprovedRepositories } from './allowlist.js';\n\nexport const forged = new ApprovedRepositories([], '1', true);\n",
};

const legal = {
  file: `${core}/planted-legal.ts`,
  code: "import { Allowlist } from './allowlist.js';\n\nexport const approved = Allowlist.of('octo/demo').approved();\n",
};

describe('the compiler', () => {
  let findings: readonly Finding[] = [];

  beforeAll(async () => {
    const tree = new PlantedTree([...violations, forgery, construction, legal], ['packages/core']);
    try {
      findings = await tree.compile('packages/core');
    } finally {
      tree.remove();
    }
  });

  const errorsIn = (file: string) => findings.filter((finding) => finding.file === file).map(({ rule }) => rule);

  it.each(violations)('knows no $name in the core', ({ file, error }) => {
    expect(errorsIn(file)).toEqual([expect.stringMatching(error)]);
  });

  it('refuses approvals that the policy did not mint', () => {
    expect(errorsIn(forgery.file)).toHaveLength(1);
    expect(errorsIn(construction.file)).toEqual(['TS2673']);
  });

  it('lets a policy mint approvals through the allowlist', () => {
    expect(errorsIn(legal.file)).toEqual([]);
  });
});
