import { MAX_ASSETS } from '@vitrine/core';
import fc from 'fast-check';
import * as giteaDocuments from '../../../test/forge/gitea-documents.js';
import * as githubDocuments from '../../../test/forge/github-documents.js';
import * as gitlabDocuments from '../../../test/forge/gitlab-documents.js';
import { ForgeAddresses } from '../git/forge-addresses.js';
import { itemsOf, platformOfAssets, type ForgeDialect, type ForgeOrigin, type ListKind } from './forge-dialect.js';
import { forgeRepository } from './forge-records.js';
import { gitea } from './gitea-dialect.js';
import { github } from './github-dialect.js';
import { gitlab } from './gitlab-dialect.js';
import { ownOf } from './read-pull-requests.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const name = { fullName: 'acme/widget', owner: 'acme', name: 'widget' };

function read(dialect: ForgeDialect, kind: ListKind, json: unknown) {
  const list = dialect.lists.find((one) => one.kind === kind);
  if (list === undefined) throw new Error(`no list of ${kind}s`);
  return list.read(json, originOf(dialect), NOW);
}

function originOf(dialect: ForgeDialect): ForgeOrigin {
  const addresses = new ForgeAddresses('https://git.acme.example/acme/widget', dialect.type);
  return { ref: 'acme/widget', name, label: 'Acme', type: dialect.type, addresses };
}

describe('GitHub', () => {
  it.each([
    ['queued', null, 'queued'],
    ['in_progress', null, 'running'],
    ['completed', 'success', 'succeeded'],
    ['completed', 'timed_out', 'failed'],
    ['completed', 'cancelled', 'cancelled'],
    ['completed', 'skipped', 'skipped'],
    ['completed', 'action_required', 'unknown'],
    ['something new', null, 'unknown'],
  ])('has a run that is %s with the conclusion %s as %s', (status, conclusion, state) => {
    expect(read(github, 'build', { workflow_runs: [githubDocuments.run(1, { status, conclusion })] })?.records).toMatchObject([{ state }]);
  });

  it.each([
    ['pull_request', 'another repository', { head_repository: { id: 777, full_name: 'eve/widget' } }, false],
    ['push', 'another repository', { head_repository: { id: 777 } }, false],
    ['pull_request', 'a fork that was deleted', { head_repository: null }, false],
    ['pull_request_target', 'a fork that is not named', { head_repository: undefined }, false],
    ['pull_request', 'a repository without an id', { head_repository: {} }, false],
    ['pull_request', 'the repository itself', {}, true],
    ['push', 'a repository that is not named', { head_repository: null }, true],
    [null, 'a repository that is not named', { head_repository: null }, true],
  ])('has a run for %s of %s only if it is not of a fork', (event, _, more, isShown) => {
    const page = read(github, 'build', { workflow_runs: [githubDocuments.run(1, { event, conclusion: 'failure', ...more })] });
    expect(page).toMatchObject({ ids: isShown ? ['github-1'] : [], invalid: 0 });
  });

  it('has a release with a plain version that is marked as a prerelease, and one whose tag says more', () => {
    const releases = [githubDocuments.release('v1.0.0', { prerelease: true }), githubDocuments.release('v1.0.0-rc.1', { prerelease: true })];
    expect(read(github, 'release', releases)?.records).toMatchObject([{ releaseType: 'prerelease' }, { releaseType: 'rc' }]);
  });

  it.each([
    [{ open_issues: 2, closed_issues: 0 }, 'planned', 0],
    [{ open_issues: 2, closed_issues: 1 }, 'active', 33],
    [{ open_issues: 0, closed_issues: 0, state: 'closed', closed_at: '2026-11-01T00:00:00Z' }, 'completed', 100],
    [{ open_issues: 1, closed_issues: 1, state: 'closed' }, 'completed', 50],
  ])('has a milestone with %j as a mission that is %s', (more, status, percent) => {
    const { records } = read(github, 'mission', [githubDocuments.milestone(3, more)]) ?? {};
    expect(records).toMatchObject([{ status, progress: { percent }, url: 'https://git.acme.example/acme/widget/milestone/3' }]);
  });
});

describe('the files of a release', () => {
  const filesOf = (dialect: ForgeDialect, document: unknown) => {
    const [record] = read(dialect, 'release', [document])?.records ?? [];
    return record?.kind === 'release' ? record.assets : null;
  };

  it('have their addresses at the forge, their sizes and platforms', () => {
    const base = 'https://git.acme.example/acme/widget/releases/download/v1%2B2';
    expect(filesOf(github, githubDocuments.release('v1+2', {}, ['widget-linux.tar.gz', 'a b.txt']))).toEqual([
      { name: 'widget-linux.tar.gz', platform: 'linux', size: 1_024, url: `${base}/widget-linux.tar.gz` },
      { name: 'a b.txt', platform: null, size: 1_024, url: `${base}/a%20b.txt` },
    ]);
    const [ofGitea] = giteaDocuments.documents()['/api/v1/repos/acme/widget/releases'] as readonly unknown[];
    expect(filesOf(gitea, ofGitea)).toMatchObject([{ name: 'widget-darwin-arm64.tar.gz', platform: 'macos', size: 1 }]);
  });

  it('are left out if their names are not public as they are, or their addresses are somewhere else', () => {
    const names = ['ada@example.org.zip', 'a\u0007b', '', 'x'.repeat(3_000), 'good.zip'];
    expect(filesOf(github, githubDocuments.release('v1', {}, names))?.map(({ name }) => name)).toEqual(['good.zip']);
    const [ofGitLab] = gitlabDocuments.documents()['/api/v4/projects/acme%2Fwidget/releases'] as readonly unknown[];
    expect(filesOf(gitlab, ofGitLab)).toBeUndefined();
    const many = Array.from({ length: 200 }, (_, index) => `f${String(index)}`);
    expect(filesOf(github, githubDocuments.release('v1', {}, many))).toHaveLength(MAX_ASSETS);
  });
});

describe('the description and the language of a repository', () => {
  const recordOf = (dialect: ForgeDialect, json: unknown) => {
    const found = dialect.readRepository(json, true);
    return found === null ? null : forgeRepository(originOf(dialect), found, NOW);
  };

  it('are as the forge says, on one line and without addresses', () => {
    expect(recordOf(github, githubDocuments.repository({ description: 'Widgets\nfor ada@example.org', language: 'TypeScript' }))).toMatchObject({
      description: expect.not.stringMatching(/ada@|\n/),
      language: 'TypeScript',
    });
    for (const nothing of [
      { description: null, language: null },
      { description: '', language: '' },
      { description: 4, language: {} },
    ])
      expect(Object.keys(recordOf(github, githubDocuments.repository(nothing)) ?? {})).not.toContain('description');
  });
});

describe('Gitea', () => {
  it('describes a repository, internal ones included', () => {
    expect(gitea.readRepository(giteaDocuments.repository(), true)).toEqual({
      ids: ['17'],
      isPublic: true,
      defaultBranch: 'main',
      description: '',
      language: null,
      withheld: [],
    });
    for (const more of [{ private: true }, { internal: true }])
      expect(gitea.readRepository(giteaDocuments.repository(more), true)).toMatchObject({ isPublic: false });
  });

  it('has a repository as public only if its owner is, as far as the server says what the owner is', () => {
    const isPublic = (owner: unknown) => gitea.readRepository(giteaDocuments.repository({ owner }), false)?.isPublic;
    const visibilities = ['public', null, undefined, 'limited', 'private', '', 'something new'];
    expect(visibilities.map((visibility) => isPublic({ login: 'acme', visibility }))).toEqual([true, true, true, false, false, false, false]);
    expect([isPublic(undefined), isPublic(null), isPublic({ visibility: 7 })]).toEqual([true, true, undefined]);
  });

  it('has releases, jobs and milestones', () => {
    const documents = giteaDocuments.documents('');
    expect(read(gitea, 'release', documents['/releases'])?.records).toMatchObject([
      { tagName: 'v1.1.0', platform: 'macos', publishedAt: Date.UTC(2026, 10, 19, 11) },
      { tagName: 'v1.0.0', releaseType: 'prerelease' },
    ]);
    expect(read(gitea, 'build', documents['/actions/tasks'])?.records).toMatchObject([
      {
        id: 'gitea-31',
        name: 'ci.yml: test',
        number: 12,
        state: 'succeeded',
        durationSeconds: 60,
        url: 'https://git.acme.example/acme/widget/actions/runs/12',
      },
      { id: 'gitea-30', state: 'running', finishedAt: null },
    ]);
    expect(read(gitea, 'mission', documents['/milestones'])?.records).toMatchObject([{ id: 'gitea-1', status: 'planned' }]);
    expect(read(gitea, 'commit', documents['/commits'])?.records).toMatchObject([{ authorLogin: 'ada' }]);
  });

  it.each([
    ['https://git.acme.example/acme/widget/actions/runs/4711', '/actions/runs/4711'],
    ['http://10.0.0.1:3000/git/acme/widget/actions/runs/12', '/actions/runs/12'],
    ['http://10.0.0.1:3000/actions/runs/actions/runs/13/jobs/0?x', '/actions/runs/13'],
    ['https://evil.example/actions/runs/4711x', '/actions/runs/12'],
    ['https://evil.example/actions/runs/../../x', '/actions/runs/12'],
    [null, '/actions/runs/12'],
  ])('has a job at the run that %j names, at its own address', (url, page) => {
    const tasks = [giteaDocuments.task(1, { url, run_number: 12 })];
    expect(read(gitea, 'build', { workflow_runs: tasks })?.records).toMatchObject([
      { number: 12, url: `https://git.acme.example/acme/widget${page}` },
    ]);
  });

  // All that Gitea 1.27 and Forgejo can say.
  it.each([
    ...[
      ['waiting', 'queued'],
      ['blocked', 'queued'],
      ['running', 'running'],
      ['cancelling', 'running'],
      ['success', 'succeeded'],
      ['failure', 'failed'],
    ],
    ...[
      ['cancelled', 'cancelled'],
      ['skipped', 'skipped'],
      ['unknown', 'unknown'],
      ['something new', 'unknown'],
    ],
  ])('has a job that is %s as %s', (status, state) => {
    expect(read(gitea, 'build', { workflow_runs: [giteaDocuments.task(1, { status })] })?.records).toMatchObject([{ state }]);
  });

  it('has jobs of pull requests under their numbers, and none that has the branch of a pull request of anybody', () => {
    const tasks = [
      giteaDocuments.task(1, { event: 'pull_request', head_branch: '#5' }),
      giteaDocuments.task(2, { event: 'pull_request_target', status: 'failure' }),
    ];
    expect(read(gitea, 'build', { workflow_runs: tasks })?.records).toMatchObject([{ id: 'gitea-1', branch: '#5' }]);
  });

  it.each(['1970-01-01T00:00:00Z', '1969-12-31T19:00:00-05:00', '1970-01-01T14:00:00+14:00', '0001-01-01T00:00:00Z'])(
    'does not believe %s, which Gitea sends where it knows no time',
    (none) => {
      const times = { run_started_at: none, created_at: none };
      const tasks = { workflow_runs: [giteaDocuments.task(1, { ...times, status: 'waiting' })] };
      expect(read(gitea, 'build', tasks)?.records).toMatchObject([{ state: 'queued', startedAt: null }]);
    },
  );
});

describe('GitLab', () => {
  it('has releases, pipelines and milestones', () => {
    const documents = gitlabDocuments.documents('');
    expect(read(gitlab, 'release', documents['/releases'])?.records).toMatchObject([
      { tagName: 'v1.1.0', platform: 'windows', sourceUrl: 'https://git.acme.example/acme/widget/-/tags/v1.1.0' },
      { tagName: 'v1.0.0' },
    ]);
    expect(read(gitlab, 'build', documents['/pipelines'])?.records).toMatchObject([
      {
        id: 'gitlab-70002',
        name: 'Pipeline',
        number: 2,
        state: 'succeeded',
        durationSeconds: 300,
        url: 'https://git.acme.example/acme/widget/-/pipelines/70002',
      },
      { state: 'running', durationSeconds: null },
    ]);
    expect(read(gitlab, 'mission', documents['/milestones'])?.records).toMatchObject([
      {
        id: 'gitlab-801',
        status: 'active',
        progress: { completed: 0, total: 0, percent: 0 },
        startedAt: Date.UTC(2026, 9, 1),
        targetAt: Date.UTC(2026, 11, 1),
        url: expect.stringMatching(/\/-\/milestones\/1$/),
      },
      { status: 'completed', progress: { completed: 0, total: 0, percent: 100 }, completedAt: null },
    ]);
  });

  it.each([
    ['2026-11-20', 'active', 'active'],
    ['2026-11-21', 'active', 'planned'],
    [null, 'active', 'planned'],
    ['2026-11-21', 'closed', 'completed'],
  ])('has a milestone that starts on %s and is %s as a mission that is %s', (start_date, state, status) => {
    expect(read(gitlab, 'mission', [gitlabDocuments.milestone(1, { start_date, state })])?.records).toMatchObject([{ status }]);
  });

  // All that the documentation of GitLab names.
  it.each([
    ...['created', 'waiting_for_resource', 'waiting_for_callback', 'preparing', 'pending', 'scheduled', 'manual'].map((status) => [status, 'queued']),
    ...[
      ['running', 'running'],
      ['canceling', 'running'],
      ['success', 'succeeded'],
      ['failed', 'failed'],
      ['canceled', 'cancelled'],
      ['skipped', 'skipped'],
    ],
    ['something new', 'unknown'],
  ])('has a pipeline that is %s as %s', (status, state) => {
    expect(read(gitlab, 'build', [gitlabDocuments.pipeline(1, { status })])?.records).toMatchObject([{ state }]);
  });

  it('has a pipeline of a merge request under its number, and not under the name of its branch', () => {
    const pipelines = [gitlabDocuments.pipeline(1, { source: 'merge_request_event', ref: 'refs/merge-requests/1/head' })];
    expect(read(gitlab, 'build', pipelines)?.records).toMatchObject([{ branch: 'refs/merge-requests/1/head' }]);
  });

  it('is public only if it says so, or shows it without a token', () => {
    const { visibility: _, ...silent } = gitlabDocuments.project();
    const isPublic = (json: unknown, isAnonymous: boolean) => gitlab.readRepository(json, isAnonymous)?.isPublic;
    expect([isPublic(gitlabDocuments.project(), false), isPublic(silent, true), isPublic(silent, false)]).toEqual([true, true, false]);
    expect([isPublic(gitlabDocuments.project({ visibility: 'internal' }), true), isPublic({ id: 1 }, true)]).toEqual([false, undefined]);
  });

  it('withholds what a token sees and the public does not', () => {
    const withheld = (more: object) => gitlab.readRepository(gitlabDocuments.project(more), false)?.withheld;
    const { ACCESS } = gitlabDocuments;
    expect(withheld(ACCESS)).toEqual([]);
    expect(withheld({ ...ACCESS, public_jobs: false })).toEqual(['build']);
    expect(withheld({ ...ACCESS, builds_access_level: 'private', releases_access_level: 'private' })).toEqual(['release', 'build']);
    expect(withheld({ ...ACCESS, merge_requests_access_level: 'private' })).toEqual(['pull request']);
    expect(withheld({})).toEqual(['release', 'build', 'mission', 'pull request']);
  });
});

describe.each([
  { dialect: github, list: githubDocuments.documents('')['/pulls'], pullRequest: githubDocuments.pullRequest },
  { dialect: gitea, list: giteaDocuments.documents('')['/pulls'], pullRequest: giteaDocuments.pullRequest },
  { dialect: gitlab, list: gitlabDocuments.documents('')['/merge_requests'], pullRequest: gitlabDocuments.mergeRequest },
])('the pull requests of $dialect.type', ({ dialect: { type, pullRequests }, list, pullRequest }) => {
  const readPage = (json: unknown) => itemsOf(json, pullRequests.item);
  const ownIn = (json: unknown) => readPage(json)?.items.flatMap((item) => ownOf(item) ?? []);

  it('are those of its own branches, with what became of them, and no words of people', () => {
    const [updatedAt, head] = [Date.UTC(2026, 10, 20, 8), 'f'.repeat(40)];
    expect(ownIn(list)).toEqual([
      { number: 3, branch: 'merged', head, base: 'main', opener: null, fate: 'merged', closedAt: type === 'gitlab' ? null : updatedAt, updatedAt },
      { number: 2, branch: 'open', head, base: 'main', opener: null, fate: 'open', closedAt: null, updatedAt },
      { number: 1, branch: 'topic', head, base: 'main', opener: null, fate: 'closed', closedAt: updatedAt, updatedAt },
    ]);
    const numbers = readPage(list)?.items.map(({ number }) => number);
    expect(numbers).toEqual(type === 'github' ? [5, 4, 3, 2, 1] : [6, 5, 4, 3, 2, 1]);
  });

  it('are none where a head is no commit or a branch has no possible name, and the rest is taken', () => {
    const sha = (text: unknown) => pullRequest(1, { sha: text });
    const branch = (text: unknown) => pullRequest(1, { ref: text, label: text, source_branch: text });
    const odd = [sha(''), sha('F'.repeat(40)), sha(`${'f'.repeat(40)}\n`), sha('../../etc/passwd'), branch(''), branch('x'.repeat(256))];
    expect(ownIn(odd)).toEqual([]);
    expect(readPage([...odd, pullRequest(2, {})])?.invalid).toBe(0);
    const invalid = [null, 7, [], {}, { ...pullRequest(1, {}), updated_at: 'soon' }, { ...pullRequest(1, {}), number: 'x', iid: -1 }];
    const page = readPage([...invalid, pullRequest(2, {})]);
    expect([page?.invalid, page?.items.map(({ number }) => number)]).toEqual([6, [2]]);
    expect([readPage({}), readPage(null)]).toEqual([null, null]);
    expect(readPage(Array.from({ length: 5_000 }, (_, index) => pullRequest(index, {})))?.items).toHaveLength(1_000);
  });
});

describe.each([github, gitea, gitlab])('the parsers of $type', (dialect) => {
  it('accept any JSON, and show nothing of what is not valid', () => {
    const keys = [
      'id',
      'iid',
      'tag_name',
      'draft',
      'title',
      'state',
      'sha',
      'author',
      'created_at',
      'workflow_runs',
      'private',
      'visibility',
      'open_issues',
      'number',
      'updated_at',
      'head',
      'base',
      'repo',
      'source_branch',
    ];
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 1 }), fc.array(tie('tree')), fc.dictionary(fc.constantFrom(...keys), tie('tree'))),
    }));
    fc.assert(
      fc.property(tree, (json) => {
        dialect.readRepository(json, true);
        for (const item of itemsOf(json, dialect.pullRequests.item)?.items ?? []) expect(ownOf(item)?.head ?? '').toMatch(/^(?:[0-9a-f]{40,64})?$/);
        for (const { kind } of dialect.lists) read(dialect, kind, json)?.records.forEach((record) => expect(record.kind).toBe(kind));
      }),
    );
  });
});

describe('platformOfAssets', () => {
  it.each([
    [['widget-linux-amd64.tar.gz', 'widget.deb', 'checksums.txt'], 'linux'],
    [['Widget-1.0-win64.zip'], 'windows'],
    [['Widget.dmg', 'widget-darwin-arm64.tgz'], 'macos'],
    [['app-release.apk'], 'android'],
    [['App.ipa'], 'ios'],
    [['widget-linux.tar.gz', 'widget.exe'], null],
    [['darwinia.txt', 'notes.md', 'rewind.zip'], null],
    [[], null],
  ])('of %j is %s', (names, platform) => {
    expect(platformOfAssets(names)).toBe(platform);
  });
});
