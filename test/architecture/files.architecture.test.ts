import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './planted-tree.js';

const SKIPPED = new Set(['node_modules', 'dist', 'coverage']);

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const files = ['packages', 'apps', 'bench', 'scripts', 'test', 'test-support'].flatMap(filesBelow);
const code = files.filter((file) => /\.(ts|mjs|cjs|js)$/u.test(file));
const sources = code.filter((file) => /\/src\//u.test(file) && !file.endsWith('.test.ts'));

/** Every line counts here, comments too: a file is one thing that one can hold in the head. */
const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1;

/** Written in two parts, so that this file does not name it. */
const REPETITION = `retry${'Times'}`;

describe('the source tree', () => {
  it('has no source file over 250 lines', () => {
    expect(sources.filter((file) => linesOf(file) > 250)).toEqual([]);
  });

  it('names every file in kebab-case', () => {
    expect(code.filter((file) => !/\/[a-z0-9]+(-[a-z0-9]+)*(\.[a-z-]+)*\.(ts|mjs|cjs|js)$/u.test(file))).toEqual([]);
  });

  it('has no folder for things that found no name', () => {
    expect(files.filter((file) => /\/(utils?|helpers?|common|lib|misc)\//u.test(file))).toEqual([]);
  });

  it('creates parents of folders one by one: Node tries for ever if a file system refuses new folders with ENOENT', () => {
    const shipped = sources.filter((file) => /^(?:packages|apps)\//u.test(file));
    expect(shipped.filter((file) => /mkdir(?:Sync)?\([^;]*recursive: true/u.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('has no script that imports a file which is not built', () => {
    const isBuilt = (path: string) =>
      ['.ts', '.tsx'].some((ending) => existsSync(join(root, path.replace('/dist/', '/src/').replace(/\.js$/u, ending))));
    const importsOf = (file: string) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/'((?:\.\.\/)+(?:[\w/-]+\/)?dist\/[\w/-]+\.js)'/gu)].map(([, path = '']) =>
        join(file, '..', path),
      );
    const imported = code.filter((file) => /\.[cm]js$/u.test(file)).flatMap(importsOf);
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((path) => !isBuilt(path))).toEqual([]);
  });

  it('repeats no test that has failed', () => {
    expect(code.filter((file) => readFileSync(join(root, file), 'utf8').includes(REPETITION))).toEqual([]);
  });

  it('starts no suite first that does not exist', () => {
    const named = readFileSync(join(root, 'test/long-suites-first.cjs'), 'utf8').matchAll(/^ {2}'(.+)',$/gmu);
    const starts = [...named].map(([, start = '']) => start);
    expect(starts.length).toBeGreaterThan(40);
    expect(starts.filter((start) => !code.some((file) => file.startsWith(start)))).toEqual([]);
  });

  it('has no test that Jest never runs', () => {
    const print = "import config from './jest.config.js'; console.log(JSON.stringify(config.projects.flatMap(({ testMatch }) => testMatch)));";
    const env = { ...process.env, VITRINE_TORTURE: '1' };
    const patterns: readonly string[] = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', print], { cwd: root, env, encoding: 'utf8' }),
    );
    const { globsToMatcher } = createRequire(require.resolve('jest-runtime'))('jest-util') as {
      globsToMatcher(globs: readonly string[]): (path: string) => boolean;
    };
    const isRun = globsToMatcher(patterns.map((pattern) => pattern.replace('<rootDir>/', '')));
    expect(code.filter((file) => file.endsWith('.test.ts') && !isRun(file))).toEqual([]);
  });
});
