import { createHash } from 'node:crypto';
import { publicId, type Article } from '@vitrine/core';
import { articleProvenance, type ArticleOrigin } from '../articles/article-origin.js';
import { firstParagraph, markdownLine } from '../articles/markdown-text.js';
import type { FileText, ParsedFile } from '../documents/files-source.js';
import { cut, MAX_TEXT, MAX_TITLE, publicLine, publicText } from '../git/public-text.js';
import { statedTime } from '../web-text/stated-time.js';
import { changelogSections, type ChangelogSection } from './changelog-sections.js';

const MAX_SUMMARY = 500;
const MAX_CHANGE = 1_000;
const MOST_CHANGES = 1_000;
const MOST_VERSIONS = 5_000;

/** An article for each released version of a changelog. */
export function parseChangelog(file: FileText, origin: ArticleOrigin): ParsedFile {
  const sections = changelogSections(file.text);
  const versions = new Map(sections.toReversed().map((section) => [section.version, section]));
  const repeated = sections.length - versions.size;
  const articles = [...versions.values()].toReversed().slice(0, MOST_VERSIONS);
  const warnings = [
    ...(sections.length === 0 ? [`${file.name}: has no released version; write headings such as "## [1.2.0] - 2026-11-20"`] : []),
    ...(repeated > 0 ? [`${file.name}: versions that appear twice, of which the first one counts: ${String(repeated)}`] : []),
  ];
  return { articles: articles.map((section) => articleOf(file, section, origin)), warnings };
}

function articleOf(file: FileText, { version, date, body, changes }: ChangelogSection, origin: ArticleOrigin): Article {
  const id = publicId(`${origin.label}/changelog/${version}`, (text) => createHash('sha256').update(text).digest('hex'));
  const url = origin.publicUrl ?? origin.defaultUrl(id);
  const publishedAt = statedTime(date, file.now) ?? file.firstSeen(id);
  const shown = changes.slice(0, MOST_CHANGES).map(({ type, text }) => ({ type, text: markdownLine(text, MAX_CHANGE) }));
  return {
    kind: 'article',
    repositoryRef: origin.repositoryRef,
    id,
    articleKind: 'changelog',
    title: publicLine(`${origin.label.replace(/^.*\//, '')} ${version}`, MAX_TITLE),
    summary: markdownLine(firstParagraph(body), MAX_SUMMARY) || cut(shown.map(({ text }) => text).join(' '), MAX_SUMMARY),
    body: cut(publicText(body, MAX_TEXT).trim(), MAX_TEXT),
    bodyFormat: 'markdown',
    url,
    language: origin.language,
    tags: [],
    authorName: null,
    version,
    changes: shown,
    publishedAt,
    updatedAt: null,
    sourceUrl: url,
    provenance: articleProvenance(origin, url, file.now, publishedAt),
  };
}
