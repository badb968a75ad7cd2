import type { DcNs, RdfFeed, RssFeed } from 'feedsmith';
import type { Feed, FeedItem, FeedText } from './feed-item.js';

/** RSS 2.0 and its predecessors. */
export function rssFeed({ title, link, language, generator, items = [] }: RssFeed.Feed<string>): Feed {
  return { title: markup(title), home: link, language, generator, items: items.map(rssItem) };
}

/** RSS 1.0. */
export function rdfFeed({ title, link, dc, items = [] }: RdfFeed.Feed<string>): Feed {
  return { title: markup(title), home: link, language: dublinCore(dc).language, generator: undefined, items: items.map(rdfItem) };
}

function rssItem(item: RssFeed.Item<string>): FeedItem {
  const { link, pubDate, categories = [], itunes, enclosures = [], media } = item;
  const stated = dublinCore(item.dc);
  return {
    ...textsOf(item),
    ...stated,
    ...identityOf(item.guid, link),
    published: pubDate ?? stated.published,
    author: stated.author ?? item.authors?.[0]?.name,
    tags: categories.map(({ name }) => name),
    media,
    attachedTypes: enclosures.map(({ type }) => type),
    durationSeconds: itunes?.duration,
  };
}

function identityOf(guid: RssFeed.Guid | undefined, link: string | undefined): Pick<FeedItem, 'guid' | 'links'> {
  return { guid: guid?.value, links: [link, guid?.isPermaLink === false ? undefined : guid?.value] };
}

function rdfItem(item: RdfFeed.Item<string>): FeedItem {
  const { rdf, link, dc, media } = item;
  return { ...textsOf(item), ...dublinCore(dc), guid: rdf?.about, links: [link, rdf?.about], media, attachedTypes: [] };
}

function dublinCore(dc: DcNs.ItemOrFeed<string> | undefined): Pick<FeedItem, 'published' | 'author' | 'language' | 'tags'> {
  const { dates: [published] = [], creators: [author] = [], languages: [language] = [], subjects: tags = [] } = dc ?? {};
  return { published, author, language, tags };
}

function textsOf({ title, description, content }: RssFeed.Item<string> | RdfFeed.Item<string>): Pick<FeedItem, 'title' | 'summary' | 'content'> {
  return { title: markup(title), summary: markup(description), content: markup(content?.encoded) };
}

/** Texts of RSS are HTML, also those that most people write as plain text. */
function markup(value: string | undefined): FeedText | undefined {
  return value === undefined ? undefined : { value, isMarkup: true };
}
