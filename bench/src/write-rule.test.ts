import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { MeasuredGroups } from './figures-file.js';
import { WorkingTree } from './working-tree.js';
import { reasonNotToWrite } from './write-rule.js';

const groups = { lists: { code: ['core/src', 'bench/lists.ts'] }, status: { code: ['status/src'] } };

describe('the rule that rows are not older than the code they measure', () => {
  let folder: string;
  let tree: WorkingTree;
  let stored: MeasuredGroups;

  const env = { PATH: process.env['PATH'], HOME: devNull, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { env });
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const commit = (file: string, text: string) => {
    write(file, text);
    git('add', '.');
    git('commit', '--quiet', '--message', file);
  };
  const reason = (renewed: readonly string[] = []) => reasonNotToWrite(tree, groups, stored, renewed);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    git('init', '--quiet');
    tree = new WorkingTree(folder);
    for (const file of ['core/src/list.ts', 'bench/lists.ts', 'status/src/status.ts', 'README.md']) commit(file, 'first');
    const measured = { commit: tree.head(), machine: '2 cores', command: 'npm run bench', figures: [] };
    stored = { lists: measured, status: measured };
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('allows rows of the current commit', () => {
    expect(reason()).toBeNull();
  });

  it.each(['README.md', 'core/src/list.test.ts', 'core/src/deep/list.test.ts', 'docs/performance.md'])(
    'allows rows after a change of %s, which no row measures',
    (file) => {
      commit(file, 'second');
      expect(reason()).toBeNull();
    },
  );

  it.each(['core/src/list.ts', 'core/src/deep/new.ts', 'bench/lists.ts'])(
    'rejects a row after a change of %s, and names the command that measures it again',
    (file) => {
      commit(file, 'second');
      expect(reason()).toBe(
        `Some rows are older than the code they measure: lists (commit ${stored['lists']?.commit.slice(0, 10) ?? ''}).\n` +
          'Measure them too: npm run bench -- --write lists',
      );
      expect(reason(['status'])).toContain('npm run bench -- --write lists status');
      expect(reason(['lists'])).toBeNull();
    },
  );

  it('rejects a row after its code was removed', () => {
    git('rm', '--quiet', 'core/src/list.ts');
    git('commit', '--quiet', '--message', 'removed');
    expect(reason()).toContain('lists');
  });

  it('allows a row if a later commit reverted the change', () => {
    commit('core/src/list.ts', 'second');
    commit('core/src/list.ts', 'first');
    expect(reason()).toBeNull();
  });

  it('rejects a row of an unknown commit', () => {
    stored = { ...stored, status: { machine: '', command: '', figures: [], commit: '0123456789'.repeat(4) } };
    expect(reason()).toContain('status (commit 0123456789)');
  });

  it('rejects the page if a group was never measured', () => {
    stored = Object.fromEntries(Object.entries(stored).filter(([name]) => name === 'lists'));
    expect(reason()).toContain('status (never measured)');
    expect(reason(['status'])).toBeNull();
  });

  it.each(['core/src/list.ts', 'README.md', 'new.ts'])('refuses while %s is not committed, whatever is measured', (file) => {
    write(file, 'second');
    expect(reason(['lists', 'status'])).toMatch(new RegExp(`^Some files are not committed\\.[^]*${file}$`, 'u'));
  });

  it.each(['docs/performance.md', 'bench/figures.json'])('writes %s itself, so that may differ', (file) => {
    commit(file, 'first');
    write(file, 'second');
    expect(reason()).toBeNull();
  });
});
