import { Allowlist, DAY, HOUR, type RecordWriter, type StoredRecord } from '@vitrine/core';
import { aCommit, aRelease, aMission } from '@vitrine/core/testing';
import { isTorture, sampled } from '@vitrine/test-support';
import { ForgeFixture } from '../../../test/forge/forge-fixture.js';
import * as documents from '../../../test/forge/github-documents.js';
import { hiddenRepositoryOf } from '../../running/approvals.js';
import { wrappedWriter } from '../../running/vouching.js';

const REPOSITORY = '/repos/Acme/widget';
const [SHA, OTHER] = ['b'.repeat(40), 'd'.repeat(40)];
const TOKEN = { variable: 'GITHUB_TOKEN', isRequired: false };
const HIDDEN = 'configuration:hidden:acme/widget';

const context = { signal: new AbortController().signal };

/** A commit as git knows it. */
const known = (sha: string) => aCommit({ sha, authorLogin: '' });

let forge: ForgeFixture;
beforeEach(async () => {
  forge = await ForgeFixture.open(documents.documents(REPOSITORY));
});
afterEach(() => forge.close());

const hidden = async () => {
  const sync = await forge.sync(HIDDEN);
  return sync === null ? null : hiddenRepositoryOf(sync);
};

/** Also without sync records, which tell of each run. */
const content = async () => (await forge.records()).filter(({ kind }) => kind !== 'sync');

/** The writer of a process that is killed at the end of a run. */
function withoutEnd(): RecordWriter {
  const { writer } = forge.store;
  const isLast = (records: readonly StoredRecord[]) => records.some((record) => record.kind === 'sync' && record.lastAttemptAt === forge.now);
  return { ...wrappedWriter(writer), put: async (...call) => (isLast(call[0]) ? Promise.reject(new Error('killed')) : writer.put(...call)) };
}

describe('ForgeSource', () => {
  it('stores the repository, releases with notes, builds, milestones as missions, and the logins of known commits', async () => {
    await forge.put([known(SHA)], 'git:acme/widget');
    expect(await forge.run(forge.source())).toMatchObject({ removed: 0, warnings: [] });
    const times = { observedAt: forge.now };
    expect(await forge.of('repository')).toMatchObject([
      { fullName: 'Acme/widget', defaultBranch: 'main', provenance: { source: 'github.com', sourceUrl: 'https://github.com/acme/widget', ...times } },
    ]);
    expect(await forge.of('release')).toMatchObject([
      { id: 'Acme/widget@v1.1.0', platform: 'linux', sourceUrl: 'https://github.com/acme/widget/releases/tag/v1.1.0' },
      { id: 'Acme/widget@v1.0.0', name: 'Widget v1.0.0', body: 'Notes of **v1.0.0**', platform: null, releaseType: 'stable' },
    ]);
    expect(await forge.of('build')).toMatchObject([
      {
        id: 'github-20000000002',
        name: 'CI',
        state: 'succeeded',
        trigger: 'push',
        branch: 'main',
        commitSha: 'a'.repeat(40),
        durationSeconds: 330,
        url: 'https://github.com/acme/widget/actions/runs/20000000002',
      },
      { id: 'github-20000000001', state: 'running', finishedAt: null, durationSeconds: null },
    ]);
    expect(await forge.of('mission')).toMatchObject([
      { title: 'Version 1', status: 'active', progress: { completed: 3, total: 4, percent: 75 }, targetAt: Date.UTC(2026, 11, 1, 8) },
    ]);
    expect(await forge.of('commit')).toMatchObject([{ sha: SHA, authorLogin: 'ada', title: aCommit().title }]);
    expect(await forge.sync('github:acme/widget')).toMatchObject({ sourceType: 'github', lastSuccessAt: forge.now });
  });

  it('asks each address once, with its validator, while nothing changes, and keeps all records', async () => {
    const source = forge.source();
    await forge.put([known(SHA)], 'git:acme/widget');
    await forge.run(source);
    const before = await content();
    forge.server.statuses();
    for (const again of [source, forge.restarted()]) {
      expect(await forge.run(again)).toMatchObject({ stored: 0, removed: 0, warnings: [] });
      expect(forge.server.statuses()).toEqual({ 304: 5 });
      expect(await content()).toEqual(before);
    }
  });

  it('follows changes: new notes, a deleted release, a release that became a draft, a run that has ended', async () => {
    const source = forge.source();
    await forge.run(source);
    const runs = [documents.run(20_000_000_003), documents.run(20_000_000_001)];
    forge.server.documents[`${REPOSITORY}/releases`] = [documents.release('v1.1.0', { body: 'New' }), documents.release('v1.0.0', { draft: true })];
    forge.server.documents[`${REPOSITORY}/actions/runs`] = { total_count: 2, workflow_runs: runs };
    forge.server.documents[`${REPOSITORY}/milestones`] = [];
    expect(await forge.run(source)).toMatchObject({ removed: 3 });
    expect(await forge.of('release')).toMatchObject([{ tagName: 'v1.1.0', body: 'New' }]);
    expect((await forge.of('build')).map(({ id, state }) => [id, state])).toEqual([
      ['github-20000000001', 'succeeded'],
      ['github-20000000003', 'succeeded'],
    ]);
    expect(await forge.of('mission')).toEqual([]);
  });

  it('removes only what no other source vouches for', async () => {
    const release = aRelease({ tagName: 'v1.0.0', id: 'acme/widget@v1.0.0', body: '' });
    await forge.put([release], 'git:acme/widget');
    const source = forge.source();
    await forge.run(source);
    expect(await forge.of('release')).toMatchObject([{ body: 'Notes of **v1.0.0**' }, {}]);
    forge.server.documents[`${REPOSITORY}/releases`] = [];
    await forge.run(source);
    expect(await forge.of('release')).toMatchObject([{ tagName: 'v1.0.0', body: '' }]);
  });

  it('reads pages by Link, and rereads only the page that has changed', async () => {
    const many = Array.from({ length: 250 }, (_, index) => documents.release(`v1.${String(index)}.0`));
    forge.server.documents[`${REPOSITORY}/releases`] = many;
    const source = forge.source();
    await forge.run(source);
    expect(await forge.of('release')).toHaveLength(250);
    many[249] = documents.release('v1.249.0', { body: 'New' });
    forge.server.statuses();
    expect(await forge.run(source)).toMatchObject({ stored: 1, removed: 0 });
    expect(forge.server.statuses()).toEqual({ 304: 6, 200: 1 });
    many.splice(100);
    await forge.run(source);
    expect(await forge.of('release')).toHaveLength(100);
  });

  it('ends where links lead in a circle, and never asks another host', async () => {
    forge.server.faults[`${REPOSITORY}/releases`] = (response) => {
      const link = '<https://evil.example/releases?page=2>; rel="next", <https://evil.example/?page=9>; rel="last"';
      response.writeHead(200, { link }).end(JSON.stringify([documents.release('v1')]));
    };
    await forge.run(forge.source());
    const pages = forge.server.asked.filter(({ path }) => path.includes('/releases'));
    expect(pages.map(({ path }) => path)).toEqual([`${REPOSITORY}/releases?per_page=100`, `${REPOSITORY}/releases?page=2`]);
  });

  it('says when there are more releases than it reads', async () => {
    forge.server.documents[`${REPOSITORY}/releases`] = Array.from({ length: 1_001 }, (_, index) => documents.release(`v${String(index)}`));
    const warnings = ['github acme/widget: only the newest 1000 releases are collected, because there are more'];
    const source = forge.source();
    expect(await forge.run(source)).toMatchObject({ warnings });
    expect(await forge.run(source)).toMatchObject({ warnings });
  });

  it('offers logins again until git has stored the commits, without asking again', async () => {
    const source = forge.source();
    await forge.run(source);
    expect(await forge.of('commit')).toEqual([]);
    await forge.put([known(SHA)], 'git:acme/widget');
    forge.server.statuses();
    expect(await forge.run(source)).toMatchObject({ stored: 1 });
    expect(forge.server.statuses()).toEqual({ 304: 5 });
    expect(await forge.of('commit')).toMatchObject([{ authorLogin: 'ada' }]);
  });

  it('reads logins again in a new process if some were not stored', async () => {
    await forge.run(forge.source());
    await forge.put([known(SHA)], 'git:acme/widget');
    await forge.run(forge.restarted());
    expect(await forge.of('commit')).toMatchObject([{ authorLogin: 'ada' }]);
  });

  it.each(['removed', 'cleared'])('reads all logins again if what was remembered is %s, also if some were not stored before', async (how) => {
    forge.server.documents[`${REPOSITORY}/commits`] = [documents.commit(SHA, 'ada'), documents.commit(OTHER, 'bob')];
    await forge.put([known(SHA)], 'git:acme/widget');
    const source = forge.source();
    await expect(forge.run(source, withoutEnd())).rejects.toThrow('killed');
    const sync = await forge.sync('github:acme/widget');
    if (sync === null) throw new Error('no sync record');
    await forge.store.writer.withdraw(sync.id, context);
    await forge.store.writer.remove([sync], context);
    if (how === 'cleared') await forge.put([{ ...sync, state: null }]);
    await forge.run(source);
    expect(await forge.of('commit')).toMatchObject([{ sha: SHA, authorLogin: 'ada' }]);
  });

  it('reads logins that were not stored again after a process that was killed while it stored another list', async () => {
    const source = forge.source();
    await forge.run(source);
    forge.server.documents[`${REPOSITORY}/releases`] = [];
    await expect(forge.run(source, withoutEnd())).rejects.toThrow('killed');
    await forge.put([known(SHA)], 'git:acme/widget');
    await forge.run(forge.restarted());
    expect(await forge.of('commit')).toMatchObject([{ authorLogin: 'ada' }]);
  });

  it('reads older commits once, and later only the new ones', async () => {
    const commits = Array.from({ length: 300 }, (_, index) => documents.commit(index.toString(16).padStart(40, '0'), index < 150 ? null : 'ada'));
    forge.server.documents[`${REPOSITORY}/commits`] = commits;
    await forge.put(
      commits.map(({ sha }) => known(sha)),
      'git:acme/widget',
    );
    const source = forge.source();
    await forge.run(source);
    expect((await forge.of('commit')).filter(({ authorLogin }) => authorLogin === 'ada')).toHaveLength(150);
    forge.server.statuses();
    commits.unshift(documents.commit(OTHER, 'bob'));
    await forge.run(source);
    expect(forge.server.statuses()).toEqual({ 304: 4, 200: 1 });
  });

  it.each(sampled([401, 403, 429, 500, 503], 4))('withdraws nothing when the forge responds with %d', async (status) => {
    const source = forge.source();
    await forge.run(source);
    const before = await content();
    forge.server.faults['*'] = (response) => response.writeHead(status).end('{"message":"no"}');
    await expect(forge.run(source)).rejects.toMatchObject({ code: status === 429 ? 'RATE_LIMITED' : `HTTP_${String(status)}` });
    expect(await content()).toEqual(before);
    expect(await hidden()).toBeNull();
    forge.server.faults = {};
    expect(await forge.run(source)).toMatchObject({ stored: 0, removed: 0 });
    expect(await content()).toEqual(before);
  });

  it('keeps a list that is refused, says so, and does not claim that its kind is fresh', async () => {
    const source = forge.source();
    await forge.run(source);
    const before = await forge.of('build');
    forge.server.faults[`${REPOSITORY}/actions/runs`] = (response) =>
      response.writeHead(403).end('{"message":"Resource not accessible by personal access token"}');
    expect(await forge.run(source)).toMatchObject({
      warnings: ['github acme/widget: the forge refuses the list of builds (http 403), so it is not collected'],
    });
    expect(await forge.of('build')).toEqual(before);
    expect((await forge.sync('github:acme/widget'))?.feeds).toEqual(['repository', 'release', 'mission', 'commit']);
  });

  it('says at every run what the store has refused of a list, also if another list has changed, until the list is repaired', async () => {
    const good = forge.server.documents[`${REPOSITORY}/releases`] as readonly unknown[];
    forge.server.documents[`${REPOSITORY}/releases`] = [...good, documents.release('v3-ada@acme.example')];
    const source = forge.source();
    const warnings = ['github acme/widget: releases: records that were left out, because their ids or addresses contain an email address: 1'];
    for (const change of [() => undefined, () => undefined, () => delete forge.server.documents[`${REPOSITORY}/milestones`]]) {
      change();
      expect(await forge.run(source)).toMatchObject({ warnings });
    }
    forge.server.documents[`${REPOSITORY}/releases`] = good;
    expect(await forge.run(source)).toMatchObject({ warnings: [] });
  });

  it('removes what a list had that the repository does not have any more', async () => {
    const source = forge.source();
    await forge.run(source);
    delete forge.server.documents[`${REPOSITORY}/milestones`];
    expect(await forge.run(source)).toMatchObject({ removed: 1, warnings: [] });
    expect(await forge.of('mission')).toEqual([]);
  });

  it('reads a repository without commits, and the commits when they are there', async () => {
    forge.server.faults[`${REPOSITORY}/commits`] = (response) => response.writeHead(409).end('{"message":"Git Repository is empty."}');
    const source = forge.source();
    for (let times = 0; times < 2; times++) expect(await forge.run(source)).toMatchObject({ warnings: [] });
    expect((await forge.sync('github:acme/widget'))?.lastSuccessAt).not.toBeNull();
    forge.server.faults = {};
    await forge.put([known(SHA)], 'git:acme/widget');
    await forge.run(source);
    expect(await forge.of('commit')).toMatchObject([{ authorLogin: 'ada' }]);
  });

  it.each(['releases', 'actions/runs', 'milestones'])('keeps the %s if the forge answers 409, which says nothing of them', async (list) => {
    const source = forge.source();
    await forge.run(source);
    const before = await content();
    forge.server.faults[`${REPOSITORY}/${list}`] = (response) => response.writeHead(409).end('{"message":"Conflict"}');
    await expect(forge.run(source)).rejects.toMatchObject({ code: 'HTTP_409' });
    expect(await content()).toEqual(before);
  });

  it('keeps what was read before a list failed, and fails', async () => {
    forge.server.faults[`${REPOSITORY}/milestones`] = (response) => response.writeHead(502).end('<html>');
    const source = forge.source();
    await expect(forge.run(source)).rejects.toMatchObject({ code: 'HTTP_502' });
    expect(await forge.of('release')).toHaveLength(2);
    expect(await forge.sync('github:acme/widget')).toMatchObject({ lastSuccessAt: null });
    forge.server.faults = {};
    forge.server.statuses();
    await forge.run(source);
    expect(forge.server.statuses()).toEqual({ 304: 3, 200: 2 });
    expect(await forge.of('mission')).toHaveLength(1);
  });

  it.each(
    sampled(
      [
        ['HTML', '<!DOCTYPE html><html></html>'],
        ['a list', '[]'],
        ['null', 'null'],
        ['wrong types', '{"id":"x","private":"no"}'],
        ['no visibility', '{"id":1}'],
      ],
      4,
    ),
  )('fails on %s instead of a repository, and changes nothing', async (_, body) => {
    const source = forge.source();
    await forge.run(source);
    const before = await content();
    forge.server.faults[REPOSITORY] = (response) => response.writeHead(200).end(body);
    await expect(forge.run(source)).rejects.toMatchObject({ code: 'NOT_A_FORGE' });
    expect(await content()).toEqual(before);
    expect(await hidden()).toBeNull();
  });

  it('fails on a response that does not end, and changes nothing', async () => {
    const source = forge.source();
    await forge.run(source);
    const before = await content();
    forge.server.faults[`${REPOSITORY}/releases`] = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = (): void => void (response.destroyed || response.write(' '.repeat(1_000_000), write));
      write();
    };
    await expect(forge.run(source)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(await content()).toEqual(before);
  });

  it('leaves out items of a list that are not valid, and takes the rest', async () => {
    const hostile = [
      null,
      5,
      [],
      { tag_name: 7, draft: false },
      { tag_name: 'x' },
      documents.release('v3', { name: '\u0007', body: null, assets: 'no' }),
    ];
    forge.server.documents[`${REPOSITORY}/releases`] = [
      ...hostile,
      documents.release('v2', { html_url: 'javascript:alert(1)', published_at: 'soon' }),
    ];
    forge.server.documents[`${REPOSITORY}/actions/runs`] = {
      workflow_runs: [documents.run(1, { id: 1e300 }), documents.run(2, { conclusion: 'odd' })],
    };
    const { warnings } = await forge.run(forge.source());
    expect(warnings).toEqual([
      'github acme/widget: releases that were left out, because they are not valid: 5',
      'github acme/widget: builds that were left out, because they are not valid: 1',
    ]);
    expect(await forge.of('release')).toMatchObject([
      { tagName: 'v3', name: 'v3', body: '' },
      { tagName: 'v2', publishedAt: Date.UTC(2026, 10, 19, 10), sourceUrl: 'https://github.com/acme/widget/releases/tag/v2' },
    ]);
    expect(await forge.of('build')).toMatchObject([{ id: 'github-2', state: 'unknown' }]);
  });

  it('does nothing while its repository is not approved', async () => {
    forge.approved = Allowlist.of('acme/other').approved();
    expect(await forge.run(forge.source())).toMatchObject({ stored: 0, warnings: [expect.stringContaining('not approved any more')] });
    expect(forge.server.asked).toEqual([]);
  });
});

describe('ForgeSource, when the forge does not show the repository', () => {
  const gone = () => delete forge.server.documents[REPOSITORY];
  const isPrivate = () => (forge.server.documents[REPOSITORY] = documents.repository({ private: true, visibility: 'private' }));
  const isInternal = () => (forge.server.documents[REPOSITORY] = documents.repository({ private: false, visibility: 'internal' }));

  it.each([
    ['private', isPrivate],
    ['private', isInternal],
    ['gone', gone],
  ])('hides it (%s), keeps its records, and shows it again later', async (reason, change) => {
    const source = forge.source();
    await forge.run(source);
    const before = await content();
    change();
    const { warnings } = await forge.run(source);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^github acme\/widget: HIDDEN since 2026-11-20T14:00:00.000Z, because its forge .*; its records are removed after 2026-11-21T/,
      ),
    ]);
    expect(await hidden()).toMatchObject({ name: 'acme/widget', since: forge.now, reason });
    expect(await content()).toEqual(before);
    // Every process subtracts it from the allowlist then, and the source goes on.
    forge.approved = Allowlist.of().approved();
    const since = forge.now;
    expect(await forge.run(source)).toMatchObject({ warnings });
    expect((await hidden())?.since).toBe(since);
    forge.server.documents[REPOSITORY] = documents.repository();
    expect(await forge.run(forge.restarted())).toMatchObject({ warnings: [] });
    expect(await hidden()).toBeNull();
    expect(await content()).toEqual(before);
  });

  it('hides it at once, although the records of lists could still be read', async () => {
    const source = forge.source();
    isPrivate();
    await forge.run(source);
    expect(await content()).toEqual([]);
    expect(forge.server.asked).toHaveLength(1);
  });

  it('removes the records of all its sources after a day of the same answer, and no others', async () => {
    const others = [aMission({ id: 'x', repositoryRef: '-' }), aRelease({ repositoryRef: 'acme/gadget', id: 'acme/gadget@v1' })];
    await forge.put(others, 'records:x');
    await forge.put([known(SHA), aRelease({ tagName: 'v0.1.0', id: 'acme/widget@v0.1.0' })], 'git:acme/widget');
    await forge.put([aMission({ id: 'imported', repositoryRef: 'acme/widget' })]);
    const source = forge.source();
    const git = { ...(await syncOfGit()), state: 'what it knows' };
    await forge.put([git]);
    await forge.run(source);
    gone();
    await forge.run(source);
    for (let hours = 1; hours < 24; hours++) await forge.run(source);
    expect(await forge.of('commit')).toHaveLength(1);
    const { warnings, removed } = await forge.run(source);
    expect(removed).toBeGreaterThan(5);
    expect(warnings).toEqual([expect.stringContaining('its records were removed')]);
    expect((await content()).map((record) => 'id' in record && record.id)).toEqual(['acme/gadget@v1', 'x']);
    expect(await forge.sync('git:acme/widget')).toMatchObject({ state: null });
    expect(await forge.run(source)).toMatchObject({ removed: 0, warnings });
    expect(await hidden()).not.toBeNull();
  });

  it('reads all logins again when the repository is shown after its records were removed, also if some were not stored before', async () => {
    forge.server.documents[`${REPOSITORY}/commits`] = [documents.commit(SHA, 'ada'), documents.commit(OTHER, 'bob')];
    await forge.put([await syncOfGit()]);
    await forge.put([known(SHA)], 'git:acme/widget');
    const source = forge.source();
    await forge.run(source);
    const shown = forge.server.documents[REPOSITORY];
    gone();
    for (let hours = 0; hours <= 24; hours++) await forge.run(source);
    expect(await forge.of('commit')).toEqual([]);
    forge.server.documents[REPOSITORY] = shown;
    await forge.put([known(SHA)], 'git:acme/widget');
    await forge.run(source);
    expect(await forge.of('commit')).toMatchObject([{ sha: SHA, authorLogin: 'ada' }]);
  });

  it('removes nothing because the clock jumps ahead, also in a new process, until the forge has said so in twelve hours', async () => {
    await forge.run(forge.source());
    const before = await content();
    gone();
    await forge.run(forge.source());
    for (let hours = 2; hours < 12; hours++) {
      forge.now += hours === 2 ? 3_650 * DAY : 0;
      const { warnings } = await forge.run(forge.restarted());
      expect(warnings).toEqual([expect.stringContaining(`its records are removed when its forge has said so in ${String(12 - hours)} more hours`)]);
      // The same hour does not count twice.
      forge.now -= HOUR - 1;
      expect(await forge.run(forge.restarted())).toMatchObject({ warnings });
    }
    expect(await content()).toEqual(before);
    expect(await forge.run(forge.restarted())).toMatchObject({ warnings: [expect.stringContaining('its records were removed')] });
    expect(await content()).toEqual([]);
  });

  const syncOfGit = async () => {
    const sync = await forge.sync('git:acme/widget');
    const times = { firstAttemptAt: 1, lastAttemptAt: 1, lastSuccessAt: 1, lastFailureAt: null, lastFailureCode: null };
    const git = { kind: 'sync', id: 'git:acme/widget', sourceType: 'git', label: 'x', repositoryRef: 'acme/widget', feeds: ['commit'] } as const;
    return sync ?? { ...git, intervalMs: 60_000, ...times, state: null };
  };

  it('counts the day from the first answer of the same sort, and failures in between change nothing', async () => {
    const source = forge.source();
    await forge.run(source);
    isPrivate();
    await forge.run(source);
    forge.now += 20 * HOUR;
    forge.server.faults['*'] = (response) => response.writeHead(500).end();
    await expect(forge.run(source)).rejects.toThrow('500');
    forge.server.faults = {};
    expect(await hidden()).toMatchObject({ reason: 'private' });
    gone();
    forge.now += 10 * HOUR;
    await forge.run(source);
    expect(await hidden()).toMatchObject({ name: 'acme/widget', since: forge.now, reason: 'gone', answers: { count: 1 } });
    expect(await forge.of('release')).toHaveLength(2);
  });

  it('hides a repository with another id than the pinned one', async () => {
    forge.approved = new Allowlist([{ fullName: 'Acme/widget', owner: 'Acme', name: 'widget', forgeId: '99' }]).approved();
    await forge.run(forge.source({ ref: 'acme/widget#99' }));
    expect(await hidden()).toMatchObject({ reason: 'other-id' });
    expect(await content()).toEqual([]);
  });

  it.each(['4711', 'R_kgDOABCDEF'])('shows a repository with the pinned id %s', async (forgeId) => {
    forge.approved = new Allowlist([{ fullName: 'Acme/widget', owner: 'Acme', name: 'widget', forgeId }]).approved();
    await forge.run(forge.source({ ref: `acme/widget#${forgeId}` }));
    expect(await hidden()).toBeNull();
    expect(await forge.of('release')).toHaveLength(2);
  });

  it('follows a renamed repository only on the same host and with the id that it had', async () => {
    const source = forge.source();
    await forge.run(source);
    const moved = documents.documents('/repositories/4711');
    forge.server.documents = moved;
    forge.server.faults[REPOSITORY] = (response) => response.writeHead(301, { location: `${forge.server.origin}/repositories/4711` }).end('{}');
    forge.server.documents['/repositories/4711/releases'] = [documents.release('v2')];
    expect(await forge.run(source)).toMatchObject({ warnings: [expect.stringContaining('has another name at its forge now')] });
    expect(await forge.of('release')).toMatchObject([{ id: 'Acme/widget@v2', sourceUrl: 'https://github.com/acme/widget/releases/tag/v2' }]);
    moved['/repositories/4711'] = documents.repository({ id: 5 });
    await forge.run(source);
    expect(await hidden()).toMatchObject({ reason: 'other-id' });
  });

  it.each(['https://evil.example/repositories/4711', 'data:,x', '/repos/Acme/widget'])('hides a repository that moves to %s', async (location) => {
    const source = forge.source();
    await forge.run(source);
    forge.server.faults[REPOSITORY] = (response) => response.writeHead(301, { location }).end();
    await forge.run(source);
    expect(await hidden()).toMatchObject({ reason: 'other-id' });
  });

  it.each(sampled([302, 303, 307], 3))('follows the temporary redirect %d on the same host only, and otherwise changes nothing', async (status) => {
    const source = forge.source();
    await forge.run(source);
    const before = await content();
    for (const location of ['https://status.acme.example/', 'https://login.acme.example/?to=x', 'data:,x', 'http://[', undefined, REPOSITORY]) {
      forge.server.faults[REPOSITORY] = (response) => response.writeHead(status, location === undefined ? {} : { location }).end();
      await expect(forge.run(source)).rejects.toThrow(/redirects.*; correct the address in api$/);
    }
    forge.server.faults[REPOSITORY] = (response) => response.writeHead(status, { location: '/login' }).end();
    forge.server.faults['/login'] = (response) => response.writeHead(301, { location: 'https://login.acme.example/' }).end();
    await expect(forge.run(source)).rejects.toMatchObject({ code: 'NOT_A_FORGE' });
    expect(await hidden()).toBeNull();
    expect(await content()).toEqual(before);
    Object.assign(forge.server.documents, documents.documents('/repositories/4711'));
    forge.server.faults[REPOSITORY] = (response) => response.writeHead(status, { location: '/repositories/4711' }).end();
    expect(await forge.run(source)).toMatchObject({ warnings: [expect.stringContaining('has another name at its forge now')] });
  });

  it.each(sampled([301, 308], 2))(
    'has the redirect %d to the same host at another scheme or port as a wrong address, and changes nothing',
    async (status) => {
      const source = forge.source();
      await forge.run(source);
      const before = await content();
      for (const location of [forge.server.origin.replace('http:', 'https:'), 'https://127.0.0.1', 'http://127.0.0.1:1', 'http://[', undefined]) {
        forge.server.faults['*'] = (response) => response.writeHead(status, location === undefined ? {} : { location: location + REPOSITORY }).end();
        await expect(forge.run(source)).rejects.toMatchObject({ code: `HTTP_${String(status)}`, message: expect.stringMatching(/address in api$/) });
      }
      expect(await hidden()).toBeNull();
      expect(await content()).toEqual(before);
    },
  );

  it.each(sampled([301, 302, 307, 308], 4))('removes nothing when a list is redirected with %d', async (status) => {
    const source = forge.source();
    await forge.run(source);
    const before = await content();
    for (const location of ['https://status.acme.example/', '/elsewhere']) {
      forge.server.faults[`${REPOSITORY}/releases`] = (response) => response.writeHead(status, { location }).end();
      await expect(forge.run(source)).rejects.toThrow('redirects to another address; correct the address in api');
    }
    expect(await content()).toEqual(before);
  });

  it('never leaves the host of the API, whatever path a redirect names', async () => {
    const source = forge.source();
    await forge.run(source);
    forge.server.faults[REPOSITORY] = (response) => response.writeHead(301, { location: `${forge.server.origin}//evil.example/x?y` }).end();
    forge.server.statuses();
    await forge.run(source);
    expect(forge.server.asked.map(({ path }) => path)).toEqual([REPOSITORY, '//evil.example/x']);
    expect(await hidden()).toMatchObject({ reason: 'gone' });
  });

  it('hides a renamed repository whose id nobody knows', async () => {
    forge.server.documents = documents.documents('/repositories/4711');
    forge.server.faults[REPOSITORY] = (response) => response.writeHead(301, { location: '/repositories/4711' }).end();
    await forge.run(forge.source());
    expect(await hidden()).toMatchObject({ reason: 'other-id' });
  });

  it('removes what was deleted while the repository was hidden, although the state was cleared', async () => {
    const source = forge.source();
    await forge.run(source);
    isPrivate();
    await forge.run(source);
    const sync = await forge.sync('github:acme/widget');
    if (sync === null) throw new Error('no sync record');
    await forge.put([{ ...sync, state: null }]);
    await forge.run(source);
    expect(await forge.of('release')).toHaveLength(2);
    Object.assign(forge.server.documents, { [REPOSITORY]: documents.repository(), [`${REPOSITORY}/releases`]: [] });
    await forge.run(source);
    expect(await forge.of('release')).toEqual([]);
    expect(await forge.of('build')).toHaveLength(2);
  });
});

describe('ForgeSource, with limits and tokens', () => {
  it('sends its token to its host only, and never after a redirect', async () => {
    forge.environment = { GITHUB_TOKEN: 'ghp_secret\n' };
    const source = forge.source({ token: TOKEN });
    await forge.run(source);
    expect(new Set(forge.server.asked.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ghp_secret']));
    const other = await ForgeFixture.open({});
    forge.server.faults[REPOSITORY] = (response) => response.writeHead(302, { location: `${other.server.origin}/` }).end();
    await expect(forge.run(source)).rejects.toMatchObject({ code: 'HTTP_302' });
    expect(other.server.asked).toEqual([]);
    await other.close();
  });

  it.each([
    [{}, 'NO_TOKEN', /needs the environment variable FORGE_TOKEN, which is not set$/],
    [{ FORGE_TOKEN: 'two words' }, 'NO_TOKEN', /the environment variable FORGE_TOKEN contains no token/],
  ])('fails without a usable token that the configuration names', async (environment, code, message) => {
    forge.environment = environment;
    const error: unknown = await forge
      .run(forge.source({ token: { variable: 'FORGE_TOKEN', isRequired: true } }))
      .catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(forge.server.asked).toEqual([]);
  });

  it.each([
    [401, 'ghp_secret', /rejected the token in GITHUB_TOKEN\. Create/],
    [403, 'ghp_secret', /the status 403\. The token in GITHUB_TOKEN may lack a permission to read$/],
    [401, '', /the status 401$/],
    [403, '', /the status 403$/],
    [500, 'ghp_secret', /the status 500$/],
  ])('after %d with the token "%s" names its variable if that may be the cause, and never the token', async (status, secret, message) => {
    forge.environment = { GITHUB_TOKEN: secret };
    forge.server.faults['*'] = (response) => response.writeHead(status).end('{"message":"Bad credentials"}');
    const error: unknown = await forge.run(forge.source({ token: TOKEN })).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('ghp_secret');
  });

  it('stops before the limit is used up, says until when, and goes on where it stopped', async () => {
    const { server } = forge;
    [server.remaining, server.resetsAt] = [6, forge.now + 2 * HOUR];
    server.date = new Date(forge.now + HOUR).toUTCString();
    const source = forge.source();
    await expect(forge.run(source)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: HOUR,
      message: expect.stringMatching(
        /^the limit of requests to 127\.0\.0\.1:\d+ is nearly used up; the source continues at 2026-11-20T14:00:00\.000Z\. Name an environment variable/,
      ),
    });
    expect(server.remaining).toBe(3);
    expect(await forge.of('release')).toHaveLength(2);
    const another = forge.source({ ref: 'acme/gadget' });
    forge.approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
    server.statuses();
    forge.now -= HOUR;
    await expect(forge.run(another)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(server.asked).toEqual([]);
    [server.remaining, server.resetsAt] = [60, forge.now + 3 * HOUR];
    await forge.run(source);
    expect(server.statuses()).toEqual({ 304: 3, 200: 2 });
  });

  it('stops before the limit is used up, also when many sources start at once', async () => {
    const { server } = forge;
    const names = Array.from({ length: isTorture ? 80 : 14 }, (_, index) => `acme/w${String(index)}` as const);
    forge.approved = Allowlist.of(...names).approved();
    [server.remaining, server.resetsAt] = [60, forge.now + DAY];
    const runs = await Promise.allSettled(names.map((ref) => forge.run(forge.source({ ref }))));
    expect(server.remaining).toBe(3);
    // Each run needs five requests. All that there are go to runs that complete.
    expect(runs.map(({ status }) => status)).toEqual(names.map((_, index) => (index < 11 ? 'fulfilled' : 'rejected')));
  });

  it('waits as long as a secondary limit asks', async () => {
    const body = '{"message":"You have exceeded a secondary rate limit."}';
    forge.server.faults['*'] = (response) => response.writeHead(403, { 'retry-after': '120' }).end(body);
    await expect(forge.run(forge.source())).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 120_000 });
    forge.server.faults['*'] = (response) => response.writeHead(403).end(body);
    await expect(forge.run(forge.source())).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000 });
    forge.server.faults['*'] = (response) => response.writeHead(429, { 'retry-after': '999999999' }).end();
    await expect(forge.run(forge.source())).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: DAY });
  });

  it('uses nothing of the limit with a token while nothing changes', async () => {
    forge.environment = { GITHUB_TOKEN: 'ghp_secret' };
    await forge.put([known(SHA)], 'git:acme/widget');
    const source = forge.source({ token: TOKEN });
    await forge.run(source);
    forge.server.remaining = 5_000;
    for (let times = 0; times < 3; times++) await forge.run(source);
    expect(forge.server.remaining).toBe(5_000);
  });
});
