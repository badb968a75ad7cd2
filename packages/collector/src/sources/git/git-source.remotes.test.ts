import { isTorture, itInTorture, sampled } from '@vitrine/test-support';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFixture } from '../../../test/git/git-fixture.js';
import { TemporaryRepository } from '../../../test/git/temporary-repository.js';
import { readStoredRefs, type GitSourceOptions } from './git-source.js';

const URL = 'https://git.example.org/Acme/Widget';

type Setting = readonly [key: string, value: string];

describe('GitSource on a working copy', () => {
  let fixture: GitFixture;
  let repository: TemporaryRepository;

  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository();
  });

  afterEach(() => {
    fixture.folder.remove();
  });

  const run = (options: Partial<GitSourceOptions> = {}) => fixture.run(fixture.source(repository.path, { branches: null, ...options }));
  /** Only what a run reads first. */
  const refs = (options: Partial<GitSourceOptions> = {}) =>
    readStoredRefs(fixture.options(repository.path, { branches: null, ...options }), new AbortController().signal);
  const names = async () => (await refs()).refs.branches.map(({ name }) => name);
  const tags = () => fixture.store.releases().map(({ tagName }) => tagName);
  const pushed = (remote: string, branch: string, commit = 'HEAD') => {
    repository.git('update-ref', `refs/remotes/${remote}/${branch}`, commit);
  };
  /** A repository whose main was pushed to origin. An embargoed fix, which was not pushed, is on a branch and on main. */
  const embargoed = (): string => {
    repository.git('remote', 'add', 'origin', '/srv/elsewhere');
    repository.commit('public');
    pushed('origin', 'main');
    repository.git('tag', 'v1.0.0');
    repository.commit('unpushed on main');
    repository.git('checkout', '--quiet', '-b', 'fix');
    const secret = repository.commit('embargoed fix', { 'src/secret.ts': 'x\n' });
    repository.git('tag', '-m', 'not yet', 'v1.0.1');
    repository.git('tag', 'v1.0.1-light');
    return secret;
  };

  it('shows what was pushed, without the name of the remote, and nothing else', async () => {
    embargoed();
    expect(await run()).toMatchObject({ stored: 2, warnings: [] });
    expect(fixture.branches()).toEqual({ public: 'main' });
    expect(tags()).toEqual(['v1.0.0']);
    expect(JSON.stringify(fixture.store.contents())).not.toMatch(/embargoed|unpushed|secret|v1\.0\.1|not yet/);
    expect(fixture.store.repositories()[0]?.defaultBranch).toBe('main');
  });

  it('shows a fix and its tags after they were pushed, and hides what the remote no longer has', async () => {
    const secret = embargoed();
    await run();
    pushed('origin', 'main', secret);
    expect(await run()).toMatchObject({ stored: 4, removed: 0 });
    expect(fixture.branches()).toEqual({ public: 'main', 'unpushed on main': 'main', 'embargoed fix': 'main' });
    expect(tags()).toEqual(['v1.0.0', 'v1.0.1', 'v1.0.1-light']);
    pushed('origin', 'main', 'main~1');
    expect(await run()).toMatchObject({ removed: 4 });
    expect(fixture.branches()).toEqual({ public: 'main' });
    expect(tags()).toEqual(['v1.0.0']);
  });

  itInTorture('removes what an earlier selection has stored', async () => {
    embargoed();
    await run({ branches: 'local' });
    expect(fixture.branches()).toEqual({ public: 'fix', 'unpushed on main': 'fix', 'embargoed fix': 'fix' });
    expect(tags()).toEqual(['v1.0.0', 'v1.0.1', 'v1.0.1-light']);
    expect(await run()).toMatchObject({ removed: 4 });
    expect(fixture.branches()).toEqual({ public: 'main' });
    expect(tags()).toEqual(['v1.0.0']);
  });

  itInTorture('removes a tag that is not public even if the branches are the same', async () => {
    repository.git('remote', 'add', 'origin', '/srv/elsewhere');
    const base = repository.commit('public');
    pushed('origin', 'main');
    repository.commit('embargoed');
    repository.git('tag', 'v9');
    repository.git('reset', '--quiet', '--hard', base);
    await run({ branches: 'local' });
    expect(tags()).toEqual(['v9']);
    await run();
    expect(tags()).toEqual([]);
  });

  it('shows nothing, and reports it once, if nothing was fetched yet', async () => {
    repository.git('remote', 'add', 'origin', '/srv/elsewhere');
    repository.commit('embargoed');
    repository.git('tag', 'v1');
    expect(await run({ branches: ['main'] })).toEqual({
      stored: 0,
      unchanged: 0,
      removed: 0,
      warnings: [expect.stringMatching(/^git acme\/widget: no branch of the remote "origin" has been fetched or pushed yet, .* branches: local /)],
    });
    expect(fixture.store.commits()).toEqual([]);
    expect(tags()).toEqual([]);
  });

  it.each([
    ['fetch', 'refs/heads/*'],
    ['pushurl', null],
  ])('shows the branches of its remote, although %s of another one cannot be used', async (key, value) => {
    repository.git('remote', 'add', 'origin', '/srv/elsewhere');
    repository.commit('public');
    pushed('origin', 'main');
    repository.commit('embargoed');
    repository.git('remote', 'add', 'broken', '/srv/broken');
    if (value !== null) repository.git('config', `remote.broken.${key}`, value);
    else appendFileSync(join(repository.path, '.git', 'config'), `[remote "broken"]\n\t${key}\n`);
    await run({ remote: 'origin' });
    expect(fixture.branches()).toEqual({ public: 'main' });
  });

  it('shows all its branches and tags if there is no remote', async () => {
    repository.commit('base');
    repository.git('checkout', '--quiet', '-b', 'topic');
    repository.commit('work');
    repository.git('tag', 'v1');
    repository.git('checkout', '--quiet', '--detach');
    repository.commit('adrift');
    await run();
    expect(fixture.branches()).toEqual({ base: 'main', work: 'topic', adrift: null });
    expect(tags()).toEqual(['v1']);
  });

  itInTorture('shows neither a detached HEAD nor names of an unpushed mailmap', async () => {
    repository.git('remote', 'add', 'origin', '/srv/elsewhere');
    const sha = repository.commit('public', { '.mailmap': 'Ada Lovelace <ada@example.org>\n' });
    pushed('origin', 'main');
    repository.git('checkout', '--quiet', '--detach');
    repository.commit('adrift', { '.mailmap': 'Agent Ada <ada@example.org>\n' });
    repository.git('config', 'core.worktree', repository.path);
    await run();
    expect(fixture.branches()).toEqual({ public: 'main' });
    expect(fixture.commit(sha).authorName).toBe('Ada Lovelace');
  });

  it('reads a clone like any other, from packed refs, in a linked worktree and in a submodule', async () => {
    repository.commit('base');
    repository.git('branch', 'topic');
    repository.git('checkout', '--quiet', '-b', 'trunk');
    repository.commit('trunk');
    repository.git('branch', '-D', 'main');
    const copy = fixture.path('copy');
    repository.git('clone', '--quiet', repository.path, copy);
    repository.git('-C', copy, 'pack-refs', '--all');
    repository.git('-C', copy, 'worktree', 'add', '--quiet', '-b', 'secret', fixture.path('linked'));
    repository.git('-C', fixture.path('linked'), 'commit', '--quiet', '--allow-empty', '-m', 'secret');
    // To make a submodule starts more programs than the rest of this test.
    if (isTorture) repository.git('-C', copy, 'submodule', '--quiet', 'add', repository.path, 'sub');
    for (const path of [copy, fixture.path('linked'), ...(isTorture ? [`${copy}/sub`] : [])]) {
      const other = new GitFixture();
      await other.run(other.source(path, { branches: null }));
      expect(other.branches()).toEqual({ base: 'trunk', trunk: 'trunk' });
      expect(other.store.repositories()[0]?.defaultBranch).toBe('trunk');
      other.folder.remove();
    }
  });

  it.each([
    ['the usual name', ['develop', 'master', 'work'], 'master'],
    ['the branch that is checked out', ['develop', 'work'], 'work'],
    ['the only branch', ['develop'], 'develop'],
  ])('uses %s as the default branch if the remote HEAD is unknown', async (_, branches, expected) => {
    repository.git('remote', 'add', 'origin', '/srv/elsewhere');
    repository.commit('base');
    repository.git('checkout', '--quiet', '-b', 'work');
    for (const name of branches) pushed('origin', name);
    expect((await refs()).refs.defaultBranch).toBe(expected);
  });

  itInTorture('ignores refs of a remote that are not branches there', async () => {
    const embargo = embargoed();
    repository.git('remote', 'add', 'origin/team', '/srv/team');
    repository.git('config', '--add', 'remote.origin.fetch', '+refs/pull/*/head:refs/remotes/origin/pr/*');
    repository.git('config', '--add', 'remote.origin.fetch', '+refs/changes/1:refs/remotes/origin/change');
    repository.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/fix');
    repository.git('symbolic-ref', 'refs/remotes/origin/alias', 'refs/heads/fix');
    for (const name of ['team/main', 'pr/7', 'change']) pushed('origin', name, embargo);
    await run();
    expect(fixture.branches()).toEqual({ public: 'main' });
    expect(tags()).toEqual(['v1.0.0']);
  });

  describe('with a remote that pushes to another address', () => {
    const ELSEWHERE = 'https://ada:secret@private.example/acme/widget';
    const OTHER = /^".*" pushes to another repository than the one that its remote "origin" fetches from, .*: give the clone address /;
    const remote = (...settings: readonly Setting[]) => {
      repository.git('remote', 'add', 'origin', URL);
      for (const [key, value] of settings) repository.git('config', '--add', key, value);
      repository.commit('public');
      pushed('origin', 'main');
      repository.commit('pushed only there');
      pushed('origin', 'fix');
    };
    const PUSH = 'remote.origin.pushurl';

    it.each(
      sampled<readonly [string, readonly Setting[]]>(
        [
          ['a pushurl', [[PUSH, ELSEWHERE]]],
          ['a pushurl on this machine', [[PUSH, '/srv/private']]],
          ['a relative pushurl', [[PUSH, '../private']]],
          ['an empty pushurl', [[PUSH, '']]],
          [
            'one of several pushurls',
            [
              [PUSH, URL],
              [PUSH, ELSEWHERE],
            ],
          ],
          [
            'a pushurl that git rewrites',
            [
              [PUSH, 'acme:Acme/Widget'],
              [`url.${ELSEWHERE}/.insteadOf`, 'acme:'],
            ],
          ],
          ['a rule pushInsteadOf', [[`url.${ELSEWHERE}/.pushInsteadOf`, 'https://git.example.org/']]],
          ['a second url', [['remote.origin.url', ELSEWHERE]]],
        ],
        3,
      ),
    )('rejects %s to another repository, shows no address and stores nothing', async (_, settings) => {
      remote(...settings);
      const error: unknown = await run().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: expect.stringMatching(OTHER) });
      expect(String(error)).not.toMatch(/secret|private/);
      expect(fixture.store.calls).toEqual([]);
    });

    it.each(
      sampled<readonly [string, readonly Setting[]]>(
        [
          ['no pushurl', []],
          ['the same address', [[PUSH, URL]]],
          ['the same repository by ssh', [[PUSH, 'git@git.example.org:Acme/Widget.git']]],
          [
            'the same repository by several addresses',
            [
              [PUSH, `${URL}.git`],
              [PUSH, 'ssh://git@git.example.org:2222/Acme/Widget/'],
            ],
          ],
          ['the same repository by a rule pushInsteadOf', [['url.git@git.example.org:.pushInsteadOf', 'https://git.example.org/']]],
          ['a rule pushInsteadOf for other addresses', [[`url.${ELSEWHERE}/.pushInsteadOf`, 'https://other.example/']]],
          [
            'a rule pushInsteadOf that a pushurl overrides',
            [
              [PUSH, URL],
              [`url.${ELSEWHERE}/.pushInsteadOf`, 'https://git.example.org/'],
            ],
          ],
          [
            'a pushurl that switches pushing off',
            [
              [PUSH, 'no_push'],
              [PUSH, 'DISABLED'],
              [PUSH, '/dev/null'],
            ],
          ],
          [
            'another remote with a pushurl',
            [
              ['remote.mirror.url', '/srv/mirror'],
              ['remote.mirror.pushurl', ELSEWHERE],
            ],
          ],
        ],
        3,
      ),
    )('accepts the branches of a remote with %s', async (_, settings) => {
      remote(...settings);
      expect(await names()).toEqual(['main', 'fix']);
    });

    itInTorture('accepts the branches that the configuration lists, or all of the folder', async () => {
      remote([PUSH, ELSEWHERE]);
      await run({ branches: ['main'] });
      expect(fixture.branches()).toEqual({ public: 'main' });
      await run({ branches: 'local' });
      expect(Object.keys(fixture.branches()).sort()).toEqual(['public', 'pushed only there']);
    });

    itInTorture('rejects it for a remote that was configured by name', async () => {
      remote([PUSH, ELSEWHERE]);
      await expect(run({ remote: 'origin' })).rejects.toThrow(OTHER);
    });

    it.each(
      sampled(
        [
          ['in the same folder', '+refs/heads/*:refs/remotes/origin/*'],
          ['in a folder below it', '+refs/heads/*:refs/remotes/origin/private/*'],
          ['by one name', 'refs/heads/fix:refs/remotes/origin/fix'],
          ['in the folder of all remotes', '+refs/heads/*:refs/remotes/*'],
        ],
        4,
      ),
    )('rejects it if another remote stores its branches %s', async (_, refspec) => {
      remote(['remote.private.url', ELSEWHERE], ['remote.private.fetch', refspec]);
      await expect(run()).rejects.toThrow(/ keeps branches of its remote "private" among those of "origin", .*: give the clone address /);
      await run({ branches: ['main'] });
      expect(fixture.branches()).toEqual({ public: 'main' });
      repository.git('config', 'remote.private.url', `${URL}.git`);
      expect(await names()).toEqual(['main', 'fix']);
    });

    itInTorture('accepts a remote whose address only a remote helper knows', async () => {
      remote(['remote.origin.vcs', 'elsewhere']);
      repository.git('config', '--unset', 'remote.origin.url');
      await run();
      expect(Object.keys(fixture.branches()).sort()).toEqual(['public', 'pushed only there']);
    });
  });

  describe('with several remotes', () => {
    const remote = (name: string, address: string) => {
      repository.git('remote', 'add', name, address);
      repository.git('checkout', '--quiet', '--orphan', `at-${name}`);
      pushed(name, 'main', repository.commit(name));
    };
    const shown = () => Object.keys(fixture.branches()).join(' ');

    it.each(
      sampled(
        [
          'https://ada:secret@git.example.org/Acme/Widget',
          `${URL}.git`,
          'git@git.example.org:Acme/Widget.git',
          'ssh://git@GIT.example.org:2222/Acme/Widget/',
        ],
        4,
      ),
    )('uses the one with the address %s', async (address) => {
      remote('origin', 'https://git.example.org/ada/widget');
      remote('upstream', address);
      await run();
      expect(shown()).toBe('upstream');
      expect(JSON.stringify(fixture.store.contents())).not.toContain('secret');
    });

    itInTorture('uses the one whose address git rewrites to that of the repository', async () => {
      repository.git('config', 'url.https://git.example.org/.insteadOf', 'acme:');
      remote('origin', 'acme:ada/Widget');
      remote('upstream', 'acme:Acme/Widget');
      await run();
      expect(shown()).toBe('upstream');
    });

    itInTorture('uses origin if none has the address, and always the configured one', async () => {
      remote('fork', '/srv/fork');
      remote('origin', '/srv/origin');
      await run();
      expect(shown()).toBe('origin');
      await run({ remote: 'fork' });
      expect(shown()).toBe('fork');
    });

    it('asks for the key remote if the choice is ambiguous, without showing an address', async () => {
      remote('one', 'https://ada:secret@one.example/w');
      remote('two', '/srv/two');
      const choice = `set the key remote to one of one, two`;
      await expect(run()).rejects.toThrow(
        `"${repository.path}" has several remotes, and none of them is called origin or has the address ${URL}; ${choice}`,
      );
      await expect(run({ remote: 'three' })).rejects.toThrow(`"${repository.path}" has no remote "three"; ${choice}`);
      expect(fixture.store.calls).toEqual([]);
    });
  });

  describe('with selected branches', () => {
    beforeEach(() => {
      repository.commit('base');
      repository.git('tag', 'v1');
      for (const branch of ['release/1', 'release/1/hotfix', 'work']) {
        repository.git('checkout', '--quiet', '-b', branch.replace('1/', '1-'), 'main');
        repository.commit(branch);
        repository.git('tag', `of-${branch.replaceAll('/', '-')}`);
      }
      repository.git('checkout', '--quiet', '--detach');
      repository.commit('adrift');
    });

    it('shows them and the tags on them, and reports a pattern that matches nothing', async () => {
      const report = await run({ branches: ['main', 'release/*', 'gone'] });
      expect(report.warnings).toEqual(['git acme/widget: no branch matches "gone" of the key branches']);
      expect(fixture.branches()).toEqual({ base: 'main', 'release/1': 'release/1', 'release/1/hotfix': 'release/1-hotfix' });
      expect(tags()).toEqual(['of-release-1', 'of-release-1-hotfix', 'v1']);
      await run({ branches: ['main'] });
      expect(fixture.branches()).toEqual({ base: 'main' });
      expect(tags()).toEqual(['v1']);
    });

    itInTorture('selects among those of a remote, of a bare repository and of a clone', async () => {
      repository.git('clone', '--quiet', repository.path, fixture.path('copy'));
      repository.git('clone', '--quiet', '--bare', repository.path, fixture.path('bare'));
      repository.git('remote', 'add', 'origin', '/srv/elsewhere');
      pushed('origin', 'main', 'main');
      pushed('origin', 'secret', 'main~0');
      for (const location of [repository.path, fixture.path('copy'), fixture.path('bare'), `file://${repository.path}`]) {
        const other = new GitFixture();
        await other.run(other.source(location, { branches: ['main'] }));
        expect(other.branches()).toEqual({ base: 'main' });
        expect(other.store.releases().map(({ tagName }) => tagName)).toEqual(['v1']);
        other.folder.remove();
      }
    });
  });

  it('shows the branches of a bare repository, which were pushed into it, whatever its remotes are', async () => {
    repository.commit('base');
    repository.git('clone', '--quiet', '--bare', repository.path, fixture.path('bare'));
    await fixture.run(fixture.source(fixture.path('bare'), { branches: null }));
    expect(fixture.branches()).toEqual({ base: 'main' });
  });

  itInTorture('publishes no tag that moves to a hidden commit while it is read', async () => {
    const secret = embargoed();
    const fetched = repository.git('rev-parse', 'refs/remotes/origin/main');
    const { store } = fixture;
    const put = store.put.bind(store);
    // The source stores the first commits after it has listed the refs, and before it reads the tags.
    store.put = (records) => {
      if (records[0]?.kind === 'commit') repository.git('update-ref', 'refs/tags/v1.0.0', secret, fetched);
      return put(records);
    };
    await run();
    expect(tags()).toEqual([]);
    store.put = put;
    repository.git('update-ref', 'refs/tags/v1.0.0', fetched);
    await run();
    expect(tags()).toEqual(['v1.0.0']);
  });
});
