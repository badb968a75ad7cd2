import type { AtomFeed } from 'feedsmith';
import type { Feed, FeedItem, FeedText } from './feed-item.js';

type Links = readonly AtomFeed.Link<string>[];

/** RFC 4287. */
export function atomFeed({ title, links = [], xml, generator, authors, entries = [] }: AtomFeed.Feed<string>): Feed {
  const channel = nameOf(authors);
  const items = entries.map((entry) => atomItem(entry, channel));
  return { title: textOf(title), base: xml?.base, home: pagesIn(links)[0], language: xml?.lang, generator: generator?.text, items };
}

function atomItem(entry: AtomFeed.Entry<string>, channel: string | undefined): FeedItem {
  const { id, links = [], categories = [], published, media, yt, xml, itunes } = entry;
  return {
    guid: id,
    links: pagesIn(links),
    permalink: id,
    base: xml?.base,
    title: textOf(entry.title),
    summary: textOf(entry.summary),
    content: textOf(entry.content),
    published,
    author: nameOf(entry.authors) ?? channel,
    language: xml?.lang,
    tags: categories.map(({ label, term }) => label ?? term),
    media,
    youtubeId: yt?.videoId,
    attachedTypes: links.filter(({ rel }) => rel === 'enclosure').map(({ type }) => type),
    durationSeconds: itunes?.duration,
  };
}

function nameOf(authors: readonly AtomFeed.Person[] = []): string | undefined {
  return authors[0]?.name;
}

/** The addresses of web pages, HTML first. */
export function pagesIn(links: Links): readonly (string | undefined)[] {
  const pages = links.filter(({ rel = 'alternate' }) => rel === 'alternate');
  const isHtml = ({ type = 'text/html' }: AtomFeed.Link<string>): boolean => type.includes('html');
  return [...pages.filter(isHtml), ...pages.filter((link) => !isHtml(link))].map(({ href }) => href);
}

function textOf(text: { readonly value?: string; readonly type?: string } | undefined): FeedText | undefined {
  return text?.value === undefined ? undefined : { value: text.value, isMarkup: /html/i.test(text.type ?? '') };
}
