import { createRequire } from 'node:module';
import { decodeText } from '../../fetching/decode-text.js';
import { DocumentError } from '../../running/source.js';
import { atomFeed, type Feed, jsonFeed, rdfFeed, rssFeed } from './feed-formats.js';
import { requireBalancedXml, tooManyLevels, requireBoundedXml } from './xml-bounds.js';

/** More than any feed that people read has. */
const MOST_ITEMS = 20_000;
const OPTIONS = { maxItems: MOST_ITEMS + 1 };

const require = createRequire(import.meta.url);
/** Loaded with the first feed, because that takes 80 ms and 13 MB, and many configurations have no feeds. */
const parsers = () => require('feedsmith') as typeof import('feedsmith');

const FORMATS: Readonly<Record<string, (text: string) => Feed>> = {
  rss: (text) => rssFeed(parsers().parseRssFeed(text, OPTIONS)),
  feed: (text) => atomFeed(parsers().parseAtomFeed(text, OPTIONS)),
  rdf: (text) => rdfFeed(parsers().parseRdfFeed(text, OPTIONS)),
  '{': (text) => jsonFeed(parsers().parseJsonFeed(text, OPTIONS)),
};

/** A feed of RSS 2.0, RSS 1.0, Atom or JSON Feed. Throws a {@link DocumentError} if the document is no feed, such as the web page of an error. */
export function readFeed(bytes: Uint8Array, contentType: string): Feed {
  const text = decodeText(bytes, contentType);
  if (text === null) throw new DocumentError('not a feed', 'the encoding of the document is not known');
  const content = withoutProlog(text);
  const beginning = beginningOf(content);
  const read = Object.hasOwn(FORMATS, beginning) ? FORMATS[beginning] : undefined;
  if (read === undefined) throw new DocumentError('not a feed', 'the document is neither RSS, Atom nor JSON Feed');
  if (beginning !== '{') {
    requireBoundedXml(content);
    requireBalancedXml(text, text.length - content.length);
  }
  const feed = parsed(beginning === '{' ? content : withLinkBases(content), read);
  if (feed.items.length > MOST_ITEMS) throw new DocumentError('too many items', `a feed may have at most ${String(MOST_ITEMS)}`);
  return feed;
}

const LINK = /(<(?:[\w.-]{1,50}:)?link\s[^<>]*>)([^<]*)/gi;
const BASE = /\sxml:base\s*=\s*["']([^"'<>]{1,2048})["']/i;
const HREF = /(\shref\s*=\s*["'])([^"'<>]{0,2048})/i;

/** Applies the `xml:base` of single links, which the parser does not give. Those of feeds and items are applied to all their links later. */
function withLinkBases(xml: string): string {
  return xml.replace(LINK, (link, tag: string, content: string) => {
    const base = BASE.exec(tag)?.[1];
    if (base === undefined) return link;
    if (HREF.test(tag)) return tag.replace(HREF, (_, before: string, href: string) => before + joined(base, href)) + content;
    return content.trim() === '' ? link : tag + joined(base, content.trim());
  });
}

/** A relative base gives a relative address. */
function joined(base: string, address: string): string {
  if (URL.canParse(base)) return URL.canParse(address, base) ? new URL(address, base).href : address;
  return /^[a-z][\w+.-]*:|^\//i.test(address) ? address : base.slice(0, base.lastIndexOf('/') + 1) + address;
}

function parsed(text: string, read: (text: string) => Feed): Feed {
  try {
    return read(text);
  } catch (error) {
    if (isNestedTooDeep(error)) throw tooManyLevels();
    throw new DocumentError('not a feed', `the document cannot be parsed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isNestedTooDeep(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof RangeError || (cause instanceof Error && /nested/i.test(cause.message));
}

const ROOT = /^<(?:[\w.-]+:)?([\w.-]+)/;

/** The lower-case name of the first element, or `{`. Not the first match in the text, because a web page or an item may contain an example of a feed. */
function beginningOf(content: string): string {
  return content.startsWith('{') ? '{' : (ROOT.exec(content)?.[1]?.toLowerCase() ?? '');
}

/** An XML declaration, a comment, or a document type with what it declares. One that is not closed ends with the text. */
const DECLARATION = /\s*(?:<\?[^]*?(?:\?>|$)|<!--[^]*?(?:-->|$)|<!(?!--)[^[>]*(?:>|$|\[[^]*?(?:\]\s*>|$)))/y;

/** Without anything before the first element: nothing that a document declares about itself, such as entities, is used. */
function withoutProlog(text: string): string {
  let at = 0;
  DECLARATION.lastIndex = 0;
  while (DECLARATION.test(text)) at = DECLARATION.lastIndex;
  return text.slice(at).trimStart();
}
