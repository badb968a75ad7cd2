import { createRequire } from 'node:module';
import type { Instant } from '@vitrine/core';
import { plainLine, plainText } from './plain-text.js';

const require = createRequire(import.meta.url);
/** Loaded when it is first needed, because that takes up to 80 ms and 13 MB, and many servers are never asked for feeds. */
const feedsmith = () => require('feedsmith') as typeof import('feedsmith');

/** One record in a feed. All texts but `markdown` and `html` are plain text: nothing in them is markup. */
export interface FeedEntry {
  /** The address of the record in the API. It never changes, so readers know the entry again. */
  readonly id: string;
  /** Where people read it. */
  readonly url: string;
  /** Where the record comes from; `null` if that has no public address. */
  readonly originUrl: string | null;
  readonly title: string;
  readonly text: string;
  /** The same text as Markdown, if the record has it so. */
  readonly markdown?: string;
  /** What was rendered from the Markdown: HTML that is safe to show. Without it, readers get the plain text. */
  readonly html?: string;
  readonly authorName: string | null;
  readonly tags: readonly string[];
  readonly publishedAt: Instant;
  /** When the record was last changed at its origin. */
  readonly updatedAt: Instant;
}

/** A list of records as a feed, newest first. */
export interface Feed {
  readonly title: string;
  /** Who publishes the feed: Atom requires an author where an entry has none. */
  readonly publisher: string;
  /** The address of the feed itself, in this format. */
  readonly selfUrl: string;
  /** The same list for people. */
  readonly url: string;
  readonly entries: readonly FeedEntry[];
}

/** Atom requires a time of the last change, and an empty feed must not change with the clock. */
const NEVER = 0;

/** The library writes a text with `<`, `>` or `&` on separate lines. Some feed readers show the space that this adds around the text. */
const ON_ITS_OWN_LINES = /\n *((?:<!\[CDATA\[.*?\]\]>)+)\n *(?=<\/)/gs;

/** Writes a feed as Atom (RFC 4287). */
export function atomFeed({ title, publisher, selfUrl, url, entries }: Feed): string {
  const text = feedsmith().generateAtomFeed(
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

/** Writes a feed as JSON Feed 1.1. */
export function jsonFeed({ title, publisher, selfUrl, url, entries }: Feed): string {
  const feed = feedsmith().generateJsonFeed(
    {
      title: plainLine(title, 'Vitrine'),
      home_page_url: url,
      feed_url: selfUrl,
      authors: [{ name: plainLine(publisher, 'Vitrine') }],
      items: entries.map(jsonItem),
    },
    { strict: true },
  );
  // The writer leaves out an empty list, but the format requires it.
  return JSON.stringify(entries.length === 0 ? Object.assign({}, feed, { items: [] }) : feed);
}

function jsonItem({ id, url, originUrl, title, text, html, authorName, tags, publishedAt, updatedAt }: FeedEntry) {
  const author = plainLine(authorName ?? '', '');
  return {
    id,
    url,
    ...(originUrl === null ? {} : { external_url: originUrl }),
    title: plainLine(title, 'Untitled'),
    // An item needs content. A record without text has its title.
    content_text: plainText(text).trim() || plainLine(title, 'Untitled'),
    ...(html === undefined ? {} : { content_html: plainText(html).trim() }),
    date_published: new Date(publishedAt),
    date_modified: new Date(updatedAt),
    ...(author === '' ? {} : { authors: [{ name: author }] }),
    tags: tags.map((tag) => plainLine(tag, 'other')),
  };
}
