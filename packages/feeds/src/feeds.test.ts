import { DOMParser, type Element } from '@xmldom/xmldom';
import { anArticle, anIncident, aRelease, NOW } from '@vitrine/core/testing';
import fc from 'fast-check';
import { parseJsonFeed } from 'feedsmith';
import { aFeed as feed, anEntry as entry, HOSTILE_TEXTS as HOSTILE, hostileEntry, links, repository } from '../test/support/feed-examples.js';
import { articleEntry, incidentEntry, releaseEntry } from './entries.js';
import { atomFeed, jsonFeed } from './feed.js';

const ATOM = 'http://www.w3.org/2005/Atom';
/** Parses strictly: any violation of XML throws. */
function parsed(text: string): Element {
  const onError = (level: string, message: string): never => {
    throw new Error(`${level}: ${message}`);
  };
  const root = new DOMParser({ onError }).parseFromString(text, 'text/xml').documentElement;
  if (root === null) throw new Error('no root element');
  return root;
}

const children = (parent: Element, name: string): readonly Element[] =>
  [...parent.childNodes].filter((node) => node.nodeName === name) as unknown as readonly Element[];
const textOf = (parent: Element, name: string): string | null => children(parent, name)[0]?.textContent ?? null;

/** RFC 3339 in UTC. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What RFC 4287 requires of a feed and of its entries. */
function expectAtom(text: string): Element {
  const root = parsed(text);
  expect([root.localName, root.namespaceURI]).toEqual(['feed', ATOM]);
  for (const element of [root, ...children(root, 'entry')]) {
    for (const name of ['id', 'title', 'updated']) expect([name, children(element, name).length]).toEqual([name, 1]);
    expect(textOf(element, 'id')).toMatch(/^https:\/\//);
    expect(textOf(element, 'updated')).toMatch(TIME);
    const alternates = children(element, 'link').filter((link) => link.getAttribute('rel') === 'alternate');
    expect(alternates).toHaveLength(1);
    for (const link of children(element, 'link')) expect(link.getAttribute('href')).toMatch(/^https:\/\//);
    for (const author of children(element, 'author')) expect(textOf(author, 'name')).toMatch(/\S/);
    // Plain text has no elements in it.
    for (const name of ['title', 'content']) for (const own of children(element, name)) expect(own.getElementsByTagName('*')).toHaveLength(0);
  }
  expect(children(root, 'author')).toHaveLength(1);
  return root;
}

/** What JSON Feed 1.1 requires of a feed and of its items. */
function expectJson(text: string) {
  const json = JSON.parse(text) as { readonly version: string; readonly title: string; readonly items: readonly Readonly<Record<string, unknown>>[] };
  expect([json.version, typeof json.title, Array.isArray(json.items)]).toEqual(['https://jsonfeed.org/version/1.1', 'string', true]);
  for (const item of json.items) {
    expect([typeof item['id'], typeof item['content_text']]).toEqual(['string', 'string']);
    expect([item['date_published'], item['date_modified']]).toEqual([expect.stringMatching(TIME), expect.stringMatching(TIME)]);
  }
  return json;
}

describe('an Atom feed', () => {
  it('has what the format requires, its own address and the address of the list', () => {
    const root = expectAtom(atomFeed(feed(entry(), entry({ id: 'https://status.acme.example/api/v1/commit/2' }))));
    const [self] = children(root, 'link').filter((link) => link.getAttribute('rel') === 'self');
    expect([self?.getAttribute('href'), textOf(root, 'id')]).toEqual([feed().selfUrl, feed().selfUrl.replace('&', ';')]);
    expect(children(root, 'entry')).toHaveLength(2);
  });

  it.each(["it's", 'a"b', '<', 'ü'])('has ids without space around them, also for the id %j', (id) => {
    const own = releaseEntry({ record: aRelease({ id }), repository }, links);
    const [first] = children(expectAtom(atomFeed(feed(own))), 'entry');
    expect(first === undefined ? null : textOf(first, 'id')).toMatch(/^https:\/\/[!-~]+$/);
  });

  it('was last changed when its newest entry was; an empty one never', () => {
    const times = [NOW - 5_000, NOW - 1_000, NOW - 9_000];
    const root = expectAtom(atomFeed(feed(...times.map((updatedAt) => entry({ updatedAt })))));
    expect(textOf(root, 'updated')).toBe(new Date(NOW - 1_000).toISOString());
    expect(textOf(expectAtom(atomFeed(feed())), 'updated')).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each(HOSTILE)('is well-formed with the text %j, and none of it is markup', (text) => {
    const root = expectAtom(atomFeed({ ...feed(hostileEntry(text)), title: text, publisher: text }));
    expect(root.getElementsByTagName('script')).toHaveLength(0);
  });

  it('keeps any text that XML allows', () => {
    const allowed = fc.string({ unit: fc.constantFrom('a', ' ', '<', '>', '&', ']', '"', "'", ';', 'é', '🚀', '\n', '&amp;', ']]>', '#0', '-') });
    fc.assert(
      fc.property(allowed, (text) => {
        const [own] = children(expectAtom(atomFeed(feed(entry({ text })))), 'entry');
        expect((own === undefined ? null : textOf(own, 'content')) ?? '').toBe(text.trim());
      }),
    );
  });

  it.each(['a & b', '<b>', ']]>', '>\n  <![CDATA[ & ]]>\n  </title>', 'x]] & <![CDATA[y]]'])('has no space around the text %j', (text) => {
    const root = expectAtom(atomFeed({ ...feed(entry({ title: text, text, authorName: text })), title: text, publisher: text }));
    const [own = root] = children(root, 'entry');
    const line = text.replaceAll(/\s+/g, ' ');
    for (const element of [root, own]) {
      const [author] = children(element, 'author');
      expect([textOf(element, 'title'), author && textOf(author, 'name')]).toEqual([line, line]);
    }
    expect(textOf(own, 'content')).toBe(text);
  });
});

describe('a JSON feed', () => {
  it('is read by another reader', () => {
    const read = parseJsonFeed(jsonFeed(feed(entry())));
    expect([read.feed_url, read.home_page_url, read.items?.length]).toEqual([feed().selfUrl, feed().url, 1]);
    expectJson(jsonFeed(feed(entry())));
  });

  it('lists no items if there are none', () => {
    expect(expectJson(jsonFeed(feed())).items).toEqual([]);
  });

  it.each(HOSTILE)('is valid with the text %j', (text) => {
    expectJson(jsonFeed(feed(hostileEntry(text))));
  });
});

describe('an entry', () => {
  it('has the address in the API as its id, with pages and without', () => {
    const view = { record: aRelease(), repository };
    const [paged, bare] = [releaseEntry(view, links), releaseEntry(view, { ...links, page: () => null })];
    expect(paged.id).toBe(links.record('release', view.record.id));
    expect(bare.id).toBe(paged.id);
    expect([paged.url, bare.url]).toEqual([links.page('release', view.record.id), view.record.sourceUrl]);
  });

  it('leads to the API if the record has neither a page nor an origin', () => {
    const incident = anIncident({ sourceUrl: null });
    const { url, id, originUrl } = incidentEntry(incident, { ...links, page: () => null });
    expect([url, originUrl]).toEqual([id, null]);
  });

  it('of maintenance says when it is, and which services it concerns', () => {
    const [scheduledFor, scheduledUntil] = [Date.UTC(2026, 10, 22, 14), Date.UTC(2026, 10, 22, 16, 30)];
    const services = ['Widget API', 'Web'].map((displayName) => ({ key: displayName, displayName, impacts: [] }));
    const planned = anIncident({
      incidentKind: 'maintenance',
      state: 'scheduled',
      impact: 'minor',
      scheduledFor,
      scheduledUntil,
      services,
      updates: [],
    });
    expect(incidentEntry(planned, links).text).toBe(
      'Planned for 2026-11-22 14:00 UTC until 2026-11-22 16:30 UTC. Services: Widget API, Web.\n\nState: scheduled. Impact: minor.',
    );
    expect(incidentEntry({ ...planned, scheduledUntil: null, services: [] }, links).text).toMatch(/^Planned for 2026-11-22 14:00 UTC\.\n\nState/);
    const begun = anIncident({ ...planned, scheduledFor: null, scheduledUntil: null, startedAt: scheduledFor });
    expect(incidentEntry(begun, links).text).toMatch(/^Since 2026-11-22 14:00 UTC\. Services: Widget API, Web\.\n\nState/);
    expect(incidentEntry(anIncident({ scheduledFor: null, updates: [], services: [] }), links).text).toMatch(/^State: \w+\. Impact: \w+\.$/);
  });

  it('of an incident says its facts in German if it is told to', () => {
    const services = [{ key: 'web', displayName: 'Web', impacts: [] }];
    const planned = anIncident({
      incidentKind: 'maintenance',
      state: 'in_progress',
      impact: 'maintenance',
      scheduledFor: NOW,
      scheduledUntil: null,
      services,
      updates: [{ id: '1', state: 'in_progress', body: 'We begin.', createdAt: NOW }],
    });
    const { text } = incidentEntry(planned, links, 'de');
    expect(text.replaceAll(/\d[-\d: ]+ UTC/g, 'T')).toBe(
      'Geplant ab T. Dienste: Web.\n\nZustand: läuft. Auswirkung: Wartung.\n\nT, läuft: We begin.',
    );
  });

  it('of an incident has its text as Markdown, and names in it as they are', () => {
    const services = [{ key: 'a', displayName: '*my_api* <b>', impacts: [] }];
    const updates = [{ id: '1', state: 'identified', body: 'A **bad** deploy.', createdAt: NOW }] as const;
    const { text, markdown } = incidentEntry(anIncident({ services, updates }), links);
    expect(markdown).toMatch(
      /^Services\\: \\\*my\\_api\\\* \\<b\\>\\\.\n\nState[^]*\n\n\*\*2026-11-20 \d\d:\d\d UTC, identified\*\*\n\nA \*\*bad\*\* deploy\.$/,
    );
    expect(text).toMatch(/UTC, identified: A \*\*bad\*\* deploy\.$/);
  });

  it('is HTML where its Markdown was rendered', () => {
    const own = entry({ text: 'a *b*', html: '<p>a <em>b</em></p>' });
    const [atom] = children(expectAtom(atomFeed(feed(own))), 'entry').flatMap((each) => children(each, 'content'));
    expect([atom?.getAttribute('type'), atom?.textContent?.trim()]).toEqual(['html', own.html]);
    expect(expectJson(jsonFeed(feed(own))).items).toMatchObject([{ content_text: own.text, content_html: own.html }]);
  });

  it('of an article or an incident tells when it was changed', () => {
    const record = anArticle({ publishedAt: NOW - 9_000, updatedAt: NOW - 1_000 });
    expect(articleEntry({ record, repository: null }, links).updatedAt).toBe(NOW - 1_000);
    expect(articleEntry({ record: anArticle({ updatedAt: null, publishedAt: NOW - 9_000 }), repository: null }, links).updatedAt).toBe(NOW - 9_000);
    expect(incidentEntry(anIncident({ updatedAt: NOW - 3_000 }), links).updatedAt).toBe(NOW - 3_000);
  });
});
