import type { ServerResponse } from 'node:http';
import type { OwnerPattern } from '@vitrine/config';
import { Allowlist } from '@vitrine/core';
import { aRepository, OwnerServer } from '../../../test/approvals/owner-server.js';
import { OutgoingClient } from '../../fetching/outgoing-client.js';
import { FakeStore } from '../../testing/fake-store.js';
import { ownerListId } from './owner-list.js';
import { ForgeSources } from '../forge/create-forge-source.js';
import { OwnerListSource } from './owner-list-source.js';
import { storedApprovalsOf } from '../../running/approvals.js';

const CODE_TOKEN = { variable: 'CODE_TOKEN', isRequired: true };
const NOW = Date.UTC(2026, 10, 20, 15);

let server: OwnerServer;
let store: FakeStore;
beforeEach(async () => {
  server = await OwnerServer.listen();
  store = new FakeStore();
});
afterEach(() => server.close());

const patternOf = (over: Partial<OwnerPattern> = {}): OwnerPattern => ({
  owner: 'Acme',
  ownerId: null,
  except: [],
  forks: false,
  archived: false,
  api: server.origin,
  token: null,
  allowPrivate: true,
  intervalMs: 900_000,
  ...over,
});

function run(over: Partial<OwnerPattern> = {}, environment: Readonly<Record<string, string>> = {}) {
  const pattern = patternOf(over);
  const forges = new ForgeSources({ client: new OutgoingClient(), environment, approved: () => new Allowlist([], 'none').approved() });
  const source = new OwnerListSource(pattern, forges.client({ ...pattern, type: 'github' }));
  const { signal } = new AbortController();
  return source.run({ writer: store, collection: store, clock: { now: () => NOW }, signal, progress: () => undefined });
}

async function listed(over: Partial<OwnerPattern> = {}): Promise<readonly string[]> {
  const id = ownerListId(patternOf(over));
  const sync = await store.sync(id);
  const repositories = sync === null ? undefined : storedApprovalsOf([sync]).lists.get(id);
  return (repositories ?? []).map(({ fullName, forgeId }) => `${fullName}#${forgeId}`);
}

describe('the list of an owner', () => {
  it('has the public repositories of all pages, and each run tells what is approved from now on and what no more', async () => {
    server.perPage = 2;
    server.repositories = ['widget', 'gadget', 'tool', 'docs', 'old'].map((name, id) => aRepository(name, id));
    expect(await run({ except: [{ fullName: 'acme/docs', owner: 'acme', name: 'docs' }] })).toMatchObject({
      stored: 4,
      removed: 0,
      warnings: [],
      notices: ['widget', 'gadget', 'tool', 'old'].map((name) => `acme/${name} is approved by Acme/* from now on`),
    });
    expect(await listed()).toEqual(['acme/widget#0', 'acme/gadget#1', 'acme/tool#2', 'acme/docs#3', 'acme/old#4']);
    server.repositories = [aRepository('widget', 0), aRepository('tool', 7)];
    expect(await run()).toMatchObject({
      stored: 1,
      unchanged: 1,
      removed: 4,
      notices: [
        'acme/tool is approved by Acme/* from now on',
        ...['gadget', 'tool', 'docs', 'old'].map((name) => `acme/${name} is no longer approved by Acme/*`),
      ],
    });
    expect(await listed()).toEqual(['acme/widget#0', 'acme/tool#7']);
  });

  it('never has private or internal repositories, nor those of others, nor names that are none', async () => {
    server.repositories = [
      aRepository('secret', 1, { private: true, visibility: 'private' }),
      aRepository('internal', 2, { visibility: 'internal' }),
      aRepository('half', 3, { private: true }),
      aRepository('widget', 4, { owner: { login: 'zeta', id: 7 } }),
      aRepository('../../etc', 5),
      aRepository('..', 6),
      aRepository('shown', 8, { visibility: undefined, owner: { login: 'ACME', id: 42 } }),
    ];
    expect(await run()).toMatchObject({ stored: 1, warnings: [] });
    expect(await listed()).toEqual(['ACME/shown#8']);
  });

  it('keeps forks and archived repositories for the patterns that ask for them', async () => {
    server.repositories = [aRepository('fork', 1, { fork: true }), aRepository('old', 2, { archived: true })];
    expect(await run()).toMatchObject({ stored: 0 });
    expect(await listed()).toEqual(['acme/fork#1', 'acme/old#2']);
    const [sync] = store.all;
    const repositories = sync?.kind === 'sync' ? storedApprovalsOf([sync]).lists.get(sync.id) : [];
    expect(repositories).toMatchObject([
      { isFork: true, isArchived: false },
      { isFork: false, isArchived: true },
    ]);
  });

  it('asks for changes only, and takes what has not changed from the store', async () => {
    server.perPage = 1;
    server.repositories = [aRepository('widget', 1), aRepository('gadget', 2)];
    await run();
    server.requests.length = 0;
    expect(await run()).toMatchObject({ stored: 0, unchanged: 2, removed: 0 });
    expect(server.requests.map(({ status }) => status)).toEqual([304, 304]);
    expect(await listed()).toEqual(['acme/widget#1', 'acme/gadget#2']);
  });

  it('has nothing, with a warning, when the forge knows no such owner', async () => {
    server.repositories = [aRepository('widget', 1)];
    await run();
    server.instead = (_, response) => {
      response.writeHead(404).end('{"message":"Not Found"}');
      return true;
    };
    expect(await run()).toMatchObject({ removed: 1, warnings: [expect.stringContaining('knows no owner Acme')] });
    expect(await listed()).toEqual([]);
  });

  const answers = (status: number, headers: Readonly<Record<string, string>>, body: string) => (response: ServerResponse) => {
    response.writeHead(status, headers).end(body);
  };
  const nextAt = (url: string) => answers(200, { link: `<${url}>; rel="next"` }, JSON.stringify([aRepository('widget', 1)]));
  const redirects = [301, 302, 307, 308].flatMap((status) =>
    ['/login', '/users/acme/repos', '/'].map((location): [string, ReturnType<typeof answers>, RegExp] => [
      `a redirect (${String(status)}) to ${location}`,
      answers(status, { location }, ''),
      /redirects to another path/,
    ]),
  );
  it.each([
    ['an error', answers(500, {}, ''), /http 500/],
    ['a refusal', answers(401, {}, ''), /http 401/],
    ['a page for people', answers(200, { 'content-type': 'text/html' }, '<html>Sign in</html>'), /is not JSON/],
    ['an object', answers(200, {}, '{"message":"ok"}'), /is not a list of repositories/],
    ['a list of something else', answers(200, {}, '[{"id":"1"}]'), /is not a list of repositories/],
    ['an unasked 304', answers(304, {}, ''), /http 304/],
    ['a page that follows itself', nextAt('?type=owner&sort=created&direction=asc&per_page=100'), /has no end/],
    ...redirects,
    ['a list that goes on elsewhere', nextAt('https://evil.example/repos'), /next page that cannot be followed/],
    ['a list that goes on in a file', nextAt('file:///etc/passwd'), /next page that cannot be followed/],
    ['a redirect to another server for good', answers(301, { location: 'https://evil.example/repos' }, ''), /redirects to another server/],
    ['too many on a page', answers(200, {}, JSON.stringify(Array.from({ length: 1_001 }, (_, id) => aRepository('a', id)))), /is not a list/],
  ])('stays as it was after %s', async (_what, answer, problem) => {
    server.repositories = [aRepository('widget', 1)];
    await run({ token: null });
    server.instead = (_request, response) => {
      answer(response);
      return true;
    };
    // Without a stored page there is nothing to ask for changes of.
    const [sync] = store.all;
    if (sync?.kind === 'sync') await store.put([{ ...sync, state: sync.state?.replace(/"etag":"[^,]*,/, '"etag":null,') ?? null }]);
    await expect(run()).rejects.toThrow(problem);
    expect(await listed()).toEqual(['acme/widget#1']);
  });

  it('stays as it was when a later page is missing, and ends after a hundred pages', async () => {
    server.repositories = [aRepository('widget', 1)];
    await run();
    server.repositories = Array.from({ length: 101 }, (_, id) => aRepository(`r${String(id)}`, id));
    server.perPage = 1;
    await expect(run()).rejects.toThrow('more than 100 pages');
    server.instead = (request, response) => {
      const isLater = request.url?.includes('page=2') === true;
      if (isLater) response.writeHead(404).end();
      return isLater;
    };
    await expect(run()).rejects.toThrow('a page of the list of Acme is missing');
    expect(await listed()).toEqual(['acme/widget#1']);
  });

  it('waits as long as a limit lasts, and says until when', async () => {
    server.instead = (_, response) => {
      response
        .writeHead(403, {
          ...{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 600) },
          date: new Date(NOW).toUTCString(),
        })
        .end();
      return true;
    };
    await expect(run()).rejects.toMatchObject({
      message: expect.stringContaining('the source continues at 2026-11-20T15:10:00.000Z') as unknown,
      code: 'RATE_LIMITED',
      retryAfterMs: 600_000,
    });
    server.instead = (_, response) => {
      response.writeHead(429, { 'retry-after': '30' }).end();
      return true;
    };
    await expect(run()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 30_000 });
  });

  it('sends a token to the server it is for, and to no other', async () => {
    const environment = { GITHUB_TOKEN: 'public', CODE_TOKEN: 'own' };
    await run({}, environment);
    await run({ token: CODE_TOKEN }, environment);
    expect(server.requests.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer own']);
    await expect(run({ token: { ...CODE_TOKEN, variable: 'OTHER_TOKEN' } }, environment)).rejects.toThrow(
      'needs the environment variable OTHER_TOKEN, which is not set',
    );
    const other = await OwnerServer.listen();
    server.instead = (_, response) => {
      response.writeHead(302, { location: `${other.origin}/users/acme/repos` }).end();
      return true;
    };
    await expect(run({ token: CODE_TOKEN }, environment)).rejects.toThrow('redirects to another address');
    expect(other.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
    await other.close();
  });

  it('sends a token without the spaces around it, and nothing that is no token', async () => {
    for (const text of ['own\n', '\r\n own\t']) await run({ token: CODE_TOKEN }, { CODE_TOKEN: text });
    for (const text of ['two words', 'own\u0000', 'ö', 'x'.repeat(4_097)])
      await expect(run({ token: CODE_TOKEN }, { CODE_TOKEN: text })).rejects.toMatchObject({
        message: 'the environment variable CODE_TOKEN contains no token; set it to one',
        code: 'NO_TOKEN',
      });
    await expect(run({ token: CODE_TOKEN }, { CODE_TOKEN: ' \n' })).rejects.toThrow('CODE_TOKEN, which is not set');
    expect(server.requests.map(({ authorization }) => authorization)).toEqual(['Bearer own', 'Bearer own']);
  });

  it('is not that of another account with the same name, if the pattern has the id of the owner', async () => {
    server.repositories = [aRepository('widget', 1)];
    await run({ ownerId: '42' });
    server.repositories = [aRepository('widget', 2, { owner: { login: 'acme', id: 66 } })];
    await expect(run({ ownerId: '42' })).rejects.toThrow('the name Acme belongs to the account 66, and not to 42');
    expect(await listed({ ownerId: '42' })).toEqual(['acme/widget#1']);
  });

  it('has an id for each server and owner', () => {
    const id = (over: Partial<OwnerPattern>) => ownerListId(patternOf({ api: 'https://api.github.com', ...over }));
    expect([id({}), id({ api: 'https://code.acme.example/api/v3' }), id({ ownerId: '42' })]).toEqual([
      'configuration:approved:github:acme',
      'configuration:approved:github:code.acme.example/api/v3:acme',
      'configuration:approved:github:acme#42',
    ]);
  });
});
