import { hash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FeedSource, NEWS } from './feed-source.js';
import { OutgoingClient } from '../../fetching/outgoing-client.js';
import { FakeStore } from '../../testing/fake-store.js';

let server: Server;
let answer: RequestListener;
let conditions: (string | undefined)[];
let store: FakeStore;
beforeEach(async () => {
  store = new FakeStore();
  conditions = [];
  server = createServer((request, response) => {
    conditions.push(request.headers['if-none-match']);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

const client = new OutgoingClient();
const feed = (...items: readonly string[]) =>
  `<rss version="2.0"><channel><title>T</title><link>https://a.example/</link>${items.join('')}</channel></rss>`;
const item = (guid: string, link = 'https://a.example/1') =>
  `<item><guid isPermaLink="false">${guid}</guid><title>${guid}</title><link>${link}</link></item>`;

function originOf(label: string) {
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/feed`;
  return { address, label, publicUrl: null, isOfficial: false, allowPrivate: true };
}

function sourceOf(label = 'Acme') {
  return new FeedSource(NEWS, { ...originOf(label), intervalMs: 60_000 }, client);
}

function run(source = sourceOf()) {
  return source.run({
    writer: store,
    collection: store,
    clock: { now: () => 1_800_000_000_000 },
    signal: new AbortController().signal,
    progress: () => undefined,
  });
}

/** Serves a document with an ETag, and 304 to whoever has it. */
const versioned =
  (text: string): RequestListener =>
  ({ headers }, response) => {
    const isKnown = headers['if-none-match'] === '"1"';
    response.writeHead(isKnown ? 304 : 200, { etag: '"1"' }).end(isKnown ? undefined : text);
  };

describe('FeedSource', () => {
  it('asks only for a change, also after a restart, but for everything when the configuration has changed', async () => {
    answer = versioned(feed(item('a')));
    await run();
    await run();
    await run(sourceOf('Other'));
    expect(conditions).toEqual([undefined, '"1"', undefined]);
  });

  it.each([
    ['/acme/widget.atom', false],
    ['/acme/widget.atom?key=a', false],
    ['/acme/widget.rss', true],
    ['/feed', true],
    ['/feed?format=.atom', true],
  ])('of %s accepts RSS: %s, because a server may send another feed in RSS', async (path, acceptsRss) => {
    let accepted: string | undefined;
    answer = ({ headers }, response) => {
      accepted = headers.accept;
      response.end(feed(item('a')));
    };
    const { address, ...origin } = originOf('Acme');
    await run(new FeedSource(NEWS, { ...origin, address: new URL(path, address).href, intervalMs: 60_000 }, client));
    expect([accepted?.includes('application/atom+xml'), accepted?.includes('application/rss+xml')]).toEqual([true, acceptsRss]);
  });

  it('asks for everything after an update, because an earlier version made other records of the same feed', async () => {
    answer = versioned(feed(item('a')));
    await run();
    const origin = originOf('Acme');
    const settings = hash('sha256', JSON.stringify([origin.address, origin]), 'base64url');
    const syncs = store.all.flatMap((record) => (record.kind === 'sync' ? [record] : []));
    await store.put(syncs.map((sync) => ({ ...sync, state: JSON.stringify({ ...(JSON.parse(sync.state ?? '') as object), settings }) })));
    await run();
    expect(conditions).toEqual([undefined, undefined]);
  });

  it('asks for everything while nothing was taken from the document', async () => {
    answer = versioned('<html></html>');
    await expect(run()).rejects.toMatchObject({ code: 'NOT_A_FEED' });
    await expect(run()).rejects.toMatchObject({ code: 'NOT_A_FEED' });
    expect(conditions).toEqual([undefined, undefined]);
    expect(store.all).toEqual([]);
  });

  it('repeats its warnings while the document has not changed', async () => {
    answer = versioned(feed(item('a'), item('a')));
    const source = sourceOf();
    const warnings = ['1 item was left out: with the guid of an earlier item'];
    expect(await run(source)).toMatchObject({ stored: 1, warnings });
    expect(await run(source)).toMatchObject({ stored: 0, warnings });
  });

  it('says how many records the store has refused', async () => {
    answer = versioned(feed(item('a', 'https://a.example/@ada@acme.example'), item('b')));
    store.refuse = (record) => (record.kind === 'news' && record.url.includes('@') ? 'email-in-identifier' : null);
    expect(await run()).toMatchObject({
      stored: 1,
      warnings: ['records that were left out, because their ids or addresses contain an email address: 1'],
    });
  });

  it('stores a long document in several calls', async () => {
    answer = versioned(feed(...Array.from({ length: 1_300 }, (_, index) => item(String(index)))));
    expect(await run()).toMatchObject({ stored: 1_300 });
    expect(Math.max(...store.batches)).toBe(500);
  });
});
