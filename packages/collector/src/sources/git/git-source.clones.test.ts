import { createServer, type Server, type AddressInfo } from 'node:net';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { itInTorture, sampled } from '@vitrine/test-support';
import { quotable } from '@vitrine/core';
import { GitFixture } from '../../../test/git/git-fixture.js';
import type { TemporaryRepository } from '../../../test/git/temporary-repository.js';
import { GitError } from './git-process.js';

describe('GitSource on a clone address', () => {
  let fixture: GitFixture;
  let repository: TemporaryRepository;

  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository();
  });

  afterEach(() => {
    fixture.folder.remove();
  });

  const address = () => `file://${repository.path}`;

  it('clones once, follows branches, tags and the default branch, and nothing else, and keeps what is stored if the remote is gone', async () => {
    const source = fixture.source(address());
    repository.commit('base', { a: '1\n' });
    const [pull = ''] = repository.commitOn('pull', { 'of a pull request': {} });
    repository.git('branch', '-D', 'pull');
    repository.git('update-ref', 'refs/pull/1/head', pull);
    repository.git('branch', 'topic');
    repository.git('tag', 'v1.0.0');
    expect(await fixture.run(source)).toMatchObject({ stored: 2, warnings: [] });
    expect(await fixture.run(source)).toMatchObject({ stored: 0, unchanged: 2 });
    repository.git('checkout', '--quiet', 'topic');
    repository.commit('work', { a: '2\n' });
    repository.git('branch', '-D', 'main');
    repository.git('branch', 'topic/nested-under-no-file', '--list');
    repository.git('tag', '--delete', 'v1.0.0');
    expect(await fixture.run(source)).toMatchObject({ stored: 2, removed: 1 });
    expect(fixture.branches()).toEqual({ base: 'topic', work: 'topic' });
    expect(fixture.store.repositories()[0]?.defaultBranch).toBe('topic');
    expect(readdirSync(fixture.path('clones'))).toHaveLength(1);
    const before = fixture.store.contents();
    repository.git('config', '--add', 'core.repositoryFormatVersion', '99');
    await expect(fixture.run(source)).rejects.toThrow(/^git ls-remote: fatal: /);
    expect(fixture.store.contents()).toEqual(before);
  });

  it('shows what a shallow remote has, says that its beginning is missing, and shows that as soon as the remote has it', async () => {
    repository.commit('one', { a: '1\n' });
    repository.commit('two', { a: '2\n' });
    repository.commit('three', { a: '3\n' });
    const remote = fixture.path('shallow.git');
    repository.git('clone', '--quiet', '--bare', '--depth=2', address(), remote);
    const source = fixture.source(`file://${remote}`);
    const warning = expect.stringMatching(/^git acme\/widget: the clone is shallow: /);
    expect(await fixture.run(source)).toMatchObject({ stored: 2, warnings: [warning] });
    repository.commit('four', { a: '4\n' });
    repository.git('-C', remote, 'fetch', '--quiet', '--update-shallow', address(), '+main:main');
    expect(await fixture.run(source)).toMatchObject({ stored: 1, removed: 0, warnings: [warning] });
    repository.git('-C', remote, 'fetch', '--quiet', '--unshallow', address());
    expect(await fixture.run(source)).toMatchObject({ removed: 0, warnings: [] });
    expect(Object.keys(fixture.branches()).sort()).toEqual(['four', 'one', 'three', 'two']);
    expect(await fixture.run(source)).toMatchObject({ stored: 0, unchanged: 4, warnings: [] });
  });

  it.each([[[]], [['sha1']], [['sha256']]])(
    'clones again if the remote was created again with objects of another format, after %j',
    async (before) => {
      rmSync(repository.path, { recursive: true });
      const [kind = 'sha1'] = before;
      repository = fixture.repository('widget', `--object-format=${kind}`);
      if (before.length > 0) repository.commit('before');
      const run = () => fixture.run(fixture.source(address()));
      await run();
      rmSync(repository.path, { recursive: true });
      repository = fixture.repository('widget', `--object-format=${kind === 'sha1' ? 'sha256' : 'sha1'}`);
      repository.commit('after');
      expect(await run()).toMatchObject({ stored: 1, removed: before.length, warnings: [] });
      expect(fixture.branches()).toEqual({ after: 'main' });
      expect(readdirSync(fixture.path('clones'))).toHaveLength(1);
      expect(await run()).toMatchObject({ stored: 0, unchanged: 1 });
    },
  );

  it('leaves out only branches and tags whose names no file can have, and names them at every run', async () => {
    const source = fixture.source(address());
    const sha = repository.commit('base');
    repository.git('branch', 'c'.repeat(250));
    repository.git('tag', 'v1.0.0');
    repository.git('pack-refs', '--all');
    const long = [`heads/${Array(25).fill('e'.repeat(200)).join('/')}`, `heads/ä${'b'.repeat(249)}`, `tags/${'t'.repeat(300)}`];
    const packed = join(repository.path, '.git', 'packed-refs');
    writeFileSync(packed, readFileSync(packed, 'utf8').replace(/^#.*\n/, '') + long.map((name) => `${sha} refs/${name}\n`).join(''));
    for (const run of ['first', 'second']) {
      const { warnings } = await fixture.run(source);
      expect([run, warnings]).toEqual([run, long.map((name) => expect.stringContaining(`"${quotable(name.replace(/^\w+\//, ''))}" was left out`))]);
    }
    expect(fixture.branches()).toEqual({ base: 'main' });
    expect(fixture.store.releases().map(({ tagName }) => tagName)).toEqual(['v1.0.0']);
    repository.commit('more');
    await fixture.run(source);
    expect(fixture.branches()).toMatchObject({ more: 'main' });
  });

  it('keeps everything if the remote names nothing any more, as an incomplete response does', async () => {
    const source = fixture.source(address());
    repository.commit('base');
    repository.git('tag', 'v1.0.0');
    await fixture.run(source);
    const stored = fixture.store.contents();
    for (const ref of ['refs/heads/main', 'refs/tags/v1.0.0']) repository.git('update-ref', '-d', ref);
    // Another machine, or a lost cache, has no clone yet.
    for (const one of [source, fixture.source(address(), { cacheFolder: fixture.path('new') })])
      await expect(fixture.run(one)).rejects.toThrow('the remote names no branch and no tag any more');
    expect(fixture.store.contents()).toEqual(stored);
    repository.git('checkout', '--quiet', '--orphan', 'main');
    repository.commit('again');
    expect(await fixture.run(source)).toMatchObject({ removed: 2 });
    expect(fixture.branches()).toEqual({ again: 'main' });
  });

  it('keeps branches and tags if the remote names only HEAD, and follows one that has never named more', async () => {
    repository.commit('base');
    repository.git('checkout', '--quiet', '--detach');
    const base = repository.git('rev-parse', 'HEAD');
    repository.git('update-ref', '-d', 'refs/heads/main');
    const run = (folder: string) => fixture.run(fixture.source(address(), { cacheFolder: fixture.path(folder) }));
    await run('one');
    repository.commit('again');
    expect(await run('two')).toMatchObject({ stored: 1, removed: 0 });
    expect(fixture.branches()).toEqual({ base: null, again: null });
    for (const ref of sampled(['refs/tags/v1.0.0', 'refs/heads/main'], 2)) {
      repository.git('update-ref', ref, base);
      await run('two');
      repository.git('update-ref', '-d', ref);
      await expect(run('three')).rejects.toThrow('the remote names no branch and no tag any more');
    }
  });

  itInTorture('follows a branch whose name becomes a folder, and a rewritten history', async () => {
    const source = fixture.source(address());
    repository.commit('base');
    repository.git('branch', 'a');
    await fixture.run(source);
    repository.git('branch', '-m', 'a', 'a/b');
    repository.commit('amended', { a: '1\n' });
    repository.git('reset', '--quiet', '--soft', 'HEAD~1');
    repository.commit('rewritten', { a: '1\n' });
    await fixture.run(source);
    expect(fixture.branches()).toEqual({ base: 'main', rewritten: 'main' });
  });

  itInTorture('clones an empty repository, one with sha256 names, and one with a detached HEAD', async () => {
    expect(await fixture.run(fixture.source(address()))).toMatchObject({ stored: 0 });
    repository.commit('base');
    repository.git('checkout', '--quiet', '--detach');
    repository.commit('adrift');
    await fixture.run(fixture.source(address()));
    expect(fixture.branches()).toEqual({ base: 'main', adrift: null });
    const modern = fixture.repository('modern', '--object-format=sha256');
    modern.commit('modern');
    await fixture.run(fixture.source(`file://${modern.path}`));
    expect(fixture.branches()).toEqual({ modern: 'main' });
  });

  it('runs no hook of the machine and writes the address nowhere', async () => {
    const template = fixture.path('template/hooks');
    mkdirSync(template, { recursive: true });
    for (const hook of ['reference-transaction', 'post-checkout'])
      writeFileSync(join(template, hook), `#!/bin/sh\ntouch ${fixture.path('ran')}\n`, { mode: 0o755 });
    const environment = {
      PATH: process.env['PATH'],
      HOME: fixture.path('home'),
      GIT_TEMPLATE_DIR: fixture.path('template'),
      GIT_CONFIG_NOSYSTEM: '1',
    };
    mkdirSync(fixture.path('home'));
    writeFileSync(fixture.path('home/.gitconfig'), `[init]\n\ttemplateDir = ${fixture.path('template')}\n[core]\n\thooksPath = ${template}\n`);
    repository.commit('base');
    await fixture.run(fixture.source(address(), { environment }));
    expect(readdirSync(fixture.folder.path)).not.toContain('ran');
    const clone = join(fixture.path('clones'), readdirSync(fixture.path('clones'))[0] ?? '');
    expect(readFileSync(join(clone, 'config'), 'utf8')).not.toContain(repository.path);
    expect(readdirSync(clone)).not.toContain('FETCH_HEAD');
  });

  it('never asks for a password', async () => {
    const server = createHttpServer((_, response) => response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const environment = { PATH: process.env['PATH'], HOME: fixture.folder.path, GIT_ASKPASS: '/bin/cat', SSH_ASKPASS: '/bin/cat', DISPLAY: ':0' };
    await expect(fixture.run(fixture.source(`http://127.0.0.1:${port}/a.git`, { environment }))).rejects.toThrow(
      /could not read Username|Authentication failed/,
    );
    server.close();
  });

  it('does not use an address that an insteadOf setting turns into a command', async () => {
    const environment = {
      PATH: process.env['PATH'],
      HOME: fixture.folder.path,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.ext::sh -c "touch ${fixture.path('ran')}" .insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://evil.example/',
    };
    await expect(fixture.run(fixture.source('https://evil.example/a.git', { environment }))).rejects.toThrow("transport 'ext' not allowed");
    expect(readdirSync(fixture.folder.path)).not.toContain('ran');
  });

  describe('that hangs', () => {
    let silent: Server;
    let port: number;

    beforeEach(async () => {
      silent = createServer((socket) => socket.on('error', () => undefined).resume());
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      port = (silent.address() as AddressInfo).port;
    });

    afterEach(() => {
      silent.close();
    });

    it.each(['http', 'git'])('ends %s after the time-out and leaves no process', async (scheme) => {
      const gone = new Promise<void>((resolve) => silent.on('connection', (socket) => socket.on('close', () => resolve())));
      const startedAt = performance.now();
      await expect(fixture.run(fixture.source(`${scheme}://127.0.0.1:${port}/a.git`, { timeoutMs: 500 }))).rejects.toThrow(
        new GitError('git ls-remote printed nothing for 0.5 s and was stopped'),
      );
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      await gone;
    });

    itInTorture('ends if the run is aborted', async () => {
      const stop = new AbortController();
      silent.on('connection', () => {
        stop.abort(new Error('shutting down'));
      });
      await expect(fixture.run(fixture.source(`http://127.0.0.1:${port}/a.git`), stop.signal)).rejects.toThrow('shutting down');
    });
  });
});

describe('GitSource on a folder', () => {
  const fixture = new GitFixture();

  afterAll(() => {
    fixture.folder.remove();
  });

  it('rejects a path that is not a repository, and says how to fix it', async () => {
    const run = (path: string) => fixture.run(fixture.source(path));
    mkdirSync(fixture.path('plain/inside'), { recursive: true });
    writeFileSync(fixture.path('file'), '');
    const right = 'give the folder of a git repository, or a clone address';
    await expect(run(fixture.path('missing'))).rejects.toThrow(new GitError(`"${fixture.path('missing')}" does not exist: ${right}`));
    await expect(run(fixture.path('file'))).rejects.toThrow(new GitError(`"${fixture.path('file')}" is not a folder: ${right}`));
    await expect(run(fixture.path('plain'))).rejects.toThrow(
      new GitError(`"${fixture.path('plain')}" is not a git repository: give the folder that holds .git, a bare repository, or a clone address`),
    );
  });

  it('never uses a repository in a parent folder', async () => {
    for (const name of ['outer', 'with:colon']) {
      const outer = fixture.repository(name);
      outer.commit('secret', { 'docs/a': 'x\n' });
      outer.checkOut();
      await expect(fixture.run(fixture.source(join(outer.path, 'docs')))).rejects.toThrow('is not a git repository: give the folder that holds .git');
    }
  });

  it('reports that git is not installed', async () => {
    fixture.repository('plain-git').commit('one');
    const environment = { PATH: fixture.path('nothing') };
    await expect(fixture.run(fixture.source(fixture.path('plain-git'), { environment }))).rejects.toThrow('git is not installed, or not in PATH');
  });

  itInTorture('ignores the variables that a hook sets', async () => {
    const one = fixture.repository('one');
    const sha = one.commit('meant');
    const two = fixture.repository('two');
    two.commit('other');
    const environment = { PATH: process.env['PATH'], GIT_DIR: join(two.path, '.git'), GIT_WORK_TREE: two.path, GIT_INDEX_FILE: '/none' };
    await fixture.run(fixture.source(one.path, { environment }));
    expect(fixture.store.commits().map((commit) => commit.sha)).toEqual([sha]);
  });

  itInTorture('reads a linked worktree', async () => {
    const main = fixture.repository('linked-main');
    const sha = main.commit('base');
    main.git('worktree', 'add', '--quiet', '-b', 'side', fixture.path('linked'));
    const other = new GitFixture();
    await other.run(other.source(fixture.path('linked')));
    expect(other.commit(sha).branch).toBe('side');
    other.folder.remove();
  });
});
