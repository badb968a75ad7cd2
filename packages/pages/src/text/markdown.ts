import { headingId, IMAGE_NAME } from '@vitrine/core';
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { withoutTags } from './html.js';
import type { TextTask } from './worker-text-renderer.js';

export type ProseOptions = Pick<TextTask, 'images' | 'anchors'>;

const TEXT_TAGS = ['p', 'br', 'hr', 'strong', 'b', 'em', 'i', 'del', 's', 'ins', 'sub', 'sup', 'kbd', 'samp', 'var', 'mark', 'abbr', 'code', 'span'];
const BLOCK_TAGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary', 'div'];
const TABLE_TAGS = ['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'];

/** An absolute address of another server, without user name and password. */
const ADDRESS = /^https?:\/\/[^/?#\\\s@]+(?:[/?#]\S*)?$/i;

/** No address is longer. The search for addresses takes quadratic time for characters without a space between them. */
const LONGEST_WORD = 2_048;

// HTML stays HTML here, because release notes hold comments and <details>. What may stay of it is decided afterwards.
const markdown = new MarkdownIt({ html: true, linkify: true });

const { linkify } = markdown;
// A file name such as README.md or setup.py is a domain that anybody can register, so only `www.` and a scheme begin an address, as on GitHub.
linkify.set({ fuzzyLink: false });
linkify.add('www.', {
  validate: (text, at) => linkify.testSchemaAt(text, '//', at),
  normalize: (match) => {
    match.url = `http://${match.url}`;
  },
});
const [hasAddress, addressAtStart] = [linkify.test.bind(linkify), linkify.matchAtStart.bind(linkify)];
linkify.test = (text) => text.split(/\s/u).every(({ length }) => length <= LONGEST_WORD) && hasAddress(text);
linkify.matchAtStart = (text) => {
  const found = addressAtStart(text.slice(0, LONGEST_WORD));
  return found !== null && found.lastIndex < LONGEST_WORD ? found : null;
};

/** Headings get the ids by which links on GitHub find them, or those that the author gave: `## Usage {#use}`. */
markdown.core.ruler.push('heading ids', ({ tokens }) => {
  const counts = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    const content = tokens[index + 1]?.children ?? [];
    if (token.type === 'heading_open') token.attrSet('id', givenId(content) ?? numbered(slugOf(content), counts));
  }
});

/** The HTML of a Markdown text, with nothing in it but the tags and attributes of a closed list. */
export function proseOfMarkdown(text: string, options: ProseOptions): string {
  return proseOfHtml(markdown.render(text), options);
}

/** The words of a Markdown text on one line, with a dot between blocks, for excerpts. It is text, not HTML: callers must escape it. */
export function wordsOfMarkdown(text: string): string {
  return markdown
    .parse(text, {})
    .map((block) => (block.children ?? [block]).map(wordsOf).join('').replace(/\s+/gu, ' ').trim())
    .filter((words) => words !== '')
    .reduce((before, words) => (before === '' ? words : `${before}${/[.,:;!?]$/.test(before) ? '' : ' ·'} ${words}`), '');
}

type Token = ReturnType<MarkdownIt['parse']>[number];

/** What a reader sees of a piece of Markdown. Breaks of lines separate words. */
function wordsOf({ type, content }: Token): string {
  if (type === 'html_block' || type === 'html_inline') return content.startsWith('<!--') ? ' ' : withoutTags(content);
  return type.endsWith('break') ? ' ' : content;
}

/** The id that the author gave, which is removed from the text. */
function givenId(content: readonly Token[]): string | null {
  const last = content.at(-1);
  if (last?.type !== 'text') return null;
  const start = Math.max(0, last.content.lastIndexOf('{#'));
  const [, id] = /^\{#([^{}\s]{1,200})\}\s*$/.exec(last.content.slice(start)) ?? [];
  if (id === undefined) return null;
  last.content = last.content.slice(0, start).trimEnd();
  return id;
}

function slugOf(content: readonly Token[]): string {
  const heading = content.map(({ type, content: text }) => (type === 'html_inline' ? '' : text)).join('');
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** `usage`, `usage-1`, `usage-2` for headings with the same words. */
function numbered(slug: string, counts: Map<string, number>): string {
  const count = counts.get(slug) ?? 0;
  counts.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${String(count)}`;
}

/** An HTML text with nothing in it but the tags and attributes of a closed list. Its headings are below the title of the page. */
export function proseOfHtml(html: string, { images, anchors }: ProseOptions): string {
  const idOf = anchors ? uniqueIds() : () => ({});
  const clean = sanitizeHtml(html, {
    allowedTags: [...TEXT_TAGS, ...BLOCK_TAGS, ...TABLE_TAGS, 'a', 'img'],
    allowedAttributes: {
      '*': ['id'],
      a: ['href', 'rel'],
      img: ['src', 'alt', 'loading'],
      ol: ['start'],
      th: ['colspan', 'rowspan'],
      td: ['colspan', 'rowspan'],
      abbr: ['title'],
      details: ['open'],
    },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    // Deeply nested tags take a browser long, and no text needs them.
    nestingLimit: 30,
    transformTags: {
      '*': (tagName, { id = '', ...attribs }) => ({ tagName, attribs: { ...attribs, ...idOf(id) } }),
      a: (_tag, { href = '', id, name = '' }) => linkOf(href, id ?? name, anchors),
      img: (_tag, attributes) => imageOf(attributes, { images, anchors }),
    },
  });
  return withHeadingsBelow(clean);
}

type Attributes = Readonly<Record<string, string>>;

const ID = /^[\p{L}\p{M}\p{N}\p{Pc}.:-]{1,200}$/u;

/** Ids of a text, each of which is given once. */
function uniqueIds(): (id: string) => Attributes {
  const given = new Set<string>();
  return (id) => {
    const own = headingId(id);
    if (!ID.test(id) || given.has(own)) return {};
    given.add(own);
    return { id: own };
  };
}

/** Relative addresses lead nowhere here, so only their text stays. Those of other headings of the text lead to these. */
function linkOf(href: string, id: string, anchors: boolean): sanitizeHtml.Tag {
  if (ADDRESS.test(href)) return { tagName: 'a', attribs: { href, rel: 'nofollow noopener', id } };
  return anchors && /^#\S/.test(href)
    ? { tagName: 'a', attribs: { href: `#${headingId(href.slice(1))}`, id } }
    : { tagName: 'span', attribs: { id } };
}

/** The address of an image that Vitrine stores, in the text of its article. */
const OWN_IMAGE = /^https?:\/\/[^?#\\\s]+(\/images\/([^/?#]+))$/;

/** An image that is not shown is replaced by its text. One that is stored here, which only texts with anchors can have, has a path below the base path. */
function imageOf({ src = '', alt = '' }: Attributes, { images, anchors }: ProseOptions): sanitizeHtml.Tag {
  const address = (anchors ? ownImage(src) : null) ?? (images ? foreignImage(src) : null);
  if (address === null) return { tagName: 'span', attribs: {}, text: alt };
  return { tagName: 'img', attribs: { src: address, alt, loading: 'lazy' } };
}

function foreignImage(src: string): string | null {
  return src.startsWith('https://') && ADDRESS.test(src) ? src : null;
}

function ownImage(src: string): string | null {
  const [, path = null, name = ''] = OWN_IMAGE.exec(src) ?? [];
  return IMAGE_NAME.test(name) ? path : null;
}

/** Headings begin at the second level and skip no level. Its text is escaped, so only tags can match. */
function withHeadingsBelow(html: string): string {
  const open: { readonly given: number; readonly level: number }[] = [];
  const outline: number[] = [];
  return html.replace(/<(\/?)h([1-6])((?: id="[^"]*")?)>/g, (_match, slash: string, digit: string, id: string) => {
    if (slash !== '') return `</h${String(open.pop()?.level ?? 2)}>`;
    const given = Number(digit);
    while ((outline.at(-1) ?? 0) >= given) outline.pop();
    outline.push(given);
    const level = Math.min(6, outline.length + 1);
    open.push({ given, level });
    return `<h${String(level)}${id}>`;
  });
}
