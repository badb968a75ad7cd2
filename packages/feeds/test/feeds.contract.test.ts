import { NOW } from '@vitrine/core/testing';
import { extractFromJson, extractFromXml, type FeedData } from '@extractus/feed-extractor';
import { atomFeed, jsonFeed, type Feed, type FeedEntry } from '../src/feed.js';
import { aFeed, anEntry, entriesOfAllKinds, hostileEntry, HOSTILE_TEXTS } from './support/feed-examples.js';
import { atomFaults, jsonFeedFaults } from './support/feed-schemas.js';

const FEEDS: readonly Feed[] = [
  aFeed(),
  aFeed(...entriesOfAllKinds),
  aFeed(anEntry({ originUrl: null, authorName: null, text: '', tags: [] })),
  ...HOSTILE_TEXTS.map((text) => ({ ...aFeed(hostileEntry(text)), title: text, publisher: text })),
];

/** Changes that each break a rule of the format. */
const ATOM_FAULTS: Readonly<Record<string, (text: string) => string>> = {
  'no id': (text) => text.replace(/<id>[^]*?<\/id>/, ''),
  'two titles': (text) => text.replace(/<entry>/, '<entry><title>again</title>'),
  'no time of a change': (text) => text.replace(/<updated>[^<]*<\/updated>/, ''),
  'a time of another format': (text) => text.replace(/<updated>[^<]*/, '<updated>20 Nov 2026'),
  'an unknown element': (text) => text.replace(/<entry>/, '<entry><pubDate>x</pubDate>'),
  'a link without address': (text) => text.replace(/<link href="[^"]*"/, '<link'),
  'an author without name': (text) => text.replace(/<name>[^<]*<\/name>/, ''),
  'markup in a text': (text) => text.replace(/<title([^>]*)>/, '<title$1><b>x</b>'),
  'another root': (text) => text.replaceAll('<feed', '<rss').replaceAll('</feed', '</rss'),
};

const JSON_FAULTS: Readonly<Record<string, (feed: Record<string, unknown>, item: Record<string, unknown>) => void>> = {
  'no items': (feed) => delete feed['items'],
  'an older version': (feed) => (feed['version'] = 'https://jsonfeed.org/version/1'),
  'an address that is none': (feed) => (feed['feed_url'] = '/feeds/commits.json'),
  'an unknown member': (feed) => (feed['link'] = 'x'),
  'an item without id': (_feed, item) => delete item['id'],
  'an item without content': (_feed, item) => delete item['content_text'],
  'a time of another format': (_feed, item) => (item['date_published'] = '20 Nov 2026'),
  'a number as id': (_feed, item) => (item['id'] = 1),
};

describe('Atom feeds', () => {
  it('follow the grammar of RFC 4287, whatever their texts are, and would not with any of these faults', async () => {
    const right = atomFeed(aFeed(...entriesOfAllKinds));
    const planted = Object.entries(ATOM_FAULTS).map(([fault, plant]) => ({ fault, document: plant(right) }));
    expect(planted.filter(({ document }) => document === right)).toEqual([]);
    const found = await atomFaults([...planted.map(({ document }) => document), ...FEEDS.map(atomFeed)]);
    const faultsOf = (index: number) => found.filter((line) => line.startsWith(`${String(index)}.xml:`));
    expect(planted.filter((_, index) => faultsOf(index).length === 0)).toEqual([]);
    expect(FEEDS.flatMap((_, index) => faultsOf(planted.length + index))).toEqual([]);
  });
});

describe('JSON feeds', () => {
  it('follow JSON Feed 1.1, whatever their texts are', () => {
    expect(FEEDS.flatMap((feed) => jsonFeedFaults(jsonFeed(feed)))).toEqual([]);
  });

  it.each(Object.keys(JSON_FAULTS))('would not, with %s', (fault) => {
    const feed = JSON.parse(jsonFeed(aFeed(anEntry()))) as { readonly items: readonly Record<string, unknown>[] } & Record<string, unknown>;
    JSON_FAULTS[fault]?.(feed, feed.items[0] ?? {});
    expect(jsonFeedFaults(JSON.stringify(feed))).not.toEqual([]);
  });
});

/** What another reader finds in a feed. */
function shown({ title, link, entries = [] }: FeedData) {
  return { title, link, entries: entries.map((entry) => ({ id: entry.id, link: entry.link, title: entry.title, published: entry.published })) };
}

describe('another reader of feeds', () => {
  const feed = aFeed(
    ...entriesOfAllKinds,
    anEntry({ id: 'https://status.acme.example/api/v1/commits/2', publishedAt: NOW - 9_000, updatedAt: NOW - 1_000 }),
  );
  const expected = (timeOf: (entry: FeedEntry) => number) => ({
    title: feed.title,
    entries: feed.entries.map((entry) => ({ id: entry.id, link: entry.url, title: entry.title, published: new Date(timeOf(entry)).toISOString() })),
  });

  // The reader calls the time of the last change so.
  it('finds the same entries in an Atom feed', () => {
    expect(shown(extractFromXml(atomFeed(feed)))).toMatchObject(expected(({ updatedAt }) => updatedAt));
  });

  it('finds the same entries in a JSON feed', () => {
    expect(shown(extractFromJson(jsonFeed(feed)))).toMatchObject({ ...expected(({ publishedAt }) => publishedAt), link: feed.url });
  });
});
