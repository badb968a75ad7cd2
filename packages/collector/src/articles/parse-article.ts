import { createHash } from 'node:crypto';
import { publicId, type Article, type Instant } from '@vitrine/core';
import type { FileText, ParsedFile } from '../documents/files-source.js';
import { cut, MAX_TEXT, MAX_TITLE, publicAuthor, publicLine, publicText } from '../git/public-text.js';
import { statedTime } from '../web-text/stated-time.js';
import { articleProvenance, type ArticleOrigin } from './article-origin.js';
import { readFrontMatter, type FrontMatter } from './front-matter.js';
import { withAbsoluteLinks } from './article-links.js';
import { isMarkdown } from './markdown-files.js';
import { firstHeading, firstParagraph, markdownLine } from './markdown-text.js';
import { withoutSiteSyntax } from './site-syntax.js';

const MAX_SUMMARY = 500;
const MAX_TAG = 100;
/** Files that stand for their folder. */
const INDEX = /(?:^|\/)(?:index|readme)$/i;

/** The article in a Markdown file. A draft gives none, and neither does a date in the future until then. Throws a `DocumentError` if the front matter is invalid. */
export function parseArticle(file: FileText, origin: ArticleOrigin): ParsedFile {
  const { data, body } = readFrontMatter(file.text, file.name);
  const stated = statedTime(dateOf(data, file.name), Infinity);
  if (data.draft || data.published === false) return { articles: [], warnings: [] };
  if (stated !== null && stated > file.now) return { articles: [], warnings: [], dueAt: stated };
  return { articles: [articleOf(file, data, textOf(body, file.name, origin), stated, origin)], warnings: [] };
}

/** A file name of Jekyll begins with the date: `_posts/2026-11-20-title.md`. */
const DATED_NAME = /(?:^|\/)(\d{4}-\d{2}-\d{2})-[^/]+$/;

function dateOf({ date, published }: FrontMatter, name: string): string | undefined {
  return date ?? (typeof published === 'string' ? published : DATED_NAME.exec(name)?.[1]);
}

function articleOf(file: FileText, data: FrontMatter, body: string, stated: Instant | null, origin: ArticleOrigin): Article {
  const page = pageOf(file.name);
  const id = idOf(page, origin);
  const url = data.url ?? addressOf(page, id, origin);
  const publishedAt = stated ?? file.firstSeen(id);
  return {
    kind: 'article',
    repositoryRef: origin.repositoryRef,
    id,
    articleKind: data.kind,
    title: publicLine(data.title ?? '', MAX_TITLE) || markdownLine(firstHeading(body), MAX_TITLE) || publicLine(page, MAX_TITLE),
    summary: summaryOf(data, body),
    body: cut(publicText(body, MAX_TEXT).trim(), MAX_TEXT),
    bodyFormat: 'markdown',
    url,
    ...statedBy(data, origin),
    changes: [],
    publishedAt,
    updatedAt: statedTime(data.updated, file.now),
    sourceUrl: url,
    provenance: articleProvenance(origin, url, file.now, publishedAt),
  };
}

function pageOf(name: string): string {
  return name.replace(/\.\w+$/, '');
}

function idOf(page: string, { label }: ArticleOrigin): string {
  return publicId(`${label}/${page}`, (text) => createHash('sha256').update(text).digest('hex'));
}

/** Links to other articles lead to their pages in Vitrine, and those to other files to the public address of the folder. */
function textOf(body: string, name: string, origin: ArticleOrigin): string {
  return withAbsoluteLinks(withoutSiteSyntax(body), name, (file, anchor) => {
    if (isMarkdown(file)) return origin.defaultUrl(idOf(pageOf(file), origin)) + anchor;
    const path = file.split('/').map(encodeURIComponent).join('/');
    return origin.publicUrl === null ? null : `${origin.publicUrl}/${path}${anchor}`;
  });
}

function summaryOf({ summary, description }: FrontMatter, body: string): string {
  return publicLine(summary ?? description ?? '', MAX_SUMMARY) || markdownLine(firstParagraph(body), MAX_SUMMARY);
}

function statedBy(
  { language, tags, author, version }: FrontMatter,
  origin: ArticleOrigin,
): Pick<Article, 'language' | 'tags' | 'authorName' | 'version'> {
  return {
    language: language ?? origin.language,
    tags: [...new Set(tags.map((tag) => publicLine(tag, MAX_TAG)).filter((tag) => tag !== ''))],
    authorName: author === undefined ? null : publicAuthor(author, MAX_TITLE),
    version: version === undefined ? null : publicLine(version, MAX_TAG),
  };
}

function addressOf(page: string, id: string, { publicUrl, defaultUrl }: ArticleOrigin): string {
  if (publicUrl === null) return defaultUrl(id);
  const path = page.replace(INDEX, '').split('/').map(encodeURIComponent).join('/');
  return path === '' ? publicUrl : `${publicUrl}/${path}`;
}
