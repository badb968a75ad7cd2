import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sampled } from '@vitrine/test-support';
import { GitFixture } from '../../../test/git/git-fixture.js';
import { HostileGitServer } from '../../../test/git/hostile-git-server.js';
import { GitError } from './git-process.js';
import { redirectedAddress } from './mirror.js';

const FIRST = '/info/refs?service=git-upload-pack';

describe('GitSource and a server that redirects', () => {
  const server = new HostileGitServer();
  let fixture: GitFixture;
  let address: string;
  /** A server in the network of the collector, on another host than the configured one. */
  let inside: Server;
  let insideAddress: string;
  let reached: string[];

  beforeAll(async () => {
    address = await server.start();
    inside = createServer(({ method = '', url = '' }, response) => {
      reached.push(`${method} ${url}`);
      response.end();
    });
    await new Promise<void>((resolve) => inside.listen(0, 'localhost', resolve));
    insideAddress = `http://localhost:${String((inside.address() as AddressInfo).port)}`;
  });
  beforeEach(() => {
    fixture = new GitFixture();
    [server.behaviour, reached] = [{}, []];
  });
  afterEach(() => {
    fixture.folder.remove();
  });
  afterAll(async () => {
    await server.stop();
    await new Promise((resolve) => inside.close(resolve));
  });

  it.each(sampled([301, 302, 303, 307, 308], 5))('follows a repository that was renamed (%s), at each run', async (redirectStatus) => {
    const renamed = address.replace('widget', 'renamed');
    const redirecting = (_: string, target: string) => (target.startsWith('/widget.git/') ? target.replace('widget', 'renamed') : null);
    server.behaviour = { redirecting, redirectStatus };
    await fixture.run(fixture.source(`${address}/`));
    expect(fixture.branches()).toEqual({ honest: 'main' });
    expect(await fixture.run(fixture.source(renamed))).toMatchObject({ stored: 0, removed: 0, warnings: [] });
  });

  it('asks where a repository is for every status of a redirect, and for no other', async () => {
    const url = `${address}${FIRST}`.replace('widget', 'renamed');
    const client = { request: () => Promise.resolve({ url, status: 200, headers: {}, body: Buffer.alloc(0), certificateExpiresAt: null }) };
    const target = (status: number) =>
      redirectedAddress(address, new GitError(`git ls-remote: fatal: The requested URL returned error: ${String(status)}`, 128), {
        client,
        signal: new AbortController().signal,
      });
    for (const status of [301, 302, 303, 307, 308]) expect(await target(status)).toBe(address.replace('widget', 'renamed'));
    for (const status of [300, 304, 404]) expect(await target(status)).toBeNull();
  });

  it.each([
    ['any address', '/delete?all=1'],
    ['a repository', `/acme/widget.git${FIRST}`],
  ])('is never sent to %s in a private network, not after other redirects either', async (_, path) => {
    await fixture.run(fixture.source(address));
    const stored = fixture.store.contents();
    const attacks: readonly ((method: string, target: string) => string | null)[] = [
      () => insideAddress + path,
      (_method, target) => (target.startsWith('/second') ? insideAddress + path : `/second.git${FIRST}`),
    ];
    for (const redirecting of attacks) {
      server.behaviour = { redirecting };
      await expect(fixture.run(fixture.source(address))).rejects.toThrow('is in a private network, and a redirect leads there');
    }
    expect([fixture.store.contents(), reached]).toEqual([stored, []]);
  });

  it.each(['GET', 'POST'])('is not sent there by a %s of the fetch, when the list of refs was honest', async (redirected) => {
    let asked = 0;
    server.behaviour = { redirecting: (method) => (method === redirected && (method === 'POST' || ++asked > 1) ? insideAddress : null) };
    await expect(fixture.run(fixture.source(address))).rejects.toThrow(/^git fetch: .*30/);
    expect(reached).toEqual([]);
  });

  it('says what to do about a redirect that leads to no repository', async () => {
    server.behaviour = { redirecting: (_, target) => (target.includes('sign-in') ? null : '/sign-in') };
    await expect(fixture.run(fixture.source(address))).rejects.toThrow('(the server redirects: give the address to which it does)');
    expect(fixture.branches()).toEqual({});
  });
});
