import { DAY, MINUTE, type StoredRecord } from '@vitrine/core';
import { aCommit, anIncident, aRelease, NOW, someNews } from '@vitrine/core/testing';
import { parseAtomFeed } from 'feedsmith';
import { Api } from './support/api.js';
import { FEED_TARGETS } from './support/documents.js';
import { FaultyStore } from './support/faulty-store.js';
import { PUBLIC_URL, smallWorld } from './support/small-world.js';

/** The list of each feed. */
const LIST_OF: Readonly<Record<string, string>> = {
  commits: '/api/v1/development/commits',
  releases: '/api/v1/development/releases',
  findings: '/api/v1/development/findings',
  news: '/api/v1/news',
  articles: '/api/v1/articles',
  videos: '/api/v1/videos',
  incidents: '/api/v1/status/incidents',
};

interface Items {
  readonly title: string;
  readonly feed_url: string;
  readonly home_page_url: string;
  readonly items: readonly { readonly id: string; readonly title: string; readonly date_modified: string; readonly content_html?: string }[];
}

/** For the tests that only read. */
let ordinary: Api;

beforeAll(async () => {
  ordinary = await open();
});
afterEach(() => Api.closeAll(ordinary));
afterAll(() => Api.closeAll());

const open = (...records: readonly StoredRecord[]) => Api.open({ records: [...smallWorld, ...records] });
const nameOf = (target: string): string => /feeds\/(\w+)/.exec(target)?.[1] ?? '';
const itemsOf = async (api: Api, target: string): Promise<Items> => (await api.get(target)).json as Items;

describe('a feed', () => {
  it.each(FEED_TARGETS)('at %s has the records and the caching of its list', async (target) => {
    const [feed, list] = [await ordinary.get(target), await ordinary.get(LIST_OF[nameOf(target)] ?? '')];
    expect([feed.status, feed.headers['cache-control']]).toEqual([200, list.headers['cache-control']]);
    expect(feed.headers['surrogate-key']).toBe(list.headers['surrogate-key']);
    const records = (list.json as { readonly data: readonly { readonly href: string }[] }).data;
    const ids = target.endsWith('atom')
      ? (parseAtomFeed(feed.body).entries ?? []).map(({ id }) => id)
      : (feed.json as Items).items.map(({ id }) => id);
    expect(ids).toEqual(records.map(({ href }) => PUBLIC_URL + href));
    expect(ids.length).toBeGreaterThan(0);
  });

  it.each(FEED_TARGETS)('at %s is revalidated by its weak tag, and has a HEAD', async (target) => {
    const { headers } = await ordinary.send('GET', target);
    const again = await ordinary.send('GET', target, { 'If-None-Match': String(headers['etag']) });
    expect([again.status, again.body]).toEqual([304, '']);
    const head = await ordinary.send('HEAD', target);
    expect([head.status, head.body, head.headers['etag'], head.headers['content-length']]).toEqual([
      200,
      '',
      headers['etag'],
      headers['content-length'],
    ]);
  });

  it('has at most 50 records, whatever the query asks for', async () => {
    const shas = Array.from({ length: 70 }, (_, index) => index.toString(16).padStart(40, '0'));
    const api = await open(...shas.map((sha, index) => aCommit({ sha, committedAt: NOW - index * MINUTE })));
    const plain = await api.get('/feeds/commits.json');
    expect((plain.json as Items).items).toHaveLength(50);
    const asked = await api.get('/feeds/commits.json?limit=3&cursor=nonsense&utm_source=mail&repository=');
    expect(asked.body).toBe(plain.body);
  });

  it('takes the filters of its list, and has them in its title and its address', async () => {
    const api = await open(aRelease({ id: 'acme/widget@v3-rc', tagName: 'v3-rc', releaseType: 'rc', publishedAt: NOW - DAY }));
    const { title, items, feed_url, home_page_url } = await itemsOf(api, '/feeds/releases.json?repository=ACME/Widget&releaseType=rc');
    expect(title).toBe('Vitrine: Releases, acme/widget, rc');
    expect(items.map(({ title }) => title)).toEqual([expect.stringContaining('v3-rc')]);
    const filters = 'repository=acme%2Fwidget&releaseType=rc';
    expect([feed_url, home_page_url]).toEqual([
      `${PUBLIC_URL}/feeds/releases.json?${filters}`,
      `${PUBLIC_URL}/api/v1/development/releases?${filters}`,
    ]);
  });

  it.each(['/feeds/news.atom?from=yesterday', '/feeds/commits.json?repository=widget'])('refuses the value in %s', async (target) => {
    expect((await ordinary.get(target)).status).toBe(400);
  });

  it('keeps its ids when a record changes, and shows the time of the change', async () => {
    const api = await open(anIncident({ id: 'inc_1', updatedAt: NOW - DAY }));
    const before = (await itemsOf(api, '/feeds/incidents.json')).items.find(({ id }) => id.endsWith('inc_1'));
    await api.store.writer.put([anIncident({ id: 'inc_1', title: 'Renamed', updatedAt: NOW - MINUTE })], { signal: new AbortController().signal });
    const after = (await itemsOf(api, '/feeds/incidents.json')).items.find(({ id }) => id.endsWith('inc_1'));
    expect(after).toMatchObject({ id: before?.id, title: 'Renamed', date_modified: new Date(NOW - MINUTE).toISOString() });
    expect(before?.date_modified).toBe(new Date(NOW - DAY).toISOString());
  });

  it('counts for the limits of a client, unless its answer is kept', async () => {
    const api = await Api.open({
      records: smallWorld,
      rateLimits: { requestsPerMinute: 2, searchesPerMinute: 2, loopback: true },
      cacheAnswers: false,
    });
    const statuses = [];
    for (let turn = 0; turn < 3; turn++) statuses.push((await api.get('/feeds/news.atom')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('has the text of incidents as HTML that is safe to show', async () => {
    const body = 'A **bad** deploy, see [the log](https://acme.example/log).\n\n<script>alert(1)</script>';
    const api = await open(anIncident({ id: 'inc_md', updates: [{ id: '1', state: 'resolved', body, createdAt: NOW }] }));
    const item = (await itemsOf(api, '/feeds/incidents.json')).items.find(({ id }) => id.endsWith('inc_md'));
    expect(item?.content_html).toContain(
      'A <strong>bad</strong> deploy, see <a href="https://acme.example/log" rel="nofollow noopener">the log</a>.',
    );
    expect(item?.content_html).not.toContain('script');
    expect(parseAtomFeed((await api.get('/feeds/incidents.atom')).body).entries?.map(({ content }) => content?.value)).toContain(item?.content_html);
  });

  it('holds texts as text', async () => {
    const text = '<script>alert(1)</script>]]><b>&amp;';
    const api = await open(someNews({ id: 'nws_x', title: text, summary: text, listedAt: NOW - MINUTE }));
    const { body } = await api.get('/feeds/news.atom');
    expect(parseAtomFeed(body).entries?.[0]?.content?.value).toBeDefined();
    expect(body.replace(/<!\[CDATA\[.*?\]\]>/gs, '')).not.toContain('<script');
  });

  it('is 503, and never an empty feed, if the store cannot be read', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over });
    faulty.set('fails');
    for (const target of FEED_TARGETS) {
      const failed = await api.get(target);
      expect([target, failed.status, failed.headers['cache-control']]).toEqual([target, 503, 'no-store']);
    }
  });

  it('is the last good one if the store is lost', async () => {
    const faulty = new FaultyStore();
    const api = await Api.open({ records: smallWorld, readers: faulty.over });
    const good = new Map<string, string>();
    for (const target of FEED_TARGETS) good.set(target, (await api.get(target)).body);
    faulty.set('fails');
    api.clock.set(api.clock.now() + 2 * MINUTE);
    for (const [target, body] of good) {
      const last = await api.get(target);
      expect([target, last.status, last.body, last.headers['cache-control']]).toEqual([target, 200, body, 'no-store']);
    }
  });
});
