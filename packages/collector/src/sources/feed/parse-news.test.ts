import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { News } from '@vitrine/core';
import { isTorture, sampled } from '@vitrine/test-support';
import type { FeedOrigin } from './distinct-items.js';
import { NEWS, parseItems } from './feed-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const FEEDS = join(__dirname, '../../../test/feeds');
const ORIGIN: FeedOrigin = {
  address: 'https://blog.acme.example/feed.xml',
  label: 'Acme Blog',
  publicUrl: null,
  isOfficial: false,
  allowPrivate: false,
};

function parsed(body: Uint8Array | string, origin: Partial<FeedOrigin> = {}, contentType = 'text/xml') {
  const { records, warnings } = parseItems(NEWS, { body: Buffer.from(body), contentType }, { origin: { ...ORIGIN, ...origin }, now: NOW });
  return { records: records as readonly News[], warnings };
}

const fixture = (name: string) => readFileSync(join(FEEDS, name));
const rss = (items: string) => `<rss version="2.0"><channel><title>T</title><link>https://blog.acme.example/</link>${items}</channel></rss>`;
const shown = (records: readonly News[]) =>
  records.map(({ title, summary, url, publishedAt }) => [
    title,
    summary,
    url,
    publishedAt === undefined ? null : new Date(publishedAt).toISOString(),
  ]);

describe('news of a feed', () => {
  it('reads RSS 2.0: plain texts, canonical addresses, and only times that the feed says and that can be true', () => {
    const { records, warnings } = parsed(fixture('rss-2.0.xml'));
    expect(shown(records)).toEqual([
      ['Widget 2.1 – what’s new', 'Stable cursors & feeds. Ask . […]', 'https://blog.acme.example/widget-2-1/?p=7#top', '2026-11-18T10:00:00.000Z'],
      ['No date, and a relative address', 'Plain summary', 'https://blog.acme.example/undated', null],
      ['An item without a title', 'An item without a title', 'https://blog.acme.example/only-a-guid', '2026-11-17T09:30:00.000Z'],
      ['Hostile address', '', 'https://blog.acme.example/feed.xml', null],
      ['An earlier version of the first item', '', 'https://blog.acme.example/old', null],
      ['Nothing to recognize it by', '', 'https://blog.acme.example/feed.xml', null],
    ]);
    expect(warnings).toEqual([]);
  });

  it('gives every record its id, its times and its provenance', () => {
    const [first, undated] = parsed(fixture('rss-2.0.xml')).records;
    const publishedAt = Date.UTC(2026, 10, 18, 10);
    expect(first).toMatchObject({
      id: expect.stringMatching(/^acme-blog-[0-9a-f]{20}$/),
      source: 'Acme Blog',
      publishedAt,
      listedAt: publishedAt,
      discoveredAt: NOW,
      provenance: {
        source: 'Acme Blog',
        sourceKind: 'community-feed',
        sourceUrl: 'https://blog.acme.example/feed.xml',
        observedAt: NOW,
        publishedAt,
        confidence: 'medium',
        isOfficialSource: false,
      },
    });
    expect(undated).toMatchObject({ listedAt: NOW });
    expect(undated?.provenance).not.toHaveProperty('publishedAt');
  });

  it('reads RSS 1.0 in the encoding that it declares', () => {
    expect(shown(parsed(fixture('rss-1.0.xml')).records)).toEqual([
      ['Neue Übersicht für Builds', 'Jetzt mit Café', 'https://news.acme.example/1', '2026-11-19T07:00:00.000Z'],
    ]);
  });

  it('reads Atom: types of texts, the page among several links, and the update of an entry that says no other time', () => {
    expect(shown(parsed(fixture('atom.xml')).records)).toEqual([
      ['Why a < b, and R&D', 'A short answer', 'https://dev.acme.example/less', '2026-11-20T07:00:00.000Z'],
      ['Only updated', '', 'https://dev.acme.example/updated', '2026-11-10T09:00:00.000Z'],
    ]);
  });

  it.each([
    ['dcterms:issued', 'http://purl.org/dc/terms/'],
    ['dcterms:created', 'http://purl.org/dc/terms/'],
    ['a10:published', 'http://www.w3.org/2005/Atom'],
    ['a10:updated', 'http://www.w3.org/2005/Atom'],
  ])('reads the time of an RSS item that says it as %s only', (name, namespace) => {
    const time = `<${name} xmlns:${name.split(':')[0] ?? ''}="${namespace}">2026-11-10T09:00:00Z</${name}>`;
    const { records } = parsed(`<rss version="2.0"><channel><title>T</title><item><title>a</title>${time}</item></channel></rss>`);
    expect(records[0]?.publishedAt).toBe(Date.UTC(2026, 10, 10, 9));
  });

  it.each(['Mon, 30 Feb 2026 10:00:00 GMT', '2026-04-31T10:00:00Z', 'soon'])('takes a news item with the date %j for one without a date', (date) => {
    const [item] = parsed(rss(`<item><title>a</title><pubDate>${date}</pubDate></item>`)).records;
    expect(item).toMatchObject({ title: 'a', listedAt: NOW });
    expect(item).not.toHaveProperty('publishedAt');
  });

  it('reads JSON Feed, whose titles and summaries are plain text', () => {
    expect(shown(parsed(fixture('feed.json'), {}, 'application/feed+json').records)).toEqual([
      ['Tom & Jerry <3', 'AT&amp;T is written as it is.', 'https://notes.acme.example/2026/11/1', '2026-11-19T17:00:00.000Z'],
      ['A message without a title, as people write them.', '', 'https://notes.acme.example/2026/11/2', '2026-11-18T12:00:00.000Z'],
      ['A link', '', 'https://elsewhere.example/a', null],
    ]);
  });

  it('marks an official feed', () => {
    const [news] = parsed(fixture('atom.xml'), { isOfficial: true }).records;
    expect(news?.provenance).toMatchObject({ sourceKind: 'official-source', confidence: 'high', isOfficialSource: true });
  });

  it.each([
    ['the address of the feed', {}, 'https://blog.acme.example/feed.xml'],
    [
      'its web page if the address has a query, which may hold a token',
      { address: 'https://blog.acme.example/feed.xml?key=secret' },
      'https://dev.acme.example/',
    ],
    ['its web page if the address may be private', { address: 'http://10.0.0.1/feed.xml', allowPrivate: true }, 'https://dev.acme.example/'],
    ['what the configuration says', { allowPrivate: true, publicUrl: 'https://acme.example/blog' }, 'https://acme.example/blog'],
  ])('names as its origin %s', (_, origin, sourceUrl) => {
    const { records } = parsed(fixture('atom.xml'), origin);
    expect(new Set(records.map(({ provenance }) => provenance.sourceUrl))).toEqual(new Set([sourceUrl]));
    expect(JSON.stringify(records)).not.toMatch(/secret|10\.0\.0\.1/);
  });

  it('never publishes a private address as the base of relative ones', () => {
    const text =
      '<rss version="2.0"><channel><title>T</title><item><title>a</title><link>/a</link><guid isPermaLink="false">a</guid></item></channel></rss>';
    const { records, warnings } = parsed(text, { address: 'http://10.0.0.1/feed.xml', allowPrivate: true });
    expect(records).toEqual([]);
    expect(warnings).toEqual([
      '1 item was left out: without an address that may be published, because the feed is in a private network; add the key url to the source',
    ]);
  });

  it.each(['#a', '?', '', '.'])('publishes neither the query nor the password of the feed with the relative address %j', (link) => {
    const item = `<item><title>a</title><link>${link}</link><guid>${link}</guid></item>`;
    const text = `<rss version="2.0"><channel><title>T</title><link>${link}</link>${item}</channel></rss>`;
    const { records } = parsed(text, { address: 'https://ada:secret@blog.acme.example/feed.xml?key=secret' });
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  const OWN = 'https://blog.acme.example/?key=secret';
  const ENTRY = '<entry><id>1</id><title>a</title><link href="#a"/></entry>';

  it.each([
    ['as its web page', `<rss version="2.0"><channel><title>T</title><link>${OWN}</link><item><link>#a</link></item></channel></rss>`],
    ['as an item', `<rss version="2.0"><channel><title>T</title><item><link>${OWN}#a</link></item></channel></rss>`],
    ['as the guid of an item', `<rss version="2.0"><channel><title>T</title><item><guid>${OWN}#a</guid></item></channel></rss>`],
    ['as its base', `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${OWN}"><title>T</title>${ENTRY}</feed>`],
    ['as a relative one', `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link href="?key=secret"/>${ENTRY}</feed>`],
  ])('does not publish the query of a feed that states its own address %s', (_, text) => {
    const { records } = parsed(text, { address: OWN });
    expect(records.map(({ url }) => url)).toEqual(['https://blog.acme.example/#a']);
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  it('keeps other queries of the page that serves a feed, which can name its items', () => {
    const { records } = parsed(rss('<item><link>?p=1</link></item><item><link>?p=2</link></item>'), {
      address: 'https://blog.acme.example/?feed=rss2',
    });
    expect(records.map(({ url }) => new URL(url).search)).toEqual(['?p=1', '?p=2']);
  });

  it('resolves relative addresses of a private feed against its public address', () => {
    const text = '<rss version="2.0"><channel><title>T</title><item><title>a</title><link>/a</link></item></channel></rss>';
    const { records, warnings } = parsed(text, { address: 'http://10.0.0.1/feed.xml', allowPrivate: true, publicUrl: 'https://news.acme.example' });
    expect([records.map(({ url }) => url), warnings]).toEqual([['https://news.acme.example/a'], []]);
  });

  it.each([
    ['a title only', '<item><title>a</title></item>'],
    ['a relative link and no guid', '<item><title>a</title><link>/a</link></item>'],
    ['a relative link and a guid', '<item><title>a</title><link>/a</link><guid isPermaLink="false">a</guid></item>'],
    ['a title and a guid only', '<item><title>a</title><guid isPermaLink="false">a</guid></item>'],
  ])('gives the reason why an item of a private feed is left out: %s', (_, item) => {
    const text = `<rss version="2.0"><channel><title>T</title>${item}</channel></rss>`;
    const { warnings } = parsed(text, { address: 'http://10.0.0.1/feed.xml', allowPrivate: true });
    expect(warnings).toEqual([
      expect.stringMatching(/^1 item was left out: without an address that may be published, because the feed is in a private network/),
    ]);
  });

  it('shortens summaries to 500 characters, and keeps the ids when texts change', () => {
    const item = (summary: string) =>
      rss(`<item><guid isPermaLink="false">a</guid><title>x</title><link>https://a.example/</link><description>${summary}</description></item>`);
    const [long] = parsed(item('word '.repeat(1_000))).records;
    expect([...(long?.summary ?? '')].length).toBeLessThanOrEqual(500);
    expect(long?.summary).toMatch(/…$/);
    expect(parsed(item('short')).records[0]?.id).toBe(long?.id);
  });

  it('identifies items without a guid by their canonical address', () => {
    const item = (query: string) => parsed(rss(`<item><title>x</title><link>https://a.example/1${query}</link></item>`)).records[0]?.id;
    expect(item('?utm_source=a')).toBe(item(''));
    expect(item('?b=1')).not.toBe(item(''));
  });

  it.each([
    [
      'a web page',
      '<!DOCTYPE html><html><head><title>Sign in</title></head><body><pre>\n<rss version="2.0"><channel></channel></rss></pre></body></html>',
    ],
    ['a web page without a doctype', '<html><body>Maintenance</body></html>'],
    ['nothing', ''],
    ['text', 'not found'],
    ['other JSON', '{"error": "rate limited"}'],
    ['a JSON list', '[1, 2]'],
    ['other XML', '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'],
    ['binary data', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3])],
    ['a comment without end', `<!--${' <rss'.repeat(50_000)}`],
    ['a document type without end', `<!DOCTYPE rss [${'<!ENTITY a "b">'.repeat(10_000)}`],
  ])('refuses %s', (_, body) => {
    expect(() => parsed(body)).toThrow(expect.objectContaining({ code: 'NOT_A_FEED' }));
  });

  it.each(['', 'text/html', 'text/plain; charset=utf-8', 'application/octet-stream', 'image/png', ';;;'])(
    'does not rely on the content type: %j',
    (contentType) => {
      expect(parsed(fixture('atom.xml'), {}, contentType).records).toHaveLength(2);
    },
  );

  it('does not expand entities that a document declares', () => {
    const levels = Array.from({ length: 30 }, (_, level) => `<!ENTITY l${String(level + 1)} "${`&l${String(level)};`.repeat(10)}">`).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "lol"><!ENTITY file SYSTEM "file:///etc/passwd">${levels}]>`;
    const { records } = parsed(
      `${bomb}${rss('<item><guid isPermaLink="false">a</guid><title>&l30; &file;</title><link>https://a.example/</link></item>')}`,
    );
    expect(records[0]?.title).toBe('&l30; &file;');
  });

  const many = (piece: (index: number) => string, count = 300_000) => rss(Array.from({ length: count }, (_, index) => piece(index)).join(''));
  const tooMany: readonly (readonly [string, () => string, number])[] = [
    ['elements', () => many(() => '<a/>'), 250_000],
    ['elements of a text that looks like a comment to others', () => many(() => '<a b="<!--"/>'), 250_000],
    ['attributes with different names', () => many((index) => `<a x${String(index)}="1"/>`), 250_000],
    ['elements with different names', () => many((index) => `<a${String(index)}>x</a${String(index)}>`, 10_001), 10_000],
    ['attributes of one element', () => rss(`<item ${Array.from({ length: 300_000 }, (_, index) => `x${String(index)}='1'`).join(' ')}/>`), 10_000],
    ['attributes with blanks', () => rss(`<item ${'a = "1" '.repeat(300_000)}/>`), 250_000],
    ['levels', () => rss('<a>'.repeat(101) + '</a>'.repeat(101)), 100],
    ['levels without end', () => `<rss version="2.0"><channel>${'<a>'.repeat(200_000)}`, 100],
  ];
  it.each(sampled(tooMany, 3))('refuses a feed with too many %s, and says the limit', (_, text, limit) => {
    expect(() => parsed(text())).toThrow(
      expect.objectContaining({ code: 'TOO_MANY_ELEMENTS', message: expect.stringContaining(`at most ${String(limit)} `) }),
    );
  });

  it('reads a large feed whose texts are full of HTML', () => {
    const html = '<p class="a">Text of <a href="https://acme.example/">a page</a> with <code>code = "x"</code></p>'.repeat(20);
    const item = (index: number) =>
      `<item><guid>https://acme.example/${String(index)}</guid><title>x</title><description><![CDATA[${html}]]></description></item>`;
    const many = isTorture ? 1_500 : 40;
    expect(parsed(rss(Array.from({ length: many }, (_, index) => item(index)).join(''))).records).toHaveLength(many);
  });

  const MOST_ITEMS = 20_000;
  const jsonFeed = (items: readonly string[]) => `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[${items.join(',')}]}`;
  const formats = [
    ['JSON', (count: number) => jsonFeed(Array.from({ length: count }, () => '{"id":"a"}'))],
    ['RSS', (count: number) => rss('<item><guid>a</guid></item>'.repeat(count))],
  ] as const;
  it.each(sampled(formats, 2))('refuses a feed in %s of more than 20,000 items', (_, feedOf) => {
    expect(() => parsed(feedOf(MOST_ITEMS + 1))).toThrow(expect.objectContaining({ code: 'TOO_MANY_ITEMS' }));
  });

  it('keeps one of many items with the same guid', () => {
    const { records, warnings } = parsed(rss('<item><guid>https://a.example/</guid><title>x</title></item>'.repeat(100)));
    expect(records).toHaveLength(1);
    expect(warnings).toEqual(['99 items were left out: with the guid of an earlier item']);
  });

  it('never throws anything but the reason, whatever the bytes are', () => {
    const piece = fc.constantFrom(
      '<rss version="2.0">',
      '<channel>',
      '<item>',
      '<title>',
      '<![CDATA[',
      ']]>',
      '</item>',
      '<feed xmlns="http://www.w3.org/2005/Atom">',
      '<entry>',
      '&',
      '&#0;',
      '"',
      '{"version":"https://jsonfeed.org/version/1"',
      ',"items":[',
      '{}',
      ']',
      '}',
      '<guid>',
      '\0',
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(piece, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        try {
          parsed(body);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^(NOT_A_FEED|NOT_COMPLETE|TOO_MANY_ITEMS|TOO_MANY_ELEMENTS)$/) });
        }
      }),
    );
  });
});
