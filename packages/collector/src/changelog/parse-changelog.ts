import { createHash } from 'node:crypto';
import { publicId, type Article, type Instant, type Release } from '@vitrine/core';
import { articleProvenance, type ArticleOrigin } from '../articles/article-origin.js';
import { firstParagraph, markdownLine } from '../articles/markdown-text.js';
import type { FileText, ParsedFile } from '../documents/files-source.js';
import { cut, MAX_TEXT, MAX_TITLE, publicLine, publicText } from '../git/public-text.js';
import { statedTime } from '../web-text/stated-time.js';
import { changelogSections, changesInNotes, type ChangelogSection } from './changelog-sections.js';

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
  return { articles: articles.map((section) => articleOfSection(file, section, origin)), warnings };
}

/** A release, and the version that its tag stands for. */
export interface VersionedRelease {
  readonly version: string;
  readonly release: Release;
  readonly now: Instant;
}

/** The version in the name of a tag: without a leading `v`. */
export function versionOfTag(tag: string): string {
  return tag.replace(/^v(?=\d)/i, '');
}

/** The article of a release. Its notes may use the groups of Keep a Changelog at any level of headings. */
export function parseReleaseNotes({ version, release, now }: VersionedRelease, origin: ArticleOrigin): Article {
  const { body, publishedAt, sourceUrl } = release;
  return articleOf({ version, body, changes: changesInNotes(body), url: origin.publicUrl ?? sourceUrl, publishedAt, now }, origin);
}

function articleOfSection({ now, firstSeen }: FileText, { version, date, body, changes }: ChangelogSection, origin: ArticleOrigin): Article {
  const id = idOf(version, origin);
  const url = origin.publicUrl ?? origin.defaultUrl(id);
  return articleOf({ version, body, changes, url, publishedAt: statedTime(date, now) ?? firstSeen(id), now }, origin);
}

/** What a changelog says about a version. */
interface Version extends Pick<ChangelogSection, 'version' | 'body' | 'changes'> {
  readonly url: string;
  readonly publishedAt: Instant;
  readonly now: Instant;
}

function idOf(version: string, { label }: ArticleOrigin): string {
  return publicId(`${label}/changelog/${version}`, (text) => createHash('sha256').update(text).digest('hex'));
}

function articleOf({ version, body, changes, url, publishedAt, now }: Version, origin: ArticleOrigin): Article {
  const shown = changes.slice(0, MOST_CHANGES).map(({ type, text }) => ({ type, text: markdownLine(text, MAX_CHANGE) }));
  return {
    kind: 'article',
    repositoryRef: origin.repositoryRef,
    id: idOf(version, origin),
    articleKind: 'changelog',
    title: publicLine(`${origin.label.replace(/^.*\//, '')} ${version}`, MAX_TITLE),
    summary: markdownLine(firstParagraph(body), MAX_SUMMARY) || cut(shown.map(({ text }) => text).join(' '), MAX_SUMMARY),
    body: cut(publicText(body, MAX_TEXT).trim(), MAX_TEXT),
    bodyFormat: 'markdown',
    url,
    language: origin.language,
    tags: [],
    authorName: null,
    version: publicLine(version, MAX_TITLE),
    changes: shown,
    publishedAt,
    updatedAt: null,
    sourceUrl: url,
    provenance: articleProvenance(origin, url, now, publishedAt),
  };
}
