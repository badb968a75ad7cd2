import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../configuration/load-config.js';
import { pathProblems } from './path-problems.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-paths-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function problems(lines: string, at = folder): Promise<readonly string[]> {
  const config = loadConfig({ text: `approved: [acme/widget]\n${lines}`, file: join(at, 'vitrine.yaml'), env: {} });
  const found = await pathProblems(config, { environment: { PATH: process.env['PATH'] }, signal: new AbortController().signal });
  return found.map((line) => line.replaceAll(at, ''));
}

const git = (location: string) => `sources: [{git: "${location}", repository: acme/widget, url: "https://acme.example/w"}]\n`;
const records = (path: string) => `sources: [{records: ${path}}]\n`;

describe('the paths of a configuration', () => {
  let broken: string;
  beforeAll(() => {
    broken = mkdtempSync(join(tmpdir(), 'vitrine-paths-'));
    writeFileSync(join(broken, 'vitrine.yaml'), '');
    mkdirSync(join(broken, 'empty'));
    execFileSync('git', ['init', '--quiet', join(broken, 'work')]);
    mkdirSync(join(broken, 'work', 'inner'));
    execFileSync('mkfifo', [join(broken, 'pipe')]);
    mkdirSync(join(broken, 'in'));
    symlinkSync(join(broken, 'nowhere'), join(broken, 'in', 'b.ndjson'));
  });
  afterAll(() => {
    rmSync(broken, { recursive: true });
  });

  it('are all right when they can be opened, and nothing is written', async () => {
    execFileSync('git', ['init', '--quiet', join(folder, 'work')]);
    execFileSync('git', ['init', '--quiet', '--bare', join(folder, 'bare.git')]);
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in', 'a.ndjson'), 'not even JSON\n');
    const before = readdirSync(folder, { recursive: true }).sort();
    for (const lines of [git('work'), git('bare.git'), records('in'), records('in/a.ndjson'), 'cache: none-yet\n', ''])
      expect(await problems(lines)).toEqual([]);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
  });

  it.each(['cache: open/cache\n', 'store: {path: open/data}\n', 'cache: open\n'])(
    'include the folder for clones, with the rule of a run, if a source needs it: %j',
    async (lines) => {
      mkdirSync(join(folder, 'open'));
      chmodSync(join(folder, 'open'), 0o777);
      const before = readdirSync(folder, { recursive: true });
      const [problem, ...others] = await problems(lines + git('https://127.0.0.1:1/x.git'));
      expect(problem).toMatch(/^cache: the folder for clones, .*, is not safe, because other users can write to "\/open": set the key cache/);
      expect(others).toEqual([]);
      expect(await problems(lines)).toEqual([]);
      expect(readdirSync(folder, { recursive: true })).toEqual(before);
    },
  );

  it('include a folder for clones that cannot be created', async () => {
    expect(await problems(`cache: /proc/vitrine\n${git('https://127.0.0.1:1/x.git')}`)).toEqual([
      expect.stringMatching(/^cache: the folder for clones, "\/proc\/vitrine\/clones", cannot be made \(ENOENT\): set the key cache/),
    ]);
  });

  it('are not asked for over the network', async () => {
    expect(await problems(git('https://127.0.0.1:1/x.git'))).toEqual([]);
  });

  it.each([
    ['a git folder that does not exist', git('gone'), /^git acme\/widget: "\/gone" does not exist: give the folder/],
    ['a git folder that is a file', git('vitrine.yaml'), /^git acme\/widget: "\/vitrine\.yaml" is not a folder: give/],
    ['a git folder that is no repository', git('empty'), /^git acme\/widget: "\/empty" is not a git repository: give/],
    ['a folder within a repository', git('work/inner'), /^git acme\/widget: "\/work\/inner" is not a git repository: give/],
    ['records that do not exist', records('gone'), /^records \/gone: \/gone does not exist; create it, or correct the path/],
    ['a pipe for records', records('pipe'), /^records \/pipe: \/pipe is a pipe; put a regular file there/],
    ['a records folder with a link to nothing', records('in'), /^records \/in: \/in\/b\.ndjson does not exist; /],
    ['a logo that does not exist', 'site: {logo: gone.svg}\n', /^site\.logo: \/gone\.svg does not exist; create it, or correct the path/],
    ['a cache that is a file', 'cache: vitrine.yaml\n', /^cache: \/vitrine\.yaml is not a folder; name a folder/],
  ])('are named when they cannot be used: %s', async (_, lines, expected) => {
    expect(await problems(lines, broken)).toEqual([expect.stringMatching(expected)]);
  });

  it('are all looked at: each one that is wrong has its line', async () => {
    const source = (name: string) => `{git: gone-${name}, repository: acme/${name}, url: "https://acme.example/${name}"}`;
    const text = `approved: [acme/a, acme/b]\nsources: [${source('a')}, {records: gone}, ${source('b')}]\n`;
    const config = loadConfig({ text, file: join(folder, 'vitrine.yaml'), env: {} });
    const found = await pathProblems(config, { environment: { PATH: process.env['PATH'] }, signal: new AbortController().signal });
    expect(found.map((line) => line.split(':')[0])).toEqual(['git acme/a', `records ${join(folder, 'gone')}`, 'git acme/b']);
  });

  it('include articles and changelogs whose text cannot be read', async () => {
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs', 'good.md'), '# Good\n');
    writeFileSync(join(folder, 'docs', 'bad.md'), '---\ntitle: [\n---\n');
    writeFileSync(join(folder, 'docs', 'kind.md'), '---\nkind: novel\n---\n');
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Nothing yet\n');
    const found = await problems('sources: [{articles: docs}, {changelog: CHANGELOG.md}]');
    expect(found).toEqual([
      expect.stringContaining('bad.md'),
      expect.stringContaining('kind.md'),
      expect.stringContaining('CHANGELOG.md: has no released version'),
    ]);
  });
});
