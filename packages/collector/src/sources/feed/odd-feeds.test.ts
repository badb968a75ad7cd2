import fc from 'fast-check';
import type { News } from '@vitrine/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FeedOrigin } from './distinct-items.js';
import { NEWS, parseItems } from './feed-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const ORIGIN: FeedOrigin = {
  address: 'https://blog.acme.example/feeds/all.xml',
  label: 'Acme Blog',
  publicUrl: null,
  isOfficial: false,
  allowPrivate: false,
};

function parsed(body: string, memory: Readonly<Record<string, string>> = {}, origin: Partial<FeedOrigin> = {}) {
  const document = parseItems(NEWS, { body: Buffer.from(body), contentType: 'text/xml' }, { origin: { ...ORIGIN, ...origin }, now: NOW, memory });
  return { ...document, records: document.records as readonly News[] };
}

const urls = (body: string, origin: Partial<FeedOrigin> = {}) => parsed(body, {}, origin).records.map(({ url }) => url);
const rss = (items: string, attributes = '') => `<rss version="2.0" ${attributes}><channel><title>T</title>${items}</channel></rss>`;
const atom = (entries: string, attributes = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title>T</title><id>urn:feed</id>${entries}</feed>`;
const entry = (link: string, attributes = '') => `<entry ${attributes}><id>urn:1</id><title>a</title><link href="${link}"/></entry>`;
const fixture = (name: string) => readFileSync(join(__dirname, '../../../test/feeds', name), 'utf8');

describe('the addresses of items', () => {
  it.each([
    ['that of the feed', atom(entry('a'), 'xml:base="https://acme.example/blog/"'), 'https://acme.example/blog/a'],
    ['a relative one of the feed', atom(entry('a'), 'xml:base="/blog/"'), 'https://blog.acme.example/blog/a'],
    ['that of the entry', atom(entry('a', 'xml:base="https://other.example/x/"')), 'https://other.example/x/a'],
    [
      'one of the entry within that of the feed',
      atom(entry('a', 'xml:base="2026/"'), 'xml:base="https://acme.example/b/"'),
      'https://acme.example/b/2026/a',
    ],
    ['one in RSS', rss('<item xml:base="https://acme.example/n/"><title>a</title><link>a</link></item>'), 'https://acme.example/n/a'],
    [
      'that of a single link',
      atom('<entry><id>1</id><title>a</title><link xml:base="https://other.example/x/" href="a"/></entry>', 'xml:base="https://acme.example/b/"'),
      'https://other.example/x/a',
    ],
    [
      'a relative one of a link',
      atom('<entry><id>1</id><title>a</title><link href="a" xml:base=\'2026/\'/></entry>', 'xml:base="https://acme.example/b/"'),
      'https://acme.example/b/2026/a',
    ],
    [
      'a relative one of a link with an absolute path',
      atom('<entry><id>1</id><title>a</title><link xml:base="2026/" href="/a?x=1&amp;y=2"/></entry>'),
      'https://blog.acme.example/a?x=1&y=2',
    ],
    ['one of a link in RSS', rss('<item><title>a</title><link xml:base="https://acme.example/n/">a</link></item>'), 'https://acme.example/n/a'],
    [
      'none that is hostile of a link',
      atom('<entry><id>1</id><title>a</title><link xml:base="javascript:x//" href="a"/></entry>'),
      'https://blog.acme.example/feeds/a',
    ],
    ['none that is hostile', atom(entry('a'), 'xml:base="javascript:alert(1)//"'), 'https://blog.acme.example/feeds/a'],
  ])('follow xml:base: %s', (_, body, url) => {
    expect(urls(body)).toEqual([url]);
  });

  it('follow a public xml:base of a feed in a private network', () => {
    const body = atom(entry('a'), 'xml:base="https://acme.example/blog/"');
    expect(urls(body, { address: 'http://10.0.0.1/feed.xml', allowPrivate: true })).toEqual(['https://acme.example/blog/a']);
  });

  it('are the id of an Atom entry without a link, if the id is an address', () => {
    const only = (id: string) => atom(`<entry><id>${id}</id><title>a</title><link rel="enclosure" href="https://acme.example/a.mp3"/></entry>`);
    expect(urls(only('https://acme.example/1'))).toEqual(['https://acme.example/1']);
    expect(urls(only('tag:acme.example,2026:1'))).toEqual(['https://blog.acme.example/feeds/all.xml']);
    expect(urls(only('one'))).toEqual(['https://blog.acme.example/feeds/all.xml']);
  });

  it('are the atom:link of an RSS item, whatever the prefix is', () => {
    const item = (prefix: string, guid: string) =>
      rss(
        `<item>${guid}<title>a</title><${prefix}:link rel="self" href="https://acme.example/self"/><${prefix}:link href="https://acme.example/1"/></item>`,
        `xmlns:${prefix}="http://www.w3.org/2005/Atom"`,
      );
    for (const guid of ['', '<guid isPermaLink="false">1</guid>', '<guid>https://acme.example/guid</guid>']) {
      expect([urls(item('atom', guid)), urls(item('a10', guid))]).toEqual([['https://acme.example/1'], ['https://acme.example/1']]);
    }
  });
});

describe('the identity of an item', () => {
  const titled = (title: string, date: string) => `<item><title>${title}</title><pubDate>${date}</pubDate></item>`;

  it('is its title and date without a guid and an address', () => {
    const body = rss(titled('a', '1 Nov 2026') + titled('a', '2 Nov 2026') + titled('b', '1 Nov 2026') + titled('a', '1 Nov 2026'));
    const { records, warnings } = parsed(body);
    expect(records.map(({ title, publishedAt }) => [title, publishedAt])).toEqual([
      ['a', Date.UTC(2026, 10, 1)],
      ['a', Date.UTC(2026, 10, 2)],
      ['b', Date.UTC(2026, 10, 1)],
    ]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
    expect(warnings).toEqual(['1 item was left out: with the guid of an earlier item']);
    expect(parsed(rss(titled('new', '3 Nov 2026') + titled('b', '1 Nov 2026'))).records.at(-1)?.id).toBe(records[2]?.id);
  });

  it('needs a title at least', () => {
    const { records, warnings } = parsed(rss('<item><pubDate>1 Nov 2026</pubDate></item>'));
    expect([records, warnings]).toEqual([[], ['1 item was left out: without a guid, an address and a title']]);
  });

  const item = (guid: string, path: string) =>
    `<item><guid isPermaLink="false">${guid}</guid><title>${path}</title><link>https://acme.example/${path}</link></item>`;

  it('differs for one guid with different addresses', () => {
    const { records, warnings } = parsed(rss(item('g', 'a') + item('g', 'b') + item('g', 'a')));
    expect([records.map(({ url }) => url), new Set(records.map(({ id }) => id)).size]).toEqual([
      ['https://acme.example/a', 'https://acme.example/b'],
      2,
    ]);
    expect(warnings).toEqual(['1 item was left out: with the guid of an earlier item']);
  });

  it('stays the same in every later version of the feed', () => {
    const version = fc.uniqueArray(fc.tuple(fc.constantFrom('g', 'h'), fc.constantFrom('a', 'b', 'c', 'd')), { selector: String, minLength: 1 });
    fc.assert(
      fc.property(fc.array(version, { minLength: 1, maxLength: 5 }), (versions) => {
        let memory: Readonly<Record<string, string>> = {};
        let before: readonly News[] = [];
        for (const items of versions) {
          const { records, memory: next = {} } = parsed(rss(items.map(([guid, path]) => item(guid, `${guid}${path}`)).join('')), memory);
          expect(records).toHaveLength(items.length);
          const shared = new Set<string>(items.map(([guid]) => guid).filter((guid) => items.filter(([other]) => other === guid).length > 1));
          for (const { url, id } of before) {
            const now = records.find((record) => record.url === url);
            if (now !== undefined && shared.has(url.charAt('https://acme.example/'.length))) expect([url, now.id]).toEqual([url, id]);
          }
          [memory, before] = [next, records];
        }
      }),
    );
  });

  it('is the guid for the item that was stored under it, also below newer ones', () => {
    const first = parsed(rss(item('g', 'a')));
    const second = parsed(rss(item('g', 'c') + item('g', 'b') + item('g', 'a')), first.memory);
    expect(second.records.map(({ id }) => id).indexOf(first.records[0]?.id ?? '')).toBe(2);
    expect(parsed(rss(item('g', 'moved')), first.memory).records[0]?.id).toBe(first.records[0]?.id);
  });
});

describe('XML that is not complete', () => {
  const broken = (body: string) => {
    try {
      parsed(body);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return null;
  };
  const one = '<item><title>a</title><link>https://acme.example/a</link></item>';

  it.each([
    [
      'an item that is not closed',
      rss(`\n${one}\n<item>\n<title>b</title>\n`),
      'line 5: </channel> appears where </item> is missing (opened in line 3)',
    ],
    ['an end too many', rss(`\n${one}\n</item>\n${one}`), 'line 3: </item> appears where </channel> is missing (opened in line 1)'],
    [
      'a link that is not closed',
      rss('<item>\n<link>https://acme.example/a\n</item>'),
      'line 3: </item> appears where </link> is missing (opened in line 2)',
    ],
    [
      'a text that is not closed',
      rss(`<item>\n<title>b</item>\n<item></item>`),
      'the document ends here, but </title> is missing (opened in line 2)',
    ],
    ['an end in the middle', rss(one).slice(0, -'</channel></rss>'.length), 'the document ends here, but </channel> is missing (opened in line 1)'],
    ['an end in a tag', `${rss(one).slice(0, -'</channel></rss>'.length)}\n<item a="`, 'line 2: <item has no end'],
    ['a section without end', rss('<item>\n<title><![CDATA[x</title></item>'), 'line 2: <![CDATA[ has no end'],
    ['a comment without end', rss('\n<!-- x'), 'line 2: <!-- has no end'],
  ])('is a failure that says where it broke: %s', (_, body, message) => {
    expect(broken(body)).toMatch(/^not complete: line \d+: /);
    expect(broken(body)).toContain(message);
  });

  it.each(['rss-2.0.xml', 'rss-1.0.xml', 'atom.xml', 'media-rss.xml'])('is a failure wherever %s is cut', (name) => {
    const text = fixture(name).trimEnd();
    const [start, end] = [text.search(/<(?:rss|rdf|feed)[\s:]/i) + 1, text.length - 1];
    fc.assert(
      fc.property(fc.integer({ min: start, max: end }), (at) => {
        expect(broken(text.slice(0, at))).toMatch(/^(?:not complete: line \d+: |not a feed: )/);
      }),
    );
  });

  it.each([
    ['bare & and entities of HTML', rss('<item><title>R&D &nbsp; caf&eacute; & more</title><link>https://acme.example/?a=1&b=2</link></item>')],
    [
      'HTML that is not escaped',
      rss('<item><title>a <br> b </title><link>https://acme.example/a</link><description><p>x<br><b>y</p></description></item>'),
    ],
    ['something after the end', `${rss(one)}\n<!-- cached <item> --><script>`],
    ['marks in comments, sections and values', rss(`<!-- <item> --><item a="<item>" b='>'><title><![CDATA[a </title></item>]]></title></item>`)],
    ['elements within those of the same name', rss('<item><title>a</title><x:c xmlns:x="urn:x" t="1"><x:c t="2"/></x:c></item>')],
  ])('does not mean %s', (_, body) => {
    expect([broken(body), parsed(body).records.length]).toEqual([null, 1]);
  });
});
