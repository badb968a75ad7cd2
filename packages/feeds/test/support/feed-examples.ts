import { aCommit, aFinding, anArticle, anIncident, aProvenance, aRelease, aRepositoryRecord, aVideo, someNews } from '@vitrine/core/testing';
import { articleEntry, commitEntry, findingEntry, incidentEntry, newsEntry, releaseEntry, videoEntry, type EntryLinks } from '../../src/entries.js';
import type { Feed, FeedEntry } from '../../src/feed.js';

/** Texts that break XML, or that a reader could take for markup. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<script>alert(1)</script>',
  ']]><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
  '&lt;b&gt; &nbsp; & &#0; &#x1F;',
  'a\u0000b\u0008c\u001Fd\uFFFEe\uD800f',
  '\u202Eright to left\u202C',
  '🚀 <!-- --> <?xml?> <!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  '"quotes" and \'apostrophes\'',
  '',
  ' \n\t ',
  'x'.repeat(10_000),
];

export const links: EntryLinks = {
  record: (type, id) => `https://status.acme.example/api/v1/${type}/${encodeURIComponent(id)}`,
  page: (type, id) => `https://status.acme.example/${type}/${encodeURIComponent(id)}`,
};

export const repository = { ...aRepositoryRecord(), latestActivityAt: null, latestRelease: null };

export function anEntry(over: Partial<FeedEntry> = {}): FeedEntry {
  return { ...commitEntry({ record: aCommit(), repository }, links), ...over };
}

/** An entry of each kind of record. */
export const entriesOfAllKinds: readonly FeedEntry[] = [
  anEntry(),
  releaseEntry({ record: aRelease(), repository }, links),
  findingEntry({ record: aFinding(), repository }, links),
  newsEntry(someNews(), links),
  articleEntry({ record: anArticle(), repository: null }, links),
  videoEntry({ record: aVideo(), repository: null }, links),
  incidentEntry(anIncident(), links),
];

/** An entry whose texts are all this one, and whose origin has an address that ends with it. */
export function hostileEntry(text: string): FeedEntry {
  const record = aCommit({ provenance: aProvenance({ sourceUrl: `https://acme.example/${text}` }) });
  const { url, originUrl } = commitEntry({ record, repository }, { ...links, page: () => null });
  return anEntry({ url, originUrl, title: text, text, html: text, authorName: text, tags: [text] });
}

export function aFeed(...entries: readonly FeedEntry[]): Feed {
  return {
    title: 'Acme: commits',
    publisher: 'Acme',
    selfUrl: 'https://status.acme.example/feeds/commits.atom?branch=a%26b&repository=acme%2Fwidget',
    url: 'https://status.acme.example/commits',
    entries,
  };
}
