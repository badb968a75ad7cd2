import { writeFileSync } from 'node:fs';
import { itInTorture, sampled } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import type { TemporaryRepository } from '../../../test/git/temporary-repository.js';
import type { GitSource } from './git-source.js';
import { pendingSync } from '../../running/registered-source.js';

describe('GitSource', () => {
  let fixture: GitFixture;
  let repository: TemporaryRepository;
  let source: GitSource;

  beforeEach(() => {
    fixture = new GitFixture();
    repository = fixture.repository();
    source = fixture.source(repository.path);
  });

  afterEach(() => {
    fixture.folder.remove();
  });

  it('stores a commit with its changes, its public address and no e-mail address', async () => {
    repository.commit('feat: start', { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' });
    const sha = repository.commit('fix(core): hold the line\n\nWhy: ada@example.org said so.\n\nCo-authored-by: Bob <bob@example.org>\n', {
      'src/a.ts': 'a\nb\nc\n',
      'src/b.ts': null,
    });
    const report = await fixture.run(source);
    expect(report).toEqual({ stored: 2, unchanged: 0, removed: 0, warnings: [] });
    expect(fixture.commit(sha)).toEqual({
      kind: 'commit',
      repositoryRef: 'acme/widget',
      sha,
      title: 'fix(core): hold the line',
      description: 'Why:  said so.\n\nCo-authored-by: Bob',
      authorName: 'Ada',
      authorLogin: '',
      branch: 'main',
      additions: 2,
      deletions: 1,
      filesChanged: 2,
      changeType: 'fix',
      committedAt: 1_700_000_120_000,
      changedPaths: ['src/a.ts', 'src/b.ts'],
      provenance: {
        source: 'Acme git',
        sourceKind: 'official-source',
        sourceUrl: `https://git.example.org/Acme/Widget/commit/${sha}`,
        observedAt: fixture.now,
        publishedAt: 1_700_000_120_000,
        confidence: 'high',
        isOfficialSource: true,
      },
    });
  });

  it('writes the repository first and the sync record last, and nothing else when nothing is new', async () => {
    repository.commit('one');
    repository.git('tag', 'v1.0.0');
    await fixture.run(source);
    expect(fixture.store.calls).toEqual(['put repository 1', 'put commit 1', 'put release 1', 'put repository 1', 'put sync 1']);
    expect(fixture.store.repositories()).toMatchObject([
      { fullName: 'Acme/Widget', defaultBranch: 'main', lastSyncedAt: fixture.now, provenance: { sourceUrl: 'https://git.example.org/Acme/Widget' } },
    ]);
    expect(await fixture.store.sync('git:acme/widget')).toMatchObject({
      feeds: ['repository', 'commit', 'release'],
      lastSuccessAt: fixture.now,
      intervalMs: 60_000,
    });
    fixture.store.calls.length = 0;
    expect(await fixture.run(source)).toEqual({ stored: 0, unchanged: 2, removed: 0, warnings: [] });
    expect(fixture.store.calls).toEqual(['put repository 1', 'put sync 1']);
    expect(fixture.store.repositories()[0]?.lastSyncedAt).toBe(fixture.now);
  });

  it('dates a repository to when it was first stored until a run completes, then to the start of that run', async () => {
    repository.commit('one');
    const firstAttemptAt = fixture.now - 60_000;
    await fixture.store.put([{ ...pendingSync(source.registration, source.intervalMs), firstAttemptAt }]);
    const lastSyncedAt = () => fixture.store.repositories()[0]?.lastSyncedAt;
    const attempts: (number | undefined)[] = [];
    const starts: number[] = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      fixture.store.calls.length = 0;
      fixture.store.failsAt = 2;
      await fixture.run(source).catch(() => undefined);
      starts.push(fixture.now);
      attempts.push(lastSyncedAt());
    }
    expect(attempts).toEqual([starts[0], starts[0]]);
    fixture.store.failsAt = Infinity;
    await fixture.run(source);
    expect(lastSyncedAt()).toBe(fixture.now);
  });

  it('reads only what is new', async () => {
    const first = repository.commit('one');
    await fixture.run(source);
    const observed = fixture.commit(first).provenance.observedAt;
    repository.commit('two');
    expect(await fixture.run(source)).toMatchObject({ stored: 1, unchanged: 1, removed: 0 });
    expect(fixture.commit(first).provenance.observedAt).toBe(observed);
  });

  it('gives a commit the default branch, or else the first branch by name in byte order', async () => {
    repository.commit('base');
    repository.git('checkout', '--quiet', '-b', 'zeta');
    repository.commit('on both');
    repository.git('branch', 'alpha');
    repository.git('branch', 'Beta');
    repository.commit('on zeta alone');
    repository.git('checkout', '--quiet', 'main');
    repository.commit('on main');
    await fixture.run(source);
    expect(fixture.branches()).toEqual({ base: 'main', 'on main': 'main', 'on both': 'Beta', 'on zeta alone': 'zeta' });
  });

  it('names the branch to which HEAD leads through an old name, and reads a branch that points at a tag', async () => {
    repository.commit('base');
    repository.git('checkout', '--quiet', '-b', 'topic');
    const work = repository.commit('work');
    repository.tagObject('v1', work, 'tagger Ada <ada@example.org> 1700000000 +0000\n\nnotes\n');
    repository.git('update-ref', 'refs/heads/topic', repository.git('rev-parse', 'refs/tags/v1'));
    writeFileSync(`${repository.path}/.git/refs/heads/alias`, 'ref: refs/heads/main\n');
    writeFileSync(`${repository.path}/.git/HEAD`, 'ref: refs/heads/alias\n');
    await fixture.run(source);
    expect(fixture.branches()).toEqual({ base: 'main', work: 'topic' });
    expect(fixture.store.repositories()[0]?.defaultBranch).toBe('main');
  });

  it('moves commits if their branch is merged or deleted', async () => {
    repository.commit('base');
    repository.git('checkout', '--quiet', '-b', 'topic');
    repository.commit('work');
    repository.git('branch', 'other');
    repository.git('checkout', '--quiet', 'main');
    await fixture.run(source);
    expect(fixture.branches()['work']).toBe('other');
    repository.git('branch', '-D', 'other');
    expect(await fixture.run(source)).toMatchObject({ stored: 1, unchanged: 1 });
    expect(fixture.branches()['work']).toBe('topic');
    repository.git('reset', '--quiet', '--hard', 'topic');
    await fixture.run(source);
    expect(fixture.branches()).toEqual({ base: 'main', work: 'main' });
  });

  it('removes commits that a rewritten history no longer contains', async () => {
    repository.commit('base');
    const old = repository.commit('old');
    await fixture.run(source);
    repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    repository.commit('new');
    expect(await fixture.run(source)).toMatchObject({ stored: 1, removed: 1 });
    expect(fixture.store.commits().map(({ title }) => title)).toEqual(['base', 'new']);
    expect(() => fixture.commit(old)).toThrow();
  });

  it('completes a run that was interrupted at any write, as if it had never been', async () => {
    repository.commit('base', { a: '1\n' });
    repository.git('tag', 'v1.0.0');
    repository.git('branch', 'topic');
    repository.commit('gone', { a: '2\n' });
    await fixture.run(source);
    repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    repository.git('tag', '--delete', 'v1.0.0');
    repository.git('checkout', '--quiet', 'topic');
    repository.commit('new', { a: '3\n' });
    repository.git('tag', '-m', 'Notes', 'v2.0.0');
    const clean = new GitFixture();
    await clean.run(clean.source(repository.path));
    for (const call of sampled([1, 2, 3, 4, 5, 6, 7], 4)) {
      fixture.store.calls.length = 0;
      fixture.store.failsAt = call;
      await fixture.run(source).catch(() => undefined);
    }
    fixture.store.failsAt = Infinity;
    await fixture.run(source);
    expect(fixture.store.contents()).toEqual(clean.store.contents());
    clean.folder.remove();
  });

  itInTorture('creates all records again if the public address changes', async () => {
    const sha = repository.commit('one');
    repository.git('tag', 'v1.0.0');
    await fixture.run(source);
    const moved = fixture.source(repository.path, { url: 'https://gitlab.example.org/a/b.git/' });
    expect(await fixture.run(moved)).toMatchObject({ stored: 2, unchanged: 0 });
    expect(fixture.commit(sha).provenance.sourceUrl).toBe(`https://gitlab.example.org/a/b/-/commit/${sha}`);
    expect(fixture.store.releases()[0]?.sourceUrl).toBe('https://gitlab.example.org/a/b/-/tags/v1.0.0');
    expect(await fixture.run(moved)).toMatchObject({ stored: 0, unchanged: 2 });
  });

  itInTorture('changes nothing in a folder that it reads', async () => {
    repository.commit('one', { a: 'x' });
    const listing = () => repository.git('ls-files', '--debug') + repository.git('for-each-ref') + repository.git('count-objects', '-v');
    const before = listing();
    await fixture.run(source);
    expect(listing()).toBe(before);
  });

  itInTorture('creates the same records whatever the repository configures', async () => {
    repository.commit('one', { 'dir/ä.ts': 'a\nb\nc\n' });
    repository.git('mv', 'dir/ä.ts', 'dir/ö.ts');
    repository.commitWorkingCopy('two');
    await fixture.run(source);
    const settings = {
      'color.ui': 'always',
      'diff.renames': 'false',
      'log.showRoot': 'false',
      'core.quotePath': 'true',
      'log.date': 'relative',
      'diff.noprefix': 'true',
      'diff.orderFile': '/none',
    };
    for (const [key, value] of Object.entries(settings)) repository.git('config', key, value);
    const other = new GitFixture();
    await other.run(other.source(repository.path));
    expect(other.store.contents()).toEqual(fixture.store.contents());
    other.folder.remove();
  });

  it('uses the names in a mailmap', async () => {
    const sha = repository.commit('one', { '.mailmap': 'Ada Lovelace <ada@example.org>\n' });
    await fixture.run(source);
    expect(fixture.commit(sha).authorName).toBe('Ada Lovelace');
  });

  it('renames the authors of all commits, and of no others, if the mailmap has changed or is gone', async () => {
    const source = fixture.source(repository.path);
    const first = repository.commit('one', { a: '1\n' });
    const other = repository.oddCommit('other', 'author Eve <eve@example.org> 1 +0000\ncommitter Eve <eve@example.org> 1 +0000\n\nother');
    await fixture.run(source);
    const names = () => [first, other].map((sha) => fixture.commit(sha).authorName);
    for (const [mailmap, name] of [
      ['Ada Lovelace', 'Ada Lovelace'],
      ['Ada King', 'Ada King'],
      [null, 'Ada'],
    ] as const) {
      repository.commit('map', { '.mailmap': mailmap === null ? null : `${mailmap} <ada@example.org>\n` });
      const { stored } = await fixture.run(source);
      expect([names(), stored]).toEqual([[name, 'Eve'], fixture.store.commits().length - 1]);
    }
    expect(fixture.commit(first)).toMatchObject({ additions: 1, branch: 'main' });
    // The mailmap of the last run is gone from the repository, too.
    repository.commit('map', { '.mailmap': 'Grace <ada@example.org>\n' });
    await fixture.run(source);
    repository.git('reset', '--quiet', '--hard', first);
    repository.git('reflog', 'expire', '--expire=now', '--all');
    repository.git('gc', '--quiet', '--prune=now');
    await fixture.run(source);
    expect(names()).toEqual(['Ada', 'Eve']);
  });

  it('stops at once if the run is aborted', async () => {
    repository.commit('one');
    await expect(fixture.run(source, AbortSignal.abort(new Error('stop now')))).rejects.toThrow('stop now');
    expect(fixture.store.calls).toEqual([]);
  });

  it('writes nothing if the history cannot be read', async () => {
    repository.commit('one');
    await fixture.run(source);
    const before = fixture.store.contents();
    writeFileSync(`${repository.path}/.git/refs/heads/broken`, `${'1'.repeat(40)}\n`);
    await expect(fixture.run(source)).rejects.toThrow(/^git rev-list: fatal: bad object 1{40}/);
    expect(fixture.store.contents()).toEqual(before);
  });
});
