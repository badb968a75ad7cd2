import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { transformSync } from '@swc/core';

const isTorture = process.env['VITRINE_TORTURE'] === '1';
const packages = join(__dirname, '..', '..');
const CORE = 'node_modules/@vitrine/core';
const runner = join(__dirname, 'mutants', 'run-suites.mjs');

interface Mutant {
  readonly file: string;
  readonly suite: 'ports' | 'gates';
  /** The original code, and its replacement. */
  readonly from: string;
  readonly to: string;
  readonly at: number;
}

/** A scope condition or a gate, and the code without it. */
const REMOVALS: readonly { readonly suite: Mutant['suite']; readonly within: RegExp; readonly pattern: RegExp; readonly to: string }[] = [
  { suite: 'ports', within: /^memory\//, pattern: /approved\.refs\b/g, to: 'globalThis.everyRef' },
  { suite: 'ports', within: /^memory\//, pattern: /approved\.scopes\b/g, to: 'globalThis.everyScope' },
  { suite: 'ports', within: /^memory\//, pattern: /approved\??\.admits\(/g, to: '((_scope) => true)(' },
  { suite: 'gates', within: /use-cases\/.*\.js$/, pattern: /\b(?:\w+\.)+admitted\(/g, to: '((items) => items)(' },
  { suite: 'gates', within: /use-cases\/.*\.js$/, pattern: /approved\.admits\(/g, to: '((_scope) => true)(' },
];

const folder = mkdtempSync(join(tmpdir(), 'vitrine-mutants-'));
const whole = join(folder, 'whole');
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function sources(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts') && !/(\.test|\.d)\.ts$/.test(file));
}

/** The packages as JavaScript, laid out so that they find each other; as CommonJS, which loads faster than ES modules. */
function transpile(): string[] {
  const trees = [
    { from: join(packages, 'core', 'src'), to: CORE },
    { from: join(packages, 'adapters-memory', 'src'), to: 'memory' },
  ];
  const written = trees.flatMap(({ from, to }) =>
    sources(from).map((file) => {
      const target = join(to, file.replace(/\.ts$/, '.js'));
      const { code } = transformSync(readFileSync(join(from, file), 'utf8'), {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
      });
      mkdirSync(dirname(join(whole, target)), { recursive: true });
      writeFileSync(join(whole, target), code);
      return target;
    }),
  );
  const manifest = { exports: { '.': './index.js', './testing': './testing/index.js' } };
  writeFileSync(join(whole, CORE, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(whole, 'package.json'), '{}');
  return written;
}

function mutantsOf(files: readonly string[]): Mutant[] {
  return files.flatMap((file) => {
    const code = readFileSync(join(whole, file), 'utf8');
    return REMOVALS.filter(({ within }) => within.test(file)).flatMap(({ suite, pattern, to }) =>
      [...code.matchAll(pattern)].map(({ 0: from, index }) => ({ file, suite, from, to, at: index })),
    );
  });
}

function run(tree: string, suites: readonly string[]): Promise<{ readonly failed: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [runner, tree, ...suites], { timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: stdout + stderr });
    });
  });
}

async function runMutant(tree: string, { file, suite, from, to, at }: Mutant): Promise<{ readonly failed: boolean; readonly output: string }> {
  const code = readFileSync(join(tree, file), 'utf8');
  writeFileSync(join(tree, file), code.slice(0, at) + to + code.slice(at + from.length));
  const result = await run(tree, [suite]);
  writeFileSync(join(tree, file), code);
  return result;
}

/** Runs two at a time, each in its own folder, because the smallest machine has two cores. */
async function survivors(mutants: readonly Mutant[]): Promise<string[]> {
  const alive: string[] = [];
  const queue = [...mutants];
  const work = async (name: string): Promise<void> => {
    const tree = join(folder, name);
    cpSync(whole, tree, { recursive: true, verbatimSymlinks: true });
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const { failed } = await runMutant(tree, mutant);
      if (!failed) alive.push(`${relative('.', mutant.file)} at ${String(mutant.at)}: ${mutant.from}`);
    }
  };
  await Promise.all([work('one'), work('other')]);
  return alive;
}

describe('a change that loses the allowlist', () => {
  const all = mutantsOf(transpile());
  const mutants = all.filter((_, index) => isTorture || index % 4 === 0);

  it('is tried wherever permission is used', () => {
    expect(all.filter(({ suite }) => suite === 'ports').length).toBeGreaterThan(3);
    expect(all.filter(({ suite }) => suite === 'gates').length).toBeGreaterThan(4);
  });

  it('is the only reason why the suites fail', async () => {
    expect(await run(whole, ['ports', 'gates'])).toEqual({ failed: false, output: expect.stringContaining('passed') });
  });

  it('is detected by the suites, whichever condition is removed', async () => {
    expect(await survivors(mutants)).toEqual([]);
  }, 600_000);
});
