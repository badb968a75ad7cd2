import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMemoryStore } from '@vitrine/adapters-memory';
import { Allowlist } from '@vitrine/core';
import { StandingClock } from '@vitrine/core/testing';
import { sampled } from '@vitrine/test-support';
import { createVitrineHandler, type VitrineHandlerOptions } from '../src/composition/create-vitrine-handler.js';
import { NOW, smallWorld } from './support/small-world.js';

interface Feed {
  readonly title: string;
  readonly feed_url: string;
  readonly home_page_url: string;
  readonly items: readonly { readonly id: string; readonly url: string; readonly external_url?: string }[];
}

const publicUrl = 'https://acme.example/vitrine';

type Get = (target: string) => Promise<{ readonly status: number; readonly text: string }>;

const servers: http.Server[] = [];

async function opened(options: Partial<VitrineHandlerOptions> = {}): Promise<Get> {
  const clock = new StandingClock(NOW);
  const store = await openMemoryStore({ clock });
  await store.writer.put(smallWorld, { signal: new AbortController().signal });
  const approved = Allowlist.of('acme/widget').approved();
  const server = http.createServer(createVitrineHandler({ store, approved: () => approved, publicUrl, clock, ...options }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async (target) => {
    const response = await fetch(`http://127.0.0.1:${String(port)}${target}`);
    return { status: response.status, text: await response.text() };
  };
}

let get: Get;

beforeAll(async () => {
  get = await opened({ site: { title: 'Acme' } });
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('the addresses in a feed', () => {
  it('begin with the public address, and lead to the pages if there are any', async () => {
    const feed = JSON.parse((await get('/vitrine/feeds/releases.json?repository=acme/widget')).text) as Feed;
    const filter = '?repository=acme%2Fwidget';
    expect([feed.title, feed.feed_url, feed.home_page_url]).toEqual([
      'Acme: Releases, acme/widget',
      `${publicUrl}/feeds/releases.json${filter}`,
      `${publicUrl}/releases${filter}`,
    ]);
    const id = 'acme%2Fwidget%40v2.1.0';
    expect(feed.items[0]).toMatchObject({ id: `${publicUrl}/api/v1/development/releases/${id}`, url: `${publicUrl}/releases/${id}` });
    const pages = [feed.home_page_url, ...feed.items.map(({ url }) => url)].map((url) => url.replace('https://acme.example', ''));
    for (const page of pages) expect([page, (await get(page)).status]).toEqual([page, 200]);
  });

  it('lead to the origin of the records if there are no pages', async () => {
    const getApi = await opened();
    const feed = JSON.parse((await getApi('/vitrine/feeds/releases.json')).text) as Feed;
    expect(feed.home_page_url).toBe(`${publicUrl}/api/v1/development/releases`);
    expect(feed.items[0]?.url).toBe(feed.items[0]?.external_url);
  });
});

/** The addresses of the feeds that the head of a page names. */
const feedsIn = (html: string): readonly string[] =>
  [...html.matchAll(/<link rel="alternate" type="(?:application\/(?:atom|feed)\+(?:xml|json)|text\/calendar)"[^>]* href="([^"]+)"/g)].map(
    ([, href = '']) => href.replaceAll('&amp;', '&'),
  );

const both = (name: string, query = ''): readonly string[] => [`/feeds/${name}.atom${query}`, `/feeds/${name}.json${query}`];
const ALL = [...both('incidents'), '/feeds/maintenance.ics', ...['commits', 'releases', 'findings', 'news'].flatMap((name) => both(name))];

describe('a page that shows several lists', () => {
  const pages: readonly (readonly [string, readonly string[]])[] = [
    ['/', ALL],
    ['/status', [...both('incidents'), '/feeds/maintenance.ics']],
    ['/status/services/acme%3Awidget-api', [...both('incidents', '?service=acme%3Awidget-api'), '/feeds/maintenance.ics?service=acme%3Awidget-api']],
    ['/repositories/acme/widget', ['commits', 'releases', 'findings'].flatMap((name) => both(name, '?repository=acme%2Fwidget'))],
  ];

  it.each(sampled(pages, 2))('%s names their feeds to programs and to people, and they answer', async (path, feeds) => {
    const { text } = await get(`/vitrine${path}`);
    const expected = feeds.map((feed) => `/vitrine${feed}`);
    expect(feedsIn(text)).toEqual(expected);
    const [, visible = ''] = /<ul class="feeds">(.*?)<\/ul>/s.exec(text) ?? [];
    expect([...visible.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href)).toEqual(expect.arrayContaining(expected));
    for (const feed of expected) expect([feed, (await get(feed)).status]).toEqual([feed, 200]);
  });
});

describe('the page of a list', () => {
  it.each(sampled(['commits', 'releases', 'findings', 'status/history', 'articles', 'videos', 'news'], 3))(
    '%s names its feeds, and they answer',
    async (path) => {
      const { text } = await get(`/vitrine/${path}?from=2020-01-01`);
      const feeds = feedsIn(text).filter((feed) => !feed.endsWith('.ics'));
      expect(feeds).toHaveLength(2);
      for (const feed of feeds) {
        expect(feed).toContain('?from=2020-01-01');
        expect([feed, (await get(feed)).status]).toEqual([feed, 200]);
      }
    },
  );
});
