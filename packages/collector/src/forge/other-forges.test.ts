import { ForgeFixture } from '../../test/forge/forge-fixture.js';
import * as giteaDocuments from '../../test/forge/gitea-documents.js';
import * as gitlabDocuments from '../../test/forge/gitlab-documents.js';
import { hiddenRepositoryId } from '../approvals/hidden-repository.js';

let forge: ForgeFixture;
afterEach(() => forge.close());

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

  it.each(['internal', 'private'])('hides a project that is %s, and nothing of it is read', async (visibility) => {
    forge.server.documents[base] = gitlabDocuments.project({ visibility });
    await forge.run(forge.source(api()));
    expect(await isHidden()).toBe(true);
    expect(forge.server.asked).toHaveLength(1);
  });
});
