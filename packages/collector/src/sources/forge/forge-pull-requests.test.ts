import { HOUR } from '@vitrine/core';
import { aCommit } from '@vitrine/core/testing';
import { itInTorture, sampled } from '@vitrine/test-support';
import { ForgeFixture } from '../../../test/forge/forge-fixture.js';
import * as documents from '../../../test/forge/github-documents.js';
import { wrappedWriter } from '../../running/vouching.js';
import { OutgoingClient } from '../../fetching/outgoing-client.js';
import { ForgeAccount } from './forge-account.js';
import { ForgeClient } from './forge-client.js';
import { github } from './github-dialect.js';
import { readPullRequests } from './read-pull-requests.js';

const REPOSITORY = '/repos/Acme/widget';
const LIST = `${REPOSITORY}/pulls`;
const NOON = Date.UTC(2026, 10, 20, 12);

let forge: ForgeFixture;
beforeEach(async () => {
  forge = await ForgeFixture.open(documents.documents(REPOSITORY));
  forge.hasPullRequests = true;
});
afterEach(() => forge.close());

const shaOf = (number: number) => number.toString(16).padStart(40, '0');
/** A pull request of the branch with its number, changed so many hours after noon. */
const pull = (number: number, hours: number, more: object = {}) =>
  documents.pullRequest(number, { ref: String(number), sha: shaOf(number) }, { updated_at: new Date(NOON + hours * HOUR).toISOString(), ...more });
const open = { state: 'open', closed_at: null };

/** The numbers of all branches with what is known of them. */
async function known(): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries((await forge.pullRequests()).map(({ branch, fate }) => [branch, fate]));
}

/** The pages that were asked for since the last call, with the answers. */
function pages(): readonly string[] {
  const asked = forge.server.asked.filter(({ path }) => path.startsWith(LIST));
  forge.server.asked = [];
  return asked.map(({ path, status }) => `${new URLSearchParams(path.split('?')[1]).get('page') ?? '1'} ${String(status)}`);
}

describe('ForgeSource, for a repository with findings', () => {
  it('knows which branches ended, and stores nothing else of pull requests', async () => {
    expect(await known()).toEqual({});
    expect(await forge.run(forge.source())).toMatchObject({ warnings: [] });
    expect(await known()).toEqual({ merged: 'merged', open: 'open', topic: 'closed' });
    expect(JSON.stringify(await forge.records())).not.toContain('A title with a secret');
    expect(await forge.sync('github:acme/widget')).toMatchObject({ feeds: ['repository', 'release', 'build', 'mission', 'commit'] });
  });

  it('asks for none without findings, and forgets those that it knew', async () => {
    await forge.run(forge.source());
    forge.hasPullRequests = false;
    forge.server.statuses();
    const source = forge.restarted();
    for (let times = 0; times < 2; times++) await forge.run(source);
    expect(pages()).toEqual([]);
    expect(await known()).toEqual({});
    expect((await forge.sync('github:acme/widget'))?.state).not.toContain('topic');
  });

  it('asks one address more, with its validator and uncounted, while nothing changes, and keeps what it knows', async () => {
    forge.environment = { GITHUB_TOKEN: 'ghp_secret' };
    const more = { token: { variable: 'GITHUB_TOKEN', isRequired: false } };
    await forge.put([aCommit({ sha: 'b'.repeat(40), authorLogin: '' })], 'git:acme/widget');
    const source = forge.source(more);
    await forge.run(source);
    forge.server.remaining = 5_000;
    forge.server.statuses();
    for (const again of [source, forge.restarted(more)]) {
      expect(await forge.run(again)).toMatchObject({ stored: 0, removed: 0, warnings: [] });
      expect(await known()).toEqual({ merged: 'merged', open: 'open', topic: 'closed' });
    }
    expect(forge.server.statuses()).toEqual({ 304: 12 });
    expect(forge.server.remaining).toBe(5_000);
  });

  it('reads all pages at first, and later those with something new', async () => {
    const list = Array.from({ length: 120 }, (_, index) => pull(500 - index, -index));
    forge.server.documents[LIST] = list;
    const source = forge.source();
    await forge.run(source);
    expect(pages()).toEqual(['1 200', '2 200', '3 200']);
    list.unshift(pull(501, 1), ...list.splice(110, 1));
    await forge.run(source);
    expect(pages()).toEqual(['1 200']);
    // More than a page is new, and all of it at the same time as what was known.
    list.unshift(...Array.from({ length: 60 }, (_, index) => pull(600 - index, 1)));
    await forge.run(forge.restarted());
    expect(pages()).toEqual(['1 200', '2 200']);
    const numbers = Object.keys(await known()).map(Number);
    expect([numbers.length, Math.min(...numbers), Math.max(...numbers)]).toEqual([181, 381, 600]);
  });

  it('follows one that is reopened and closed again, and forgets one whose commits are gone', async () => {
    const source = forge.source();
    const steps = [{}, open, {}, { merged_at: '2026-11-20T09:00:00Z' }];
    const found: unknown[] = [];
    for (const [hours, more] of steps.entries()) {
      forge.server.documents[LIST] = [pull(1, hours, more)];
      await forge.run(source);
      found.push(await known());
    }
    expect(found).toEqual([{ 1: 'closed' }, { 1: 'open' }, { 1: 'closed' }, { 1: 'merged' }]);
    forge.server.documents[LIST] = [documents.pullRequest(1, { sha: '' }, { updated_at: '2026-11-21T09:00:00Z' })];
    await forge.run(source);
    expect(await known()).toEqual({});
  });

  itInTorture('remembers at most a thousand that were closed and a thousand others', async () => {
    const source = forge.source();
    const list: unknown[] = [];
    forge.server.documents[LIST] = list;
    for (let round = 0; round < 5; round++) {
      list.unshift(...Array.from({ length: 450 }, (_, index) => pull(round * 1_000 + index, round * 1_000 - index, index % 2 === 0 ? {} : open)));
      await forge.run(source);
    }
    const fates = Object.values(await known());
    expect([fates.filter((fate) => fate === 'closed').length, fates.length]).toEqual([1_000, 2_000]);
    expect(await known()).not.toHaveProperty('448');
    expect((await forge.sync('github:acme/widget'))?.state?.length).toBeLessThan(500_000);
  });

  it('reads ten pages at most, and forgets what may have changed on the others, with a warning', async () => {
    const list = [pull(1, 1, open), pull(2, 0)];
    forge.server.documents[LIST] = list;
    const source = forge.source();
    await forge.run(source);
    expect(await known()).toEqual({ 1: 'open', 2: 'closed' });
    // Both change, and then 501 others.
    forge.server.documents[LIST] = [...Array.from({ length: 501 }, (_, index) => pull(600 - index, 600 - index)), pull(1, 3), pull(2, 2, open)];
    const warning = 'github acme/widget: more pull requests have changed since the last run than are read at once, so only the newest ones are known';
    expect(await forge.run(source)).toMatchObject({ warnings: [warning] });
    expect(pages()).toHaveLength(1 + 10);
    expect(Object.keys(await known())).toHaveLength(500);
    expect(await known()).not.toHaveProperty('2');
    expect(await forge.run(source)).toMatchObject({ warnings: [warning] });
  });

  it('remembers what says that a closed one is not the end of its commits', async () => {
    const merged = { merged_at: '2026-11-20T08:00:00Z' };
    const sameHead = (number: number, more: object) =>
      documents.pullRequest(number, { ref: 'topic' }, { updated_at: '2026-11-01T08:00:00Z', ...more });
    const list: unknown[] = [sameHead(9_002, merged), sameHead(9_001, {})];
    forge.server.documents[LIST] = list;
    const source = forge.source();
    await forge.run(source);
    for (let round = 0; round < 3; round++) {
      list.unshift(...Array.from({ length: 400 }, (_, index) => pull(round * 1_000 + index, round * 1_000 - index, merged)));
      await forge.run(source);
    }
    const found = await forge.pullRequests();
    expect(found).toHaveLength(1 + 1_000);
    expect(found.filter(({ branch }) => branch === 'topic').map(({ fate }) => fate)).toEqual(['closed', 'merged']);
  });

  it('reads only the first pages of long lists where few requests are allowed', async () => {
    forge.server.documents[LIST] = Array.from({ length: 120 }, (_, index) => pull(500 - index, -index));
    const { pullRequests, headers, credentialsOf } = github;
    const account = new ForgeAccount('https://api.github.com', true);
    const api = forge.server.origin;
    const client = new ForgeClient({
      client: new OutgoingClient(),
      api,
      allowPrivate: true,
      token: null,
      environment: {},
      account,
      headers,
      credentialsOf,
    });
    const place = { client, base: REPOSITORY, clock: { now: () => NOON }, signal: new AbortController().signal };
    const { after } = await readPullRequests(pullRequests, null, place);
    expect(pages()).toEqual(['1 200', '2 200']);
    expect(after?.known).toHaveLength(100);
  });

  it('ends where links lead in a circle, and never asks another host', async () => {
    forge.server.faults[LIST] = (response) => {
      response.writeHead(200, { link: '<https://evil.example/pulls?page=2>; rel="next"' }).end(JSON.stringify([pull(1, 0)]));
    };
    await forge.run(forge.source());
    expect(pages()).toHaveLength(2);
  });

  it.each([
    ['is refused', 403, 'the forge refuses the list of pull requests (http 403), so it is not collected'],
    ['is too large', 200, 'a page of the list of pull requests is too large, so it is not collected, and what was known of it stays'],
  ])('keeps what it knows if the list %s, says so, and reads the rest', async (_, status, warning) => {
    const source = forge.source();
    await forge.run(source);
    forge.server.faults[LIST] = (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const write = (): void => void (response.destroyed || response.write(' '.repeat(1_000_000), write));
      if (status === 200) write();
      else response.end('{"message":"no"}');
    };
    forge.server.documents[`${REPOSITORY}/milestones`] = [];
    expect(await forge.run(source)).toMatchObject({ removed: 1, warnings: [`github acme/widget: ${warning}`] });
    expect(await known()).toMatchObject({ topic: 'closed' });
  });

  it('knows none if the repository has no such list', async () => {
    const source = forge.source();
    await forge.run(source);
    forge.server.faults[LIST] = (response) => response.writeHead(404).end('{"message":"Not Found"}');
    expect(await forge.run(source)).toMatchObject({ warnings: [] });
    expect(await known()).toEqual({});
  });

  it.each(
    sampled(
      [
        ['HTTP_502', 502, '<html>'],
        ['NOT_A_FORGE', 200, '{"message":"no list"}'],
        ['NOT_A_FORGE', 200, '<html>'],
        ['HTTP_302', 302, ''],
        ['NOT_A_FORGE', 404, '{"message":"Not Found"}'],
      ] as const,
      4,
    ),
  )('keeps what it knows if the list fails with %s, and fails after the other lists are stored', async (code, status, body) => {
    const source = forge.source();
    await forge.run(source);
    const list = Array.from({ length: 60 }, (_, index) => pull(99 - index, 99 - index));
    forge.server.documents[LIST] = list;
    // The second page fails.
    forge.server.faults[LIST] = (response, { 'if-none-match': etag }) => {
      if (etag === undefined) response.writeHead(status, { location: 'https://acme.example/' }).end(body);
      else response.writeHead(200, { link: '<x?page=2>; rel="next"', etag: 'new' }).end(JSON.stringify(list.slice(0, 50)));
    };
    forge.server.documents[`${REPOSITORY}/milestones`] = [];
    await expect(forge.run(source)).rejects.toMatchObject({ code });
    expect(await forge.of('mission')).toEqual([]);
    expect(await known()).toEqual({ merged: 'merged', open: 'open', topic: 'closed' });
    forge.server.faults = {};
    await forge.run(forge.restarted());
    expect(Object.keys(await known())).toHaveLength(63);
  });

  it('reads again what was read before the process was killed', async () => {
    const { writer } = forge.store;
    const killed = { ...wrappedWriter(writer), put: () => Promise.reject(new Error('killed')) };
    await expect(forge.run(forge.source(), killed)).rejects.toThrow('killed');
    expect(await known()).toEqual({});
    await forge.run(forge.restarted());
    forge.server.documents[LIST] = [pull(7, 0)];
    await expect(forge.run(forge.restarted(), killed)).rejects.toThrow('killed');
    await forge.run(forge.restarted());
    expect(await known()).toMatchObject({ 7: 'closed', topic: 'closed' });
  });

  it('says about invalid ones as long as they are there', async () => {
    forge.server.documents[LIST] = [pull(1, 0), null, { number: 'x' }];
    const source = forge.source();
    const warnings = ['github acme/widget: pull requests that were left out, because they are not valid: 2'];
    expect(await forge.run(source)).toMatchObject({ warnings });
    expect(await forge.run(source)).toMatchObject({ warnings });
    expect(await known()).toEqual({ 1: 'closed' });
  });

  it('knows nothing of a repository that is hidden, that has another id or that is read from another address', async () => {
    const source = forge.source();
    await forge.run(source);
    expect(await forge.pullRequests({ api: 'https://git.acme.example/api/v3' })).toEqual([]);
    expect(await forge.pullRequests({ ref: 'acme/widget#5' })).toEqual([]);
    forge.server.documents[REPOSITORY] = documents.repository({ private: true, visibility: 'private' });
    await forge.run(source);
    expect(await known()).toEqual({});
    forge.server.documents[REPOSITORY] = documents.repository();
    await forge.run(source);
    expect(await known()).toMatchObject({ topic: 'closed' });
  });
});
