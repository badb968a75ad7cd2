import type { AtomFeed, DcNs, JsonFeed, MediaNs, RdfFeed, RssFeed } from 'feedsmith';
import { MAX_TITLE, publicLine } from '../git/public-text.js';
import { plainText } from '../web-text/plain-text.js';

export interface FeedText {
  readonly value: string;
  readonly isMarkup: boolean;
}

/** An item in the form that all formats share. Nothing in it is checked yet. `undefined`: the feed does not say. */
export interface FeedItem {
  /** The identity that the feed gives to the item. */
  readonly guid: string | undefined;
  /** Addresses of the item, the best one first. They may be relative. */
  readonly links: readonly (string | undefined)[];
  /** An identity that is also an address if it is a whole one. */
  readonly permalink: string | undefined;
  /** What relative addresses of the item refer to (`xml:base`). It may itself be relative. */
  readonly base?: string | undefined;
  readonly title: FeedText | undefined;
  readonly summary: FeedText | undefined;
  readonly content: FeedText | undefined;
  readonly published: string | undefined;
  readonly author: string | undefined;
  readonly language: string | undefined;
  readonly tags: readonly (string | undefined)[];
  readonly media?: MediaNs.ItemOrFeed | undefined;
  readonly youtubeId?: string | undefined;
  readonly attachedTypes: readonly (string | undefined)[];
  readonly durationSeconds?: number | undefined;
}

export interface Feed {
  readonly base?: string | undefined;
  readonly title: FeedText | undefined;
  readonly home: string | undefined;
  readonly language: string | undefined;
  readonly generator: string | undefined;
  readonly items: readonly FeedItem[];
}

const MAX_SUMMARY = 500;
/** Items without a title, such as short messages, are shown with the beginning of their text. */
const MAX_BEGINNING = 100;

/** A text of a feed as a single line without markup. @param limit in code points */
export function lineOf(text: FeedText | undefined, limit: number): string {
  if (text === undefined) return '';
  return publicLine(text.isMarkup ? plainText(text.value) : text.value, limit);
}

export function titleOf({ title, summary, content }: FeedItem): string {
  return lineOf(title, MAX_TITLE) || lineOf(summary, MAX_BEGINNING) || lineOf(content, MAX_BEGINNING);
}

/** The feed's own summary. The full content of an item is never published. */
export function summaryOf({ summary }: FeedItem): string {
  return lineOf(summary, MAX_SUMMARY);
}

type Links = readonly AtomFeed.Link<string>[];

/** RFC 4287. */
export function atomFeed({ title, links = [], xml, generator, authors, entries = [] }: AtomFeed.Feed<string>): Feed {
  const channel = nameOf(authors);
  const items = entries.map((entry) => atomItem(entry, channel));
  return { title: textOf(title), base: xml?.base, home: pagesIn(links)[0], language: xml?.lang, generator: generator?.text, items };
}

function atomItem(entry: AtomFeed.Entry<string>, channel: string | undefined): FeedItem {
  const { id, links = [], categories = [], media, yt, xml, itunes } = entry;
  return {
    guid: id,
    links: pagesIn(links),
    permalink: id,
    base: xml?.base,
    title: textOf(entry.title),
    summary: textOf(entry.summary),
    content: textOf(entry.content),
    published: timeOf(entry),
    author: nameOf(entry.authors) ?? channel,
    language: xml?.lang,
    tags: categories.map(({ label, term }) => label ?? term),
    media,
    youtubeId: yt?.videoId,
    attachedTypes: links.filter(({ rel }) => rel === 'enclosure').map(({ type }) => type),
    durationSeconds: itunes?.duration,
  };
}

/** Many feeds, such as those of GitHub's releases, say only when an entry was updated. */
function timeOf({ published, updated }: Pick<AtomFeed.Entry<string>, 'published' | 'updated'> = {}): string | undefined {
  return published ?? updated;
}

function nameOf(authors: readonly AtomFeed.Person[] = []): string | undefined {
  return authors[0]?.name;
}

/** The addresses of web pages, HTML first. */
function pagesIn(links: Links): readonly (string | undefined)[] {
  const pages = links.filter(({ rel = 'alternate' }) => rel === 'alternate');
  const isHtml = ({ type = 'text/html' }: AtomFeed.Link<string>): boolean => type.includes('html');
  return [...pages.filter(isHtml), ...pages.filter((link) => !isHtml(link))].map(({ href }) => href);
}

function textOf(text: { readonly value?: string; readonly type?: string } | undefined): FeedText | undefined {
  return text?.value === undefined ? undefined : { value: text.value, isMarkup: /html/i.test(text.type ?? '') };
}

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
    published: item.date_published ?? item.date_modified,
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

export function markup(value: string | null | undefined): FeedText | undefined {
  return value === undefined || value === null ? undefined : { value, isMarkup: true };
}

/** RSS 2.0 and its predecessors. */
export function rssFeed({ title, link, language, generator, xml, items = [] }: RssFeed.Feed<string>): Feed {
  return { title: markup(title), base: xml?.base, home: link, language, generator, items: items.map(rssItem) };
}

/** RSS 1.0. */
export function rdfFeed({ title, link, dc, xml, items = [] }: RdfFeed.Feed<string>): Feed {
  return { title: markup(title), base: xml?.base, home: link, language: dublinCore(dc).language, generator: undefined, items: items.map(rdfItem) };
}

function rssItem(item: RssFeed.Item<string>): FeedItem {
  const { guid, pubDate, categories = [], itunes, enclosures = [], authors } = item;
  const common = commonParts(item);
  return {
    ...common,
    ...identityOf(guid),
    published: pubDate ?? common.published,
    author: common.author ?? authors?.[0]?.name,
    tags: categories.map(({ name }) => name),
    attachedTypes: enclosures.map(({ type }) => type),
    durationSeconds: itunes?.duration,
  };
}

function identityOf(guid: RssFeed.Guid | undefined): Pick<FeedItem, 'guid' | 'permalink'> {
  return { guid: guid?.value, permalink: guid?.isPermaLink === false ? undefined : guid?.value };
}

function rdfItem(item: RdfFeed.Item<string>): FeedItem {
  return { ...commonParts(item), guid: item.rdf?.about, permalink: item.rdf?.about, attachedTypes: [] };
}

/** Texts of RSS are HTML, even if they look like plain text. Some programs write the address as an element of Atom only. */
function commonParts(item: RssFeed.Item<string> | RdfFeed.Item<string>) {
  const { title, description, content, link, atom, xml, dc, media } = item;
  return {
    title: markup(title),
    summary: markup(description),
    content: markup(content?.encoded),
    links: [link, ...pagesIn(atom?.links ?? [])],
    base: xml?.base,
    published: issuedIn(item),
    media,
    ...dublinCore(dc),
  };
}

/** Some programs write the time as an element of Dublin Core, of its terms, or of Atom, only. */
function issuedIn({ dc, dcterms, atom }: RssFeed.Item<string> | RdfFeed.Item<string>): string | undefined {
  const [stated] = [dc?.dates, dcterms?.issued, dcterms?.created].flatMap((times = []) => times);
  return stated ?? timeOf(atom);
}

function dublinCore(dc: DcNs.ItemOrFeed<string> | undefined): Pick<FeedItem, 'author' | 'language' | 'tags'> {
  const { creators: [author] = [], languages: [language] = [], subjects: tags = [] } = dc ?? {};
  return { author, language, tags };
}
