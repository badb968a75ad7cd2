import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itInTorture, sampled } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import { bareEnvironment, type TemporaryRepository } from '../../../test/git/temporary-repository.js';
import type { GitSource } from './git-source.js';

const CLONE = /^[0-9a-f]{32}\.git$/;
const LONG_AGO = new Date(Date.now() - 3_600_000);

describe('GitSource and its clone', () => {
  let fixture: GitFixture;
  let repository: TemporaryRepository;
  let source: GitSource;

  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository();
    repository.commit('base', { a: '1\n' });
    source = fixture.source(`file://${repository.path}`);
  });

  afterEach(() => {
    fixture.folder.remove();
  });

  const clones = () => readdirSync(fixture.path('clones'));
  const clone = (...names: string[]) => join(fixture.path('clones'), clones()[0] ?? '', ...names);
  const inode = () => statSync(clone()).ino;
  const asked = (word: string) =>
    readFileSync(fixture.path('asked'), 'utf8')
      .split('\n')
      .filter((line) => line.includes(` ${word}`));

  /** A source whose git is a shell script: its first lines can read the arguments in `$*` and may exit; otherwise the real git runs. */
  const withGit = (script: string, timeoutMs = 120_000): GitSource => {
    mkdirSync(fixture.path('bin'), { recursive: true });
    const path = process.env['PATH'] ?? '';
    const log = `echo "git $*" >> '${fixture.path('asked')}'`;
    writeFileSync(fixture.path('bin/git'), `#!/bin/sh\n${log}\n${script}\nPATH='${path}'\nexec git "$@"\n`);
    chmodSync(fixture.path('bin/git'), 0o755);
    const environment = { ...bareEnvironment(fixture.folder.path), PATH: `${fixture.path('bin')}:${path}` };
    return fixture.source(`file://${repository.path}`, { environment, timeoutMs });
  };

  it('starts git as often as it has something to ask', async () => {
    const counting = withGit('');
    const started = async () => {
      writeFileSync(fixture.path('asked'), '');
      await fixture.run(counting);
      const words = readFileSync(fixture.path('asked'), 'utf8').matchAll(/ (ls-remote|init|for-each-ref|fetch|gc|symbolic-ref|rev-list|diff-tree) /g);
      return [...words].map(([, word]) => word);
    };
    const reading = ['for-each-ref', 'rev-list', 'diff-tree'];
    expect(await started()).toEqual(['ls-remote', 'init', 'fetch', 'for-each-ref', ...reading]);
    expect(await started()).toEqual(['ls-remote', 'for-each-ref', 'for-each-ref']);
    repository.commit('next');
    expect(await started()).toEqual(['ls-remote', 'for-each-ref', 'fetch', 'for-each-ref', 'gc', ...reading]);
  });

  it.each(
    sampled(
      [
        ['fatal: write error: Broken pipe', '128'],
        ['fatal: remote error: corrupt bad object missing blob invalid sha1 broken', '1'],
        ['fatal: not a git repository', '255'],
        ['error: unable to read askpass response', '128'],
      ] as const,
      4,
    ),
  )('keeps a healthy clone if a fetch ends with "%s", or reading it with %s', async (words, code) => {
    await fixture.run(source);
    const before = inode();
    repository.commit('next');
    const failing = withGit(`case "$*" in *" fetch "*) echo "${words}" >&2; exit 128;; esac`);
    await expect(fixture.run(failing)).rejects.toThrow(`git fetch: ${words}`);
    expect(inode()).toBe(before);
    expect(asked('fsck --no-dangling --no-progress --connectivity-only')).toHaveLength(1);
    expect(asked('init')).toEqual([]);
    const unreadable = withGit(`case "$*" in *" rev-list "*) echo "fatal: bad object, corrupt" >&2; exit ${code};; esac`);
    await expect(fixture.run(unreadable)).rejects.toThrow('git rev-list: fatal: bad object, corrupt');
    expect(inode()).toBe(before);
    await fixture.run(source);
    expect(inode()).toBe(before);
    expect(fixture.branches()).toEqual({ base: 'main', next: 'main' });
  });

  const objectOf = (name: string) => {
    const sha = repository.git('rev-parse', name);
    return clone('objects', sha.slice(0, 2), sha.slice(2));
  };

  const damages: readonly (readonly [name: string, act: () => void])[] = [
    ['an empty ref', () => writeFileSync(clone('refs/heads/main'), '')],
    ['an empty HEAD', () => writeFileSync(clone('HEAD'), '')],
    ['an empty configuration', () => writeFileSync(clone('config'), '[core')],
    ['a missing commit', () => rmSync(objectOf('main~1'))],
    ['a missing file', () => rmSync(objectOf('main~1:a'))],
    ['an empty tree', () => (chmodSync(objectOf('main~1^{tree}'), 0o644), writeFileSync(objectOf('main~1^{tree}'), ''))],
    [
      'a lock of a git that was killed',
      () => (writeFileSync(clone('refs/heads/main.lock'), ''), utimesSync(clone('refs/heads/main.lock'), LONG_AGO, LONG_AGO)),
    ],
  ];

  for (const [what, damage] of damages)
    itInTorture(`clones again after ${what}`, async () => {
      repository.commit('second', { a: '2\n' });
      await fixture.run(source);
      damage();
      repository.commit('third', { a: '3\n' });
      // A new store has no state, so the source reads everything.
      const other = new GitFixture();
      await other.run(source);
      expect(other.branches()).toEqual({ base: 'main', second: 'main', third: 'main' });
      other.folder.remove();
      expect(await fixture.run(source)).toMatchObject({ stored: 1 });
      expect(clones()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.2\.git$/)]);
    });

  itInTorture('clones again if the content of a file is damaged', async () => {
    await fixture.run(source);
    chmodSync(objectOf('main:a'), 0o644);
    writeFileSync(objectOf('main:a'), 'x');
    const other = new GitFixture();
    await other.run(source);
    expect(other.branches()).toEqual({ base: 'main' });
    other.folder.remove();
    expect(clones()).toEqual([expect.stringMatching(/\.2\.git$/)]);
  });

  it('keeps a damaged clone until the next one is complete', async () => {
    await fixture.run(source);
    const before = inode();
    writeFileSync(clone('refs/heads/main'), '');
    repository.commit('next');
    await expect(fixture.run(withGit('case "$*" in *.new-*" fetch "*) echo "fatal: gone" >&2; exit 128;; esac'))).rejects.toThrow('fatal: gone');
    expect(clones()).toEqual([expect.stringMatching(CLONE)]);
    expect(inode()).toBe(before);
    await fixture.run(source);
    expect(fixture.branches()).toEqual({ base: 'main', next: 'main' });
    expect(clones()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.2\.git$/)]);
  });

  itInTorture('clones again only once if that does not help', async () => {
    const hopeless = withGit('case "$*" in *" fsck "*) exit 1;; *" rev-list "*) exit 128;; esac');
    for (let turn = 0; turn < 3; turn++) await expect(fixture.run(hopeless)).rejects.toThrow('git rev-list: ended with 128');
    expect(asked('init')).toHaveLength(2);
    expect(clones()).toHaveLength(1);
  });

  itInTorture('ends a check that takes too long, and keeps the clone', async () => {
    await fixture.run(source);
    const before = inode();
    repository.commit('next');
    const slow = withGit('case "$*" in *" fsck "*) sleep 30; exit 1;; *" fetch "*) exit 128;; esac', 600);
    const startedAt = performance.now();
    await expect(fixture.run(slow)).rejects.toThrow('git fetch: ended with 128');
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(inode()).toBe(before);
  });

  it('leaves nothing behind if a run is aborted, and the previous clone unchanged', async () => {
    const stop = new AbortController();
    const waiting = withGit(`case "$*" in *" fetch "*) touch '${fixture.path('fetching')}'; sleep 30;; esac`);
    const run = fixture.run(waiting, stop.signal);
    while (!existsSync(fixture.path('fetching'))) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort(new Error('shutting down'));
    await expect(run).rejects.toThrow('shutting down');
    expect(clones()).toEqual([]);
    await fixture.run(source);
    expect(fixture.branches()).toEqual({ base: 'main' });
  });

  itInTorture('removes what killed runs left, but nothing that another process may be writing', async () => {
    await fixture.run(source);
    const [name = ''] = clones();
    const key = name.slice(0, 32);
    const folders = [`${key}.new-dead`, `${'f'.repeat(32)}.new-dead`, `${key}.new-busy`, `${'f'.repeat(32)}.git`];
    for (const folder of folders) mkdirSync(join(fixture.path('clones'), folder, 'objects'), { recursive: true });
    for (const folder of folders.slice(0, 2)) utimesSync(join(fixture.path('clones'), folder), LONG_AGO, LONG_AGO);
    repository.git('clone', '--quiet', '--bare', repository.path, join(fixture.path('clones'), `${key}.3.git`));
    await fixture.run(source);
    expect(clones().sort()).toEqual([`${key}.3.git`, `${key}.new-busy`, `${'f'.repeat(32)}.git`].sort());
  });

  itInTorture('is shared by two processes that clone, fetch and repair at the same time', async () => {
    const others = [new GitFixture(), new GitFixture()];
    const both = () => Promise.allSettled(others.map((other) => other.run(fixture.source(`file://${repository.path}`))));
    expect((await both()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(clones()).toEqual([expect.stringMatching(CLONE)]);
    writeFileSync(clone('HEAD'), '');
    repository.commit('next');
    await both();
    await both();
    for (const other of others) expect(other.branches()).toEqual({ base: 'main', next: 'main' });
    expect(clones()).toEqual([expect.stringMatching(/\.2\.git$/)]);
    for (const other of others) other.folder.remove();
  });
});
