import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itInTorture } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import { bareEnvironment, type TemporaryRepository } from '../../../test/git/temporary-repository.js';

const SOMEBODY = '65534';
const IS_ROOT = process.getuid?.() === 0;
/** Only root can give files to other users. For other users these tests do not exist. */
const itAsRoot = IS_ROOT ? it : (): void => undefined;

const HOOKS = [
  'post-checkout',
  'post-index-change',
  'pre-auto-gc',
  'reference-transaction',
  'post-rewrite',
  'pre-commit',
  'post-merge',
  'fsmonitor-watchman',
];

/** A setting as a file of git has it. */
function settingOf([key, value]: readonly [string, string]): string {
  const [, section = '', subsection, name = ''] = /^(\w+)(?:\.(.+))?\.([\w-]+)$/.exec(key) ?? [];
  return `[${section}${subsection === undefined ? '' : ` "${subsection}"`}]\n\t${name} = ${JSON.stringify(value)}\n`;
}

describe('GitSource where other users may write', () => {
  let fixture: GitFixture;
  let repository: TemporaryRepository;

  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository();
    mkdirSync(fixture.path('traps'));
  });

  afterEach(() => {
    fixture.folder.remove();
  });

  /** A program that records its name when it is run. */
  const trap = (name: string): string => {
    const path = fixture.path(`traps/${name}`);
    writeFileSync(path, `#!/bin/sh\necho ${name} >> '${fixture.path('ran')}'\n`, { mode: 0o755 });
    return path;
  };
  const ran = () => (existsSync(fixture.path('ran')) ? new Set(readFileSync(fixture.path('ran'), 'utf8').trim().split('\n')) : new Set());
  const giveAway = (path: string) => {
    if (IS_ROOT) execFileSync('chown', ['--recursive', '--no-dereference', `${SOMEBODY}:${SOMEBODY}`, path]);
  };

  /** Sets every setting of a repository that runs a program or selects other files. */
  const plant = (gitDir: string): void => {
    const settings: Record<string, string> = {
      'core.repositoryFormatVersion': '1',
      'core.fsmonitor': trap('fsmonitor'),
      'core.sshCommand': trap('ssh'),
      'core.gitProxy': trap('proxy'),
      'core.pager': trap('pager'),
      'pager.diff-tree': 'true',
      'pager.for-each-ref': 'true',
      'core.editor': trap('editor'),
      'core.askPass': trap('askpass'),
      'core.alternateRefsCommand': trap('alternates'),
      'core.attributesFile': fixture.path('attributes'),
      'core.worktree': fixture.path('worktree'),
      'credential.helper': trap('credential'),
      'diff.external': trap('external'),
      'diff.trap.command': trap('diff'),
      'diff.trap.textconv': trap('textconv'),
      'filter.trap.clean': trap('clean'),
      'filter.trap.smudge': trap('smudge'),
      'filter.trap.process': trap('process'),
      'filter.trap.required': 'true',
      'merge.trap.driver': trap('merge'),
      'gpg.program': trap('gpg'),
      'gpg.ssh.program': trap('gpg-ssh'),
      'log.showSignature': 'true',
      'log.mailmap': 'true',
      'mailmap.file': fixture.path('mailmap'),
      'alias.diff-tree': `!${trap('alias')}`,
      'alias.rev-list': `!${trap('alias')}`,
      'remote.origin.url': `ext::${trap('ext')}`,
      'remote.origin.uploadpack': trap('uploadpack'),
      'remote.origin.promisor': 'true',
      'remote.origin.partialCloneFilter': 'blob:none',
      'extensions.partialClone': 'origin',
      'uploadpack.packObjectsHook': trap('pack-objects'),
      'include.path': fixture.path('included'),
    };
    writeFileSync(fixture.path('included'), `[diff]\n\texternal = ${trap('included')}\n[core]\n\thooksPath = ${join(gitDir, 'hooks')}\n`);
    const config = join(gitDir, 'config');
    const others = readFileSync(config, 'utf8').replace(/^\s*url = .*\n/gmu, '');
    writeFileSync(config, others + Object.entries(settings).map(settingOf).join(''));
    mkdirSync(join(gitDir, 'hooks'), { recursive: true });
    for (const hook of HOOKS) {
      rmSync(join(gitDir, 'hooks', hook), { force: true });
      symlinkSync(trap(hook), join(gitDir, 'hooks', hook));
    }
    mkdirSync(join(gitDir, 'info'), { recursive: true });
    mkdirSync(fixture.path('worktree'));
    for (const file of [join(gitDir, 'info/attributes'), fixture.path('attributes'), fixture.path('worktree/.gitattributes')]) {
      writeFileSync(file, '* diff=trap filter=trap merge=trap\n');
    }
    for (const file of [fixture.path('mailmap'), fixture.path('worktree/.mailmap')]) writeFileSync(file, 'Mallory <ada@example.org>\n');
  };

  const commits = (): string => {
    repository.commit('one', { a: 'a\n', '.gitattributes': '* diff=trap filter=trap\n' });
    repository.checkOut();
    const first = repository.git('rev-parse', 'HEAD');
    const signed = `author Ada <ada@example.org> 1700000100 +0000\ncommitter Ada <ada@example.org> 1700000100 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAd\n -----END PGP SIGNATURE-----\n\nsigned\n`;
    const last = repository.oddCommit('main', signed);
    repository.git('update-ref', 'refs/remotes/origin/main', last);
    repository.git('tag', '-m', 'Notes', 'v1.0.0', first);
    return first;
  };

  it('runs nothing that another user’s folder configures, and reads the same data from it', async () => {
    const first = commits();
    repository.git('config', 'remote.origin.url', '/srv/elsewhere');
    const plain = new GitFixture();
    await plain.run(plain.source(repository.path, { branches: null }));
    const gitDir = join(repository.path, '.git');
    plant(gitDir);
    repository.git('--git-dir', gitDir, '-c', 'core.worktree=', 'replace', '--graft', 'main');
    writeFileSync(join(gitDir, 'info/grafts'), `${first}\n`);
    writeFileSync(join(gitDir, 'objects/info/alternates'), `${fixture.path('worktree')}\n`);
    rmSync(fixture.path('ran'), { force: true });
    giveAway(repository.path);

    await fixture.run(fixture.source(repository.path, { branches: null }));
    expect(ran()).toEqual(new Set());
    expect(fixture.store.contents()).toEqual(plain.store.contents());
    plain.folder.remove();

    // If an object is missing, git would fetch it, and run the program that the configuration names for that.
    const blob = repository.git('-c', 'safe.directory=*', 'rev-parse', `${first}:a`);
    rmSync(join(gitDir, 'objects', blob.slice(0, 2), blob.slice(2)));
    const other = new GitFixture();
    expect((await other.run(other.source(repository.path, { branches: null }))).warnings).toEqual([expect.stringContaining('objects are missing')]);
    other.folder.remove();
    expect(ran()).toEqual(new Set());
  });

  itInTorture('is tested with settings that plain git does run', () => {
    commits();
    const gitDir = join(repository.path, '.git');
    repository.git('update-ref', 'refs/heads/other', 'main');
    plant(gitDir);
    const git = (...args: readonly string[]) => {
      const env = { ...bareEnvironment(fixture.folder.path), GIT_ALLOW_PROTOCOL: 'ext:ssh', GIT_DIR: gitDir };
      try {
        execFileSync('git', args, { env, cwd: fixture.path('worktree'), input: '', stdio: ['pipe', 'ignore', 'ignore'], timeout: 10_000 });
      } catch {
        // Only the programs that it has run are checked.
      }
    };
    // The filter would make git exit before it runs the diff programs.
    const unfiltered = ['process', 'smudge', 'required'].flatMap((setting) => ['-c', `filter.trap.${setting}=`]);
    git(...unfiltered, 'log', '-1', '-p', '--ext-diff', 'main~1');
    git(...unfiltered, 'log', '-1', '-p', '--textconv', 'main~1');
    git('log', '-1', 'main');
    git('status');
    git('update-ref', 'refs/heads/third', 'main');
    git('fetch', 'origin');
    git('fetch', 'ssh://git@a.example/b');
    for (const name of ['diff', 'textconv', 'gpg', 'fsmonitor', 'reference-transaction', 'ext', 'ssh']) expect([...ran()]).toContain(name);
  });

  const plantClone = (clones: string, address: string): void => {
    mkdirSync(clones, { recursive: true });
    const gitDir = join(clones, `${createHash('sha256').update(address).digest('hex').slice(0, 32)}.git`);
    repository.git('clone', '--quiet', '--bare', repository.path, gitDir);
    plant(gitDir);
  };

  itAsRoot('refuses a folder of clones that somebody else has prepared, and runs nothing of it', async () => {
    commits();
    const address = `file://${repository.path}`;
    plantClone(fixture.path('clones'), address);
    giveAway(fixture.path('clones'));
    await expect(fixture.run(fixture.source(address))).rejects.toThrow(
      `the folder for clones, "${fixture.path('clones')}", is not safe, because "${fixture.path('clones')}" belongs to another user: set the key cache to`,
    );
    expect(ran()).toEqual(new Set());
    expect(fixture.store.calls).toEqual([]);
  });

  itAsRoot('clones again instead of using a clone that somebody else has put there', async () => {
    commits();
    const address = `file://${repository.path}`;
    plantClone(fixture.path('clones'), address);
    giveAway(fixture.path('clones'));
    chownSync(fixture.path('clones'), 0, 0);
    await fixture.run(fixture.source(address));
    expect(ran()).toEqual(new Set());
    expect(fixture.branches()).toMatchObject({ one: 'main' });
  });

  it('uses no setting of a repository around the folder of clones', async () => {
    repository.commit('one');
    const outer = fixture.repository('outer');
    outer.git('config', 'core.sshCommand', trap('ssh'));
    outer.git('config', 'url.ssh://git@a.example/.insteadOf', 'file://');
    await fixture.run(fixture.source(`file://${repository.path}`, { cacheFolder: join(outer.path, 'clones') }));
    expect(ran()).toEqual(new Set());
    expect(fixture.branches()).toEqual({ one: 'main' });
  });

  itAsRoot('follows a link to a folder of somebody else, as a mounted volume is', async () => {
    commits();
    giveAway(repository.path);
    symlinkSync(repository.path, fixture.path('link'));
    await fixture.run(fixture.source(fixture.path('link'), { branches: null }));
    expect(fixture.branches()).toMatchObject({ one: 'main' });
  });
});
