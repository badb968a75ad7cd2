import { DAY } from '@vitrine/core';
import { ForgeFixture } from '../../../test/forge/forge-fixture.js';
import * as giteaDocuments from '../../../test/forge/gitea-documents.js';
import * as gitlabDocuments from '../../../test/forge/gitlab-documents.js';
import { hiddenRepositoryId } from '../../running/approvals.js';

let forge: ForgeFixture;
afterEach(() => forge.close());

/** What is known of pull requests, by branch. */
const fates = async (more: Parameters<ForgeFixture['pullRequests']>[0]) =>
  Object.fromEntries((await forge.pullRequests(more)).map(({ branch, fate }) => [branch, fate]));
const isHidden = async () => (await forge.sync(hiddenRepositoryId('acme/widget'))) !== null;

describe('a source of Gitea or Forgejo', () => {
  const base = '/api/v1/repos/Acme/widget';
  const source = () => forge.source({ type: 'gitea', api: `${forge.server.origin}/api/v1`, token: { variable: 'T', isRequired: true } });
  beforeEach(async () => {
    forge = await ForgeFixture.open(giteaDocuments.documents(base));
    forge.environment = { T: 'abc' };
    forge.server.hasEtags = false;
  });

  it('shows the newest 100 jobs and changes nothing while nothing changes, although the server has no ETags', async () => {
    const tasks = Array.from({ length: 120 }, (_, index) => giteaDocuments.task(1_000 - index));
    forge.server.documents[`${base}/actions/tasks`] = { workflow_runs: tasks, total_count: 120 };
    const made = source();
    expect(await forge.run(made)).toMatchObject({ warnings: [] });
    expect(await forge.of('build')).toHaveLength(100);
    expect(new Set(forge.server.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(['token abc']));
    expect(await forge.run(made)).toMatchObject({ stored: 0, removed: 0 });
    tasks.unshift(giteaDocuments.task(1_001));
    expect(await forge.run(made)).toMatchObject({ stored: 1, removed: 1 });
    expect((await forge.sync('gitea:acme/widget'))?.sourceType).toBe('gitea');
  });

  it('believes what a stranger has closed only after a pull request of the stranger was merged', async () => {
    forge.hasPullRequests = true;
    const by = (id: number) => ({ user: { id, login: `person${String(id)}` } });
    const pulls = [
      giteaDocuments.pullRequest(3, { label: 'stranger' }, by(77)),
      giteaDocuments.pullRequest(2, { label: 'deleted' }, by(-1)),
      giteaDocuments.pullRequest(1, { label: 'nobody' }, { user: null }),
      giteaDocuments.pullRequest(0, { label: 'owner' }),
    ];
    forge.server.documents[`${base}/pulls`] = pulls;
    const made = source();
    await forge.run(made);
    const config = { type: 'gitea', api: `${forge.server.origin}/api/v1` } as const;
    expect(await fates(config)).toEqual({ owner: 'closed' });
    pulls.unshift(
      ...[77, -1].map((id) =>
        giteaDocuments.pullRequest(100 + id, { label: `merged${String(id)}` }, { ...by(id), merged: true, updated_at: '2026-11-21T08:00:00Z' }),
      ),
    );
    await forge.run(made);
    expect(await fates(config)).toEqual({ owner: 'closed', stranger: 'closed', merged77: 'merged', 'merged-1': 'merged' });
  });

  it('reads the newest pull requests again at each run, because the server has no ETags, and keeps the others', async () => {
    forge.hasPullRequests = true;
    const made = source();
    const more = { type: 'gitea', api: `${forge.server.origin}/api/v1` } as const;
    await forge.run(made);
    expect(await fates(more)).toEqual({ merged: 'merged', open: 'open', topic: 'closed' });
    forge.server.documents[`${base}/pulls`] = [giteaDocuments.pullRequest(7, { label: 'next' }, { updated_at: '2026-11-21T08:00:00Z' })];
    forge.server.asked = [];
    await forge.run(made);
    expect(await fates(more)).toEqual({ merged: 'merged', open: 'open', topic: 'closed', next: 'closed' });
    const asked = forge.server.asked.filter(({ path }) => path.startsWith(`${base}/pulls`));
    expect(asked.map(({ path }) => path)).toEqual([`${base}/pulls?state=all&sort=recentupdate&limit=50`]);
  });

  it('reads all pages of milestones, although the server says only how many there are in all', async () => {
    const path = `${base}/milestones`;
    forge.server.unlinked = [path];
    for (const length of [1, 50, 51, 120, 480]) {
      forge.server.documents[path] = Array.from({ length }, (_, index) => giteaDocuments.milestone(index + 1));
      expect(await forge.run(source())).toMatchObject({ warnings: [] });
      expect(await forge.of('mission')).toHaveLength(length);
    }
    forge.server.documents[path] = [];
    expect(await forge.run(source())).toMatchObject({ warnings: [], removed: 480 });
  });

  it('takes back lists that are turned off, and does not even ask for them', async () => {
    const made = source();
    await forge.run(made);
    const off = { has_releases: false, has_actions: false, has_issues: false, has_pull_requests: false };
    forge.server.documents[base] = giteaDocuments.repository({ ...off, has_pull_requests: true });
    for (const list of ['releases', 'actions/tasks']) forge.server.faults[`${base}/${list}`] = (response) => response.writeHead(403).end('{}');
    forge.server.asked = [];
    expect(await forge.run(made)).toMatchObject({ removed: 4, warnings: [] });
    expect(await forge.of('mission')).toHaveLength(1);
    forge.server.documents[base] = giteaDocuments.repository(off);
    expect(await forge.run(made)).toMatchObject({ removed: 1, warnings: [] });
    expect(forge.server.asked.filter(({ path }) => /releases|tasks/.test(path))).toEqual([]);
    forge.server.documents[base] = giteaDocuments.repository({ has_releases: true, has_issues: true });
    forge.server.faults = {};
    await forge.run(made);
    expect([await forge.of('release'), await forge.of('build'), await forge.of('mission')].map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  it('goes on without jobs if the server has none', async () => {
    delete forge.server.documents[`${base}/actions/tasks`];
    expect(await forge.run(source())).toMatchObject({ warnings: [] });
    expect(await forge.of('release')).toHaveLength(2);
  });

  it('hides an internal repository', async () => {
    forge.server.documents[base] = giteaDocuments.repository({ internal: true });
    await forge.run(source());
    expect(await isHidden()).toBe(true);
  });
});

describe('a source of GitLab', () => {
  const base = '/api/v4/projects/Acme%2Fwidget';
  const api = () => ({ type: 'gitlab', api: `${forge.server.origin}/api/v4` }) as const;
  beforeEach(async () => {
    forge = await ForgeFixture.open(gitlabDocuments.documents(base));
    forge.environment = { T: 'glpat-abc' };
  });

  it('asks each address once, with its validator, while nothing changes', async () => {
    const made = forge.source(api());
    await forge.run(made);
    expect([await forge.of('release'), await forge.of('build'), await forge.of('mission')].map(({ length }) => length)).toEqual([2, 2, 2]);
    forge.server.statuses();
    expect(await forge.run(made)).toMatchObject({ stored: 0, removed: 0, warnings: [] });
    expect(forge.server.statuses()).toEqual({ 304: 4 });
  });

  it('has a mission as active from its start date on, although nothing changes at the forge', async () => {
    forge.server.documents[`${base}/milestones`] = [gitlabDocuments.milestone(1, { start_date: '2026-11-21' })];
    const made = forge.source(api());
    await forge.run(made);
    expect(await forge.of('mission')).toMatchObject([{ status: 'planned' }]);
    forge.now += DAY;
    await forge.run(made);
    expect(await forge.of('mission')).toMatchObject([{ status: 'active' }]);
    forge.server.statuses();
    await forge.run(made);
    expect(forge.server.statuses()).toEqual({ 304: 4 });
  });

  it('takes back lists that become visible to members only, and does not even ask for them', async () => {
    const made = forge.source({ ...api(), token: { variable: 'T', isRequired: true } });
    forge.server.documents[base] = gitlabDocuments.project(gitlabDocuments.ACCESS);
    await forge.run(made);
    expect(await forge.of('build')).toHaveLength(2);
    forge.server.documents[base] = gitlabDocuments.project({ ...gitlabDocuments.ACCESS, public_jobs: false });
    forge.server.asked = [];
    expect(await forge.run(made)).toMatchObject({ removed: 2 });
    expect(await forge.of('build')).toEqual([]);
    await forge.run(made);
    expect(forge.server.asked.filter(({ path }) => path.includes('pipelines'))).toEqual([]);
    expect(new Set(forge.server.asked.map(({ headers }) => headers['private-token']))).toEqual(new Set(['glpat-abc']));
  });

  it('knows its merge requests, unless only members may see them, and then does not even ask', async () => {
    forge.hasPullRequests = true;
    const token = { variable: 'T', isRequired: true };
    const made = forge.source({ ...api(), token });
    forge.server.documents[base] = gitlabDocuments.project(gitlabDocuments.ACCESS);
    await forge.run(made);
    expect(await fates(api())).toEqual({ merged: 'merged', open: 'open', topic: 'closed' });
    forge.server.documents[base] = gitlabDocuments.project({ ...gitlabDocuments.ACCESS, merge_requests_access_level: 'private' });
    forge.server.asked = [];
    for (let times = 0; times < 2; times++) await forge.run(made);
    expect(await fates(api())).toEqual({});
    expect(forge.server.asked.filter(({ path }) => path.includes('merge_requests'))).toEqual([]);
  });

  it.each(['internal', 'private'])('hides a project that is %s, and nothing of it is read', async (visibility) => {
    forge.server.documents[base] = gitlabDocuments.project({ visibility });
    await forge.run(forge.source(api()));
    expect(await isHidden()).toBe(true);
    expect(forge.server.asked).toHaveLength(1);
  });
});
