import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFigures } from './figures-file.js';
import { groups } from './groups.js';
import { performancePage } from './performance-page.js';

const root = join(__dirname, '..', '..');
const names = Object.keys(groups);
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** The code that a benchmark imports, or starts in another process; `main.js` is the server's. */
function usedBy(file: string): readonly string[] {
  const text = read(file);
  const own = matches(text, /'(?:\.\/)?([a-z-]+)\.js'/gu)
    .filter((name) => name !== 'main')
    .map((name) => `bench/src/${name}.ts`);
  const packages = matches(text, /'@vitrine\/((?:core|config|collector|adapters-[a-z]+))(?:\/testing)?'/gu).map((name) => `packages/${name}/src`);
  const builds = matches(text, /'\.\.\/\.\.\/((?:packages|apps)\/[a-z-]+)\/dist\//gu).map((folder) => `${folder}/src`);
  return [...own, ...packages, ...builds];
}

describe('the code of a group of figures', () => {
  const tracked = execFileSync('git', ['-C', root, 'ls-files'], { encoding: 'utf8' }).split('\n');

  it.each(names)('%s: names paths that are there', (name) => {
    const isThere = (path: string) => tracked.some((file) => file === path || file.startsWith(`${path}/`));
    expect((groups[name]?.code ?? []).filter((path) => !isThere(path))).toEqual([]);
  });

  it.each(names)('%s: names all that its benchmark imports or starts', (name) => {
    const code = groups[name]?.code ?? [];
    const used = code.filter((path) => path.startsWith('bench/src/')).flatMap(usedBy);
    expect(used.filter((path) => !code.includes(path))).toEqual([]);
    expect(used.length).toBeGreaterThan(0);
  });
});

describe('docs/performance.md', () => {
  it('is what the stored figures give', () => {
    expect(read('docs/performance.md')).toBe(performancePage(names, readFigures()));
  });

  it('names commit, machine and command above every table', () => {
    const sections = read('docs/performance.md').split('\n## ').slice(1);
    expect(
      sections.filter((section) => !/^\S+\n\nCommit `[0-9a-f]{7,10}`; .+; `npm run bench -- \S+`\n\n(?:[^|\n]+\n\n)?\| What/u.test(section)),
    ).toEqual([]);
    expect(sections.length).toBeGreaterThan(0);
  });
});
