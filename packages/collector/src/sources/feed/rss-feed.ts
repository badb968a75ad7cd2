import type { DcNs, RdfFeed, RssFeed } from 'feedsmith';
import { type Feed, type FeedItem, markup, pagesIn } from './feed-formats.js';

/** RSS 2.0 and its predecessors. */
export function rssFeed({ title, link, language, generator, xml, items = [] }: RssFeed.Feed<string>): Feed {
  return { title: markup(title), base: xml?.base, home: link, language, generator, items: items.map(rssItem) };
}

/** RSS 1.0. */
export function rdfFeed({ title, link, dc, xml, items = [] }: RdfFeed.Feed<string>): Feed {
  return { title: markup(title), base: xml?.base, home: link, language: dublinCore(dc).language, generator: undefined, items: items.map(rdfItem) };
}

function rssItem(item: RssFeed.Item<string>): FeedItem {
  const { pubDate, categories = [], itunes, enclosures = [], media } = item;
  const stated = dublinCore(item.dc);
  return {
    ...textsOf(item),
    ...stated,
    ...identityOf(item.guid),
    ...addressesOf(item),
    published: pubDate ?? stated.published,
    author: stated.author ?? item.authors?.[0]?.name,
    tags: categories.map(({ name }) => name),
    media,
    attachedTypes: enclosures.map(({ type }) => type),
    durationSeconds: itunes?.duration,
  };
}

function identityOf(guid: RssFeed.Guid | undefined): Pick<FeedItem, 'guid' | 'permalink'> {
  return { guid: guid?.value, permalink: guid?.isPermaLink === false ? undefined : guid?.value };
}

/** Some programs write the address as an element of Atom only. */
function addressesOf({ link, atom, xml }: RssFeed.Item<string> | RdfFeed.Item<string>): Pick<FeedItem, 'links' | 'base'> {
  return { links: [link, ...pagesIn(atom?.links ?? [])], base: xml?.base };
}

function rdfItem(item: RdfFeed.Item<string>): FeedItem {
  const { rdf, dc, media } = item;
  return { ...textsOf(item), ...dublinCore(dc), ...addressesOf(item), guid: rdf?.about, permalink: rdf?.about, media, attachedTypes: [] };
}

function dublinCore(dc: DcNs.ItemOrFeed<string> | undefined): Pick<FeedItem, 'published' | 'author' | 'language' | 'tags'> {
  const { dates: [published] = [], creators: [author] = [], languages: [language] = [], subjects: tags = [] } = dc ?? {};
  return { published, author, language, tags };
}

/** Texts of RSS are HTML, even if they look like plain text. */
function textsOf({ title, description, content }: RssFeed.Item<string> | RdfFeed.Item<string>): Pick<FeedItem, 'title' | 'summary' | 'content'> {
  return { title: markup(title), summary: markup(description), content: markup(content?.encoded) };
}
