import { execFile, execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MINUTE, NO_REPOSITORY } from '@vitrine/core';
import { isTorture, sampled } from '@vitrine/test-support';
import { ForgeFixture } from '../../test/forge/forge-fixture.js';
import * as github from '../../test/forge/github-documents.js';
import { GitFixture } from '../../test/git/git-fixture.js';
import { FeedSource, NEWS } from '../sources/feed/feed-source.js';
import { StatuspageSource } from '../sources/statuspage/statuspage-source.js';
import { FakeStore } from '../testing/fake-store.js';
import { VIDEOS } from '../sources/video/video-source.js';
import type { Source } from '../running/source.js';
import { OutgoingClient } from './outgoing-client.js';

/** Passes connections on to a server, and cuts all of them after a number of bytes of its responses. */
class CuttingProxy {
  cutAt = Infinity;
  /** Whether a cut connection is reset, or ends in order. */
  resets = false;
  #passed = 0;
  readonly #server: net.Server;

  constructor(readonly target: number) {
    this.#server = net.createServer((client) => {
      const upstream = net.connect(target, '127.0.0.1');
      for (const socket of [client, upstream]) socket.on('error', () => undefined).on('close', () => (upstream.destroy(), client.destroySoon()));
      client.pipe(upstream);
      upstream.on('data', (bytes) => {
        const left = this.cutAt - this.#passed;
        this.#passed += bytes.length;
        if (bytes.length <= left) client.write(bytes);
        else client.write(bytes.subarray(0, Math.max(0, left)), () => (this.resets ? client.resetAndDestroy() : client.end()));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** The bytes that the server has sent since the last call. */
  taken(): number {
    const passed = this.#passed;
    this.#passed = 0;
    return passed;
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

async function served(listener: RequestListener): Promise<Server> {
  const server = createServer((request, response) => {
    // The body ends with the connection, so its length says nothing.
    response.useChunkedEncodingByDefault = false;
    response.setHeader('connection', 'close');
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const documentsOf =
  (documents: Readonly<Record<string, string>>): RequestListener =>
  ({ url = '' }, response) => {
    const document = documents[url];
    response.writeHead(document === undefined ? 404 : 200);
    if (document !== undefined) response.write(document);
    response.end();
  };

const item = (name: string) => `<item><guid isPermaLink="false">${name}</guid><title>${name}</title><link>https://a.example/${name}</link></item>`;
const RSS = `<rss version="2.0"><channel><title>T</title><link>https://a.example/</link>${item('one')}${item('two')}</channel></rss>\n<!-- made -->\n`;
const entry = (name: string) =>
  `<entry><id>yt:video:${name}</id><yt:videoId>${name}</yt:videoId><title>${name}</title><link rel="alternate" href="https://www.youtube.com/watch?v=${name}"/><published>2026-01-01T00:00:00Z</published></entry>`;
const ATOM = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:yt="http://www.youtube.com/xml/schemas/2015"><title>T</title><id>t</id>${entry('abc123DEF_-')}${entry('abc123DEF_0')}</feed>`;
const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'T',
  items: [{ id: 'one', url: 'https://a.example/1', title: 'One' }],
});
const component = { id: 'a', name: 'API', status: 'operational', group: false, group_id: null, position: 1, updated_at: '2026-01-01T00:00:00Z' };
const SUMMARY = JSON.stringify({
  page: { id: 'p', name: 'P', url: 'https://p.example' },
  components: [component],
  incidents: [],
  scheduled_maintenances: [],
});

const client = new OutgoingClient();
const origin = { publicUrl: null, isOfficial: false, allowPrivate: true, intervalMs: MINUTE };
type Make = (address: string) => Source;
const kinds: readonly (readonly [string, Readonly<Record<string, string>>, Make])[] = [
  ['feed (RSS)', { '/feed': RSS }, (address) => new FeedSource(NEWS, { ...origin, address: `${address}/feed`, label: 'Acme' }, client)],
  ['feed (Atom)', { '/feed': ATOM }, (address) => new FeedSource(NEWS, { ...origin, address: `${address}/feed`, label: 'Acme' }, client)],
  ['feed (JSON)', { '/feed': JSON_FEED }, (address) => new FeedSource(NEWS, { ...origin, address: `${address}/feed`, label: 'Acme' }, client)],
  [
    'video',
    { '/feed': ATOM },
    (address) => new FeedSource(VIDEOS, { ...origin, address: `${address}/feed`, label: 'Acme', repositoryRef: NO_REPOSITORY }, client),
  ],
  [
    'provider',
    {
      '/api/v2/summary.json': SUMMARY,
      '/api/v2/incidents.json': '{"incidents":[]}',
      '/api/v2/scheduled-maintenances.json': '{"scheduled_maintenances":[]}',
    },
    (address) =>
      new StatuspageSource({ client, address, allowPrivate: true, label: 'P', pageUrl: 'https://p.example', services: null, intervalMs: MINUTE }),
  ],
];

/** All numbers of bytes under torture; otherwise a sample with the edges. */
function cuts(size: number, sample: number): readonly number[] {
  const all = Array.from({ length: size }, (_, index) => index);
  return isTorture ? all : all.filter((at) => at < 2 || at >= size - 4 || at % Math.max(1, Math.floor(size / sample)) === 0);
}

describe.each(sampled(kinds, 4))('A source of the kind %s', (_kind, documents, make) => {
  it.each([
    ['ends', false],
    ['is reset', true],
  ])('fails and stores nothing if the connection %s after any byte', async (_how, resets) => {
    const server = await served(documentsOf(documents));
    const proxy = new CuttingProxy((server.address() as AddressInfo).port);
    const address = await proxy.listen();
    const run = async (store: FakeStore): Promise<unknown> => {
      const context = { writer: store, collection: store, clock: { now: () => Date.UTC(2026, 10, 20) }, progress: () => undefined };
      return make(address).run({ ...context, signal: new AbortController().signal });
    };
    const whole = new FakeStore();
    await run(whole);
    expect(whole.all.length).toBeGreaterThan(1);
    proxy.taken();
    // Of a provider, lists of past incidents may be missing: the source says so with a warning.
    const [first = ''] = Object.keys(documents);
    await (await fetch(`${address}${first}`)).text();
    const size = proxy.taken();
    proxy.resets = resets;
    const complete: number[] = [];
    for (const at of cuts(size - blanksAtEnd(documents), 6)) {
      proxy.cutAt = at;
      const store = new FakeStore();
      const hasFailed = await run(store).then(
        () => false,
        () => true,
      );
      if (!hasFailed || store.all.length > 0) complete.push(at);
      proxy.taken();
    }
    expect(complete).toEqual([]);
    await Promise.all([proxy.close(), new Promise((resolve) => server.close(resolve))]);
  });
});

/** A document is complete before the blanks and comments at its end. */
function blanksAtEnd(documents: Readonly<Record<string, string>>): number {
  const [last = ''] = Object.values(documents).slice(-1);
  return last.length - last.replace(/\s*<!-- made -->\s*$/, '').length;
}

describe('A forge source', () => {
  it('fails if a connection is cut after any byte, removes nothing, and stores only what a complete run stores', async () => {
    const forge = await ForgeFixture.open(github.documents('/repos/Acme/widget'));
    const proxy = new CuttingProxy(Number(new URL(forge.server.origin).port));
    const api = await proxy.listen();
    const content = async () => JSON.stringify((await forge.records()).filter(({ kind }) => kind !== 'sync'));
    await forge.run(forge.source({ api }));
    proxy.taken();
    forge.server.hasEtags = false;
    // What a run of a new process asks for, which has to read everything again.
    await forge.run(forge.restarted({ api }));
    const [whole, size] = [await content(), proxy.taken()];
    for (const at of cuts(size, 6)) {
      proxy.cutAt = at;
      proxy.resets = at % 2 === 0;
      await expect(forge.run(forge.restarted({ api }))).rejects.toThrow();
      expect(await content()).toBe(whole);
      proxy.taken();
    }
    await proxy.close();
    await forge.close();
  });
});

describe('A git source', () => {
  it('fails, stores nothing and removes nothing if a connection is cut after any byte', async () => {
    const fixture = new GitFixture();
    const repository = fixture.repository();
    for (const name of ['one', 'two']) repository.commit(name, { [name]: name.repeat(50) });
    repository.git('branch', 'gone');
    // An earlier state is stored: a run that takes a part of the present one would add or remove something.
    await fixture.run(fixture.source(repository.path));
    repository.commit('three', { three: 'three' });
    repository.git('branch', '-D', 'gone');
    repository.git('branch', 'topic', 'HEAD~1');
    const bare = fixture.path('served.git');
    execFileSync('git', ['clone', '--quiet', '--bare', repository.path, bare]);
    execFileSync('git', ['-C', bare, 'repack', '-adq']);
    execFileSync('git', ['-C', bare, 'update-server-info']);
    const server = await served(({ url = '' }, response) => {
      const { pathname } = new URL(url, 'http://git.example');
      createReadStream(join(bare, pathname))
        .on('error', () => response.writeHead(404).end())
        .pipe(response);
    });
    const proxy = new CuttingProxy((server.address() as AddressInfo).port);
    const address = await proxy.listen();
    const whole = new GitFixture();
    await whole.run(whole.source(`${address}/`));
    expect(whole.store.commits()).toHaveLength(3);
    const size = proxy.taken();
    const refs = await (await fetch(`${address}/info/refs`)).text();
    const beforeRefs = proxy.taken() - refs.length;
    await promisify(execFile)('git', ['ls-remote', '--quiet', '--symref', address]);
    // A run reads the list of refs once to compare it, and once to fetch. A list that ends in its first line looks like that of an empty repository.
    const lists = [beforeRefs, beforeRefs + proxy.taken()];
    const inLists = lists.flatMap((start) => sampled([0, 1, 40, 41, refs.indexOf('\n') + 1], 2).map((bytes) => start + bytes));
    const sample = cuts(size, 3).filter((position) => isTorture || position < size - 4 || position === size - 1);
    const stored = fixture.store.contents();
    let clone = 0;
    const run = () => fixture.run(fixture.source(`${address}/`, { cacheFolder: fixture.path(`clones-${String(clone++)}`) }));
    for (const at of new Set([0, ...inLists, ...sample])) {
      proxy.cutAt = at;
      proxy.resets = at % 2 === 0;
      await expect(run()).rejects.toThrow();
      expect(fixture.store.contents()).toEqual(stored);
      proxy.taken();
    }
    proxy.cutAt = Infinity;
    await run();
    expect(fixture.store.commits()).toEqual(expect.arrayContaining(whole.store.commits().map(({ sha }) => expect.objectContaining({ sha }))));
    for (const one of [fixture, whole]) one.folder.remove();
    await Promise.all([proxy.close(), new Promise((resolve) => server.close(resolve))]);
  });
});
