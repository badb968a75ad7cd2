import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { withoutTags } from './html.js';

export interface ProseOptions {
  /** Whether images may be loaded from other servers. Otherwise their texts stand in their place. */
  readonly images: boolean;
}

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
const [hasAddress, addressAtStart] = [linkify.test.bind(linkify), linkify.matchAtStart.bind(linkify)];
linkify.test = (text) => text.split(/\s/u).every(({ length }) => length <= LONGEST_WORD) && hasAddress(text);
linkify.matchAtStart = (text) => {
  const found = addressAtStart(text.slice(0, LONGEST_WORD));
  return found !== null && found.lastIndex < LONGEST_WORD ? found : null;
};

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

/** An HTML text with nothing in it but the tags and attributes of a closed list. Its headings are below the title of the page. */
export function proseOfHtml(html: string, { images }: ProseOptions): string {
  const clean = sanitizeHtml(html, {
    allowedTags: [...TEXT_TAGS, ...BLOCK_TAGS, ...TABLE_TAGS, 'a', ...(images ? ['img'] : [])],
    allowedAttributes: {
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
    transformTags: { a: (_tag, { href = '' }) => linkOf(href), img: images ? imageOf : textOfImage },
  });
  return withHeadingsBelow(clean);
}

type Attributes = Readonly<Record<string, string>>;

/** Relative addresses lead nowhere here, so only their text stays. */
function linkOf(href: string): sanitizeHtml.Tag {
  return ADDRESS.test(href) ? { tagName: 'a', attribs: { href, rel: 'nofollow noopener' } } : { tagName: 'span', attribs: {} };
}

function imageOf(tag: string, { src = '', alt = '' }: Attributes): sanitizeHtml.Tag {
  return src.startsWith('https://') && ADDRESS.test(src) ? { tagName: 'img', attribs: { src, alt, loading: 'lazy' } } : textOfImage(tag, { alt });
}

function textOfImage(_tag: string, { alt = '' }: Attributes): sanitizeHtml.Tag {
  return { tagName: 'span', attribs: {}, text: alt };
}

/** Headings begin at the second level and skip no level. Its text is escaped, so only tags can match. */
function withHeadingsBelow(html: string): string {
  const open: { readonly given: number; readonly level: number }[] = [];
  const outline: number[] = [];
  return html.replace(/<(\/?)h([1-6])>/g, (_match, slash: string, digit: string) => {
    if (slash !== '') return `</h${String(open.pop()?.level ?? 2)}>`;
    const given = Number(digit);
    while ((outline.at(-1) ?? 0) >= given) outline.pop();
    outline.push(given);
    const level = Math.min(6, outline.length + 1);
    open.push({ given, level });
    return `<h${String(level)}>`;
  });
}
