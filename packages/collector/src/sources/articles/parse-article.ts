import { isWebAddress, languageTag, leaf, problemsOf, Refusal, textLeaf, yesOrNo } from '@vitrine/config/internal';
import { z } from 'zod';
import { DocumentError } from '../../running/source.js';
import { readFrontMatter } from '../documents/front-matter.js';
import { createHash } from 'node:crypto';
import { headingId, parseDate, type Article, type Image, type Instant } from '@vitrine/core';
import type { FileText, ParsedFile } from '../documents/files-source.js';
import { MAX_TITLE, officialProvenance, publicAuthor, publicBody, publicIdOf, publicLine } from '../git/public-text.js';
import { statedTime } from '../web-text/web-address.js';
import { type ArticleOrigin, isMarkdown } from './markdown-files.js';
import { isOutside, withAbsoluteLinks } from './markdown-links.js';
import { firstHeading, firstParagraph, markdownLine } from './markdown-text.js';
import { withoutSiteSyntax } from './site-syntax.js';

const MOST_TAGS = 50;

const SCHEME = /^\s*[a-z][\w+.-]*:/i;

const text = leaf('a text', (value) => (typeof value === 'string' ? value : new Refusal('is not a text')));
const kind = leaf('article or help', (value) => (value === 'article' || value === 'help' ? value : new Refusal('is not a kind of article')));
/** Sites write paths of their own pages as well, which are no addresses of articles. */
const address = leaf('an absolute http or https address', (value) => {
  if (typeof value !== 'string') return new Refusal('is not an address');
  if (isWebAddress(value)) return value;
  return SCHEME.test(value) ? new Refusal('is not an address') : undefined;
});
const time = textLeaf(
  'a date such as 2026-11-20, or a time such as 2026-11-20T10:00:00Z',
  'is not a date',
  (value) => beginsWithDate(value) || (!NUMBER.test(value) && statedTime(value, Infinity) !== null),
);
const published = leaf('true, false, or a date such as 2026-11-20', (value) =>
  typeof value === 'boolean' || (typeof value === 'string' && beginsWithDate(value)) ? value : new Refusal('is not known'),
);

/** A year alone is not a date. */
const NUMBER = /^[\d.]+$/;

function beginsWithDate(text: string): boolean {
  return parseDate(text.slice(0, 10)) !== null;
}

/** Tags that are written as one text, with commas or spaces between them. Templates have list entries without a value. */
function tagsOfText(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((tag) => tag !== null);
  return typeof value === 'string' ? value.split(value.includes(',') ? ',' : /\s/).map((tag) => tag.trim()) : value;
}

/** The names of the authors: texts, objects such as `{ name: Ada, url: … }`, or a list of these. What has no name is ignored. */
const authors = z
  .unknown()
  .transform((value) => (Array.isArray(value) ? value : [value]).map(authorIn).filter((name) => name !== ''))
  .default([]);

function authorIn(value: unknown): string {
  const name: unknown = typeof value === 'object' && value !== null && 'name' in value ? value.name : value;
  return typeof name === 'string' ? publicAuthor(name, MAX_TITLE) : '';
}

/** Keys that other programs read are ignored. */
const schema = z.looseObject({
  title: text.exactOptional(),
  kind: kind.default('article'),
  summary: text.exactOptional(),
  description: text.exactOptional(),
  tags: z
    .preprocess(tagsOfText, z.array(text, { error: () => 'is not a list; write tags such as [api, paging]' }).max(MOST_TAGS, 'has too many entries'))
    .default([]),
  language: languageTag.exactOptional(),
  // Other programs know other forms, such as en_US.
  lang: languageTag.optional().catch(undefined),
  version: text.exactOptional(),
  author: authors,
  authors,
  date: time.exactOptional(),
  publishdate: time.exactOptional(),
  expirydate: time.exactOptional(),
  pubdate: time.exactOptional(),
  pubdatetime: time.exactOptional(),
  updated: time.exactOptional(),
  lastmod: time.exactOptional(),
  last_modified_at: time.exactOptional(),
  updateddate: time.exactOptional(),
  url: address.optional(),
  draft: yesOrNo.default(false),
  unlisted: yesOrNo.default(false),
  published: published.default(true),
});

type ArticleFields = z.output<typeof schema>;

/** Front matter in TOML or JSON, or without marks as Pelican and Nikola read it. If it were text, drafts would be published. */
const OTHER_FORM =
  /^\s*(?:(?:\+\+\+|;;;|---[ \t]*(?:json|toml|js|javascript))[ \t]*\n|\{\s*"|<!--\s*\.\. \w+:|(?:[a-z]+:[^\n]*\n){0,9}title:[^\n]*\n[a-z]+:)/i;

/** Reads the front matter of an article. Throws a {@link DocumentError} that lists every problem. @param name for messages */
function readArticle(file: string, name: string): { readonly data: ArticleFields; readonly body: string } {
  const parts = OTHER_FORM.test(file) ? 'is not YAML; write it in YAML, between lines of ---' : readFrontMatter(file);
  if (typeof parts === 'string') throw new DocumentError('front matter', `${name}: ${parts}`);
  const data = parts.data ?? {};
  if (typeof data !== 'object' || Array.isArray(data))
    throw new DocumentError(
      'front matter',
      `${name}: has front matter without keys; write keys such as title: First steps, or begin the text without a line ---`,
    );
  const result = schema.safeParse(withLowerKeys(data, name));
  if (result.success) return { data: result.data, body: parts.body };
  const problems = problemsOf(result.error.issues, {}).map(({ path, message }) => `${path.map(String).join('.')} ${message}`);
  throw new DocumentError('front matter', `${name}: ${problems.join('; ')}`);
}

/** Hugo ignores the letter case of keys. A key without a value is as one that is not there. */
function withLowerKeys(value: object, name: string): unknown {
  const entries = new Map<string, unknown>();
  for (const [key, one] of Object.entries(value)) {
    if (one === null || one === '') continue;
    const lower = key.toLowerCase();
    if (entries.has(lower)) throw new DocumentError('front matter', `${name}: has ${lower} twice, in different letter case; remove one of them`);
    entries.set(lower, one);
  }
  return Object.fromEntries(entries);
}

const MAX_SUMMARY = 500;
const MAX_TAG = 100;
const INDEX = /(?:^|\/)(?:_?index|readme)$/i;

/** The article in a Markdown file. A draft gives none, and neither does a date in the future until then, or a text that has expired. Throws a `DocumentError` if the front matter is invalid. */
export function parseArticle(file: FileText, origin: ArticleOrigin): ParsedFile {
  const { data, body } = readArticle(file.text, file.name);
  const stated = statedTime(dateOf(data, file.name), Infinity);
  const expiry = expiryOf(data);
  if (isDraft(data) || expiry <= file.now) return { articles: [], warnings: [] };
  const dueAt = Math.max(stated ?? 0, statedTime(data.publishdate, Infinity) ?? 0);
  if (dueAt > file.now) return { articles: [], warnings: [], dueAt };
  const images = imagesOf(file, origin);
  const article = articleOf(file, data, textOf(body, file, images, origin), stated, origin);
  const { repositoryRef, publishedAt, provenance } = article;
  const shared = { kind: 'image' as const, repositoryRef, articleId: article.id, publishedAt, provenance };
  const shown = [...images.values()].map((image): Image => ({ ...shared, ...image }));
  return { articles: [article], images: shown, warnings: [], ...(expiry < Infinity && { dueAt: expiry }) };
}

function isDraft({ draft, unlisted, published }: ArticleFields): boolean {
  return draft || unlisted || published === false;
}

/** When an article expires; `Infinity`: never. If the time cannot be read or is before 1990, only its day counts. */
function expiryOf({ expirydate: stated }: ArticleFields): Instant {
  return stated === undefined ? Infinity : (statedTime(stated, Infinity) ?? parseDate(stated.slice(0, 10)) ?? 0);
}

type NamedImage = Pick<Image, 'id' | 'data'>;

/** The images of a text, by path. The name of each is a hash of the article and the content, so it can be kept for ever. */
function imagesOf({ name, images = new Map() }: FileText, origin: ArticleOrigin): ReadonlyMap<string, NamedImage> {
  const articleId = articleIdOf(name, origin);
  const named = [...images].map(([path, { content, ending }]): readonly [string, NamedImage] => {
    const hash = createHash('sha256').update(`${articleId}\n`).update(content).digest('hex').slice(0, 32);
    return [path, { id: `${hash}.${ending}`, data: Buffer.from(content).toString('base64') }];
  });
  return new Map(named);
}

/** A file name of Jekyll begins with the date, and so can a folder of Docusaurus: `_posts/2026-11-20-title.md`, `2026-11-20-title/index.md`. */
const DATED_NAME = /(?:^|\/)(\d{4}-\d{2}-\d{2})-[^/]+(?:\/index\.\w+)?$/i;

function dateOf({ date, pubdate, pubdatetime, published }: ArticleFields, name: string): string | undefined {
  return date ?? pubdate ?? pubdatetime ?? (typeof published === 'string' ? published : DATED_NAME.exec(name)?.[1]);
}

/** Hugo, Jekyll and Astro each have their own name for it. */
function updateOf({ updated, lastmod, last_modified_at: modified, updateddate: astro }: ArticleFields): string | undefined {
  return updated ?? lastmod ?? modified ?? astro;
}

function articleOf(file: FileText, data: ArticleFields, body: string, stated: Instant | null, origin: ArticleOrigin): Article {
  const page = pageOf(file.name);
  const id = articleIdOf(file.name, origin);
  const url = data.url ?? addressOf(page, id, origin);
  const publishedAt = stated ?? file.firstSeen(id);
  return {
    kind: 'article',
    repositoryRef: origin.repositoryRef,
    id,
    articleKind: data.kind,
    title: publicLine(data.title ?? '', MAX_TITLE) || markdownLine(firstHeading(body), MAX_TITLE) || publicLine(page, MAX_TITLE),
    summary: summaryOf(data, body),
    body: publicBody(body),
    bodyFormat: 'markdown',
    url,
    ...statedBy(data, origin),
    changes: [],
    publishedAt,
    updatedAt: statedTime(updateOf(data), file.now),
    sourceUrl: url,
    provenance: officialProvenance(origin, { sourceUrl: url, observedAt: file.now, publishedAt }),
  };
}

function pageOf(name: string): string {
  return name.replace(/\.\w+$/, '');
}

export function articleIdOf(name: string, { label }: Pick<ArticleOrigin, 'label'>): string {
  return publicIdOf(`${label}/${pageOf(name)}`);
}

/** Links to other articles and stored images lead to these in Vitrine, those to other files, such as drafts, below the public address of the folder. */
function textOf(body: string, text: FileText, images: ReadonlyMap<string, NamedImage>, origin: ArticleOrigin): string {
  return withAbsoluteLinks(withoutSiteSyntax(body), text.name, (file, anchor) => {
    if (isShownIn(text, file)) return origin.defaultUrl(articleIdOf(file, origin)) + (anchor === '' ? '' : `#${headingId(anchor.slice(1))}`);
    const image = images.get(file);
    if (image !== undefined && origin.imageUrl !== undefined) return origin.imageUrl(image.id);
    const path = file.split('/').map(encodeURIComponent).join('/');
    return origin.publicUrl === null ? null : new URL(`${path}${anchor}`, `${origin.publicUrl}/`).href;
  });
}

function isShownIn({ isHidden }: FileText, file: string): boolean {
  return isMarkdown(file) && !isOutside(file) && isHidden?.(file) !== true;
}

function summaryOf({ summary, description }: ArticleFields, body: string): string {
  return publicLine(summary ?? description ?? '', MAX_SUMMARY) || markdownLine(firstParagraph(body), MAX_SUMMARY);
}

function statedBy({ language, lang, tags, author, authors: others, version }: ArticleFields, origin: ArticleOrigin) {
  return {
    language: language ?? lang ?? origin.language,
    tags: [...new Set(tags.map((tag) => publicLine(tag, MAX_TAG)).filter((tag) => tag !== ''))],
    authorName: publicLine((author.length > 0 ? author : others).join(', '), MAX_TITLE) || null,
    version: version === undefined ? null : publicLine(version, MAX_TAG),
  };
}

function addressOf(page: string, id: string, { publicUrl, defaultUrl }: ArticleOrigin): string {
  if (publicUrl === null) return defaultUrl(id);
  const path = page.replace(INDEX, '').split('/').map(encodeURIComponent).join('/');
  return path === '' ? publicUrl : `${publicUrl}/${path}`;
}
