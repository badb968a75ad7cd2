import type { Instant } from '@vitrine/core';
import { libraries } from '../libraries.js';
import type { Feed, FeedEntry } from './feed.js';
import { plainLine, plainText } from './plain-text.js';

/** Atom requires a time of the last change, and an empty feed must not change with the clock. */
const NEVER = 0;

/** The library writes a text with `<`, `>` or `&` on separate lines. Some feed readers show the space that this adds around the text. */
const ON_ITS_OWN_LINES = /\n *((?:<!\[CDATA\[.*?\]\]>)+)\n *(?=<\/)/gs;

/** Writes a feed as Atom (RFC 4287). */
export function atomFeed({ title, publisher, selfUrl, url, entries }: Feed): string {
  const text = libraries.feeds.generateAtomFeed(
    {
      id: identity(selfUrl),
      title: { value: plainLine(title, 'Vitrine'), type: 'text' },
      updated: new Date(lastChangeOf(entries)),
      authors: [{ name: plainLine(publisher, 'Vitrine') }],
      links: [
        { href: selfUrl, rel: 'self', type: 'application/atom+xml' },
        { href: url, rel: 'alternate' },
      ],
      entries: entries.map(atomEntry),
    },
    { strict: true },
  );
  return text.replaceAll(ON_ITS_OWN_LINES, '$1');
}

/**
 * An address as an id. Readers compare ids character by character, and the writer puts spaces around a text with one of these characters. A
 * parameter has `;` percent-encoded, so different addresses stay different.
 */
function identity(address: string): string {
  return address.replaceAll('&', ';');
}

function lastChangeOf(entries: readonly FeedEntry[]): Instant {
  return entries.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), NEVER);
}

function atomEntry({ id, url, originUrl, title, text, html, authorName, tags, publishedAt, updatedAt }: FeedEntry) {
  const content = plainText(html ?? text).trim();
  const author = plainLine(authorName ?? '', '');
  return {
    id: identity(id),
    title: { value: plainLine(title, 'Untitled'), type: 'text' },
    published: new Date(publishedAt),
    updated: new Date(updatedAt),
    links: [{ href: url, rel: 'alternate' }, ...(originUrl === null ? [] : [{ href: originUrl, rel: 'via' }])],
    ...(content === '' ? {} : { content: { value: content, type: html === undefined ? 'text' : 'html' } }),
    ...(author === '' ? {} : { authors: [{ name: author }] }),
    categories: tags.map((tag) => ({ term: plainLine(tag, 'other') })),
  };
}
