import type { JsonFeed } from 'feedsmith';
import type { Feed, FeedItem, FeedText } from './feed-item.js';

/** JSON Feed 1.0 and 1.1. */
export function jsonFeed({ title, home_page_url: home, language, items = [] }: JsonFeed.Feed<string>): Feed {
  return { title: plain(title), home, language, generator: undefined, items: items.map(jsonItem) };
}

function jsonItem(item: JsonFeed.Item<string>): FeedItem {
  const { id, url, external_url: external, attachments = [], authors, tags = [] } = item;
  return {
    guid: id,
    links: [url, external],
    permalink: id,
    title: plain(item.title),
    summary: plain(item.summary),
    content: plain(item.content_text) ?? markup(item.content_html),
    published: item.date_published,
    author: authors?.[0]?.name,
    language: item.language,
    tags,
    attachedTypes: attachments.map(({ mime_type: type }) => type),
    durationSeconds: attachments[0]?.duration_in_seconds,
  };
}

function plain(value: string | undefined): FeedText | undefined {
  return value === undefined ? undefined : { value, isMarkup: false };
}

function markup(value: string | undefined): FeedText | undefined {
  return value === undefined ? undefined : { value, isMarkup: true };
}
