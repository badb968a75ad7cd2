import { libraries } from '../libraries.js';
import type { Feed, FeedEntry } from './feed.js';
import { plainLine, plainText } from './plain-text.js';

/** Writes a feed as JSON Feed 1.1. */
export function jsonFeed({ title, publisher, selfUrl, url, entries }: Feed): string {
  const feed = libraries.feeds.generateJsonFeed(
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
