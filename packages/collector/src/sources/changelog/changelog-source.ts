import { hash } from 'node:crypto';
import { earliestOf, NO_REPOSITORY, type Article, type Instant, type Release, type ScopeRef, type RepositoryRef } from '@vitrine/core';
import { type ArticleOrigin, settingsOf, type TextsOptions } from '../articles/markdown-files.js';
import { firstParagraph, markdownLine } from '../articles/markdown-text.js';
import { type FileText, type ParsedFile, FilesSource, type SourceFile } from '../documents/files-source.js';
import { cut, MAX_TITLE, officialProvenance, publicBody, publicIdOf, publicLine } from '../git/public-text.js';
import { statedTime } from '../web-text/web-address.js';
import { changelogSections, changesInNotes, type ChangelogSection } from './changelog-sections.js';
import { basename } from 'node:path';
import { diskFile, requireFile } from '../documents/disk-files.js';
import { gitFiles } from '../git/git-files.js';
import type { SourceContext } from '../../running/source.js';

const MAX_SUMMARY = 500;
const MAX_CHANGE = 1_000;
const MOST_CHANGES = 1_000;
const MOST_VERSIONS = 5_000;

export type TagTimes = ReadonlyMap<string, Instant>;

/**
 * An article for each released version. One without a date has that of its tag, or else of the next older version, or is not listed, because its time is unknown.
 * @param tags `null`: they are not known here, so nothing is said about versions without a date
 */
export function parseChangelog(file: FileText, origin: ArticleOrigin, tags: TagTimes | null): ParsedFile {
  const sections = changelogSections(file.text);
  const versions = new Map(sections.toReversed().map((section) => [section.version, section]));
  const repeated = sections.length - versions.size;
  const shown = [...versions.values()].toReversed().slice(0, MOST_VERSIONS);
  const times = timesOf(shown, tags ?? new Map());
  const articles = shown.flatMap((section, index) => {
    const publishedAt = times[index] ?? null;
    const url = origin.publicUrl ?? origin.defaultUrl(idOf(section.version, origin));
    return publishedAt === null ? [] : articleOf({ ...section, url, publishedAt, now: file.now }, origin);
  });
  const hidden = shown.length - articles.length;
  const warnings = [
    ...(sections.length === 0 ? [`${file.name}: has no released version; ${FORM}`] : []),
    ...(repeated > 0 ? [`${file.name}: versions that appear twice, of which the first one counts: ${String(repeated)}`] : []),
    ...(hidden > 0 && tags !== null
      ? [`${file.name}: versions that are not listed, because neither they nor older ones have a date: ${String(hidden)}; ${FORM}`]
      : []),
  ];
  return { ...dueBy(file.now, articles), warnings };
}

/** The articles whose time has come, and when the next one of the others is due. */
function dueBy(now: Instant, articles: readonly Article[]): Pick<ParsedFile, 'articles' | 'dueAt'> {
  const dueAt = earliestOf(articles.map(({ publishedAt }) => publishedAt).filter((time) => time > now));
  return { articles: articles.filter(({ publishedAt }) => publishedAt <= now), ...(dueAt !== null && { dueAt }) };
}

const FORM = 'write headings such as "## [1.2.0] - 2026-11-20"';

/** When each version was published; `null`: it is not known. Most changelogs begin with the newest version, the others with the oldest. */
function timesOf(sections: readonly ChangelogSection[], tags: TagTimes): readonly (Instant | null)[] {
  const own = sections.map(({ version, date }) => statedTime(date, Infinity) ?? tags.get(version) ?? null);
  const dated = own.filter((time) => time !== null);
  const isOldestFirst = (dated[0] ?? 0) < (dated.at(-1) ?? 0);
  const fromOldest = isOldestFirst ? own : own.toReversed();
  let older: Instant | null = null;
  const filled = fromOldest.map((time) => (older = time ?? older));
  return isOldestFirst ? filled : filled.toReversed();
}

function versionOfTag(tag: string): string {
  return tag.replace(/^v(?=\d)/i, '');
}

interface Version extends Pick<ChangelogSection, 'version' | 'isYanked' | 'body' | 'changes'> {
  readonly url: string;
  readonly publishedAt: Instant;
  readonly now: Instant;
}

function idOf(version: string, { label }: ArticleOrigin): string {
  return publicIdOf(`${label}/changelog/${version}`);
}

function articleOf({ version, isYanked, body, changes, url, publishedAt, now }: Version, origin: ArticleOrigin): Article {
  const shown = changes.slice(0, MOST_CHANGES).map(({ type, text }) => ({ type, text: markdownLine(text, MAX_CHANGE) }));
  return {
    kind: 'article',
    repositoryRef: origin.repositoryRef,
    id: idOf(version, origin),
    articleKind: 'changelog',
    title: publicLine(`${origin.label.replace(/^.*\//, '')} ${version}${isYanked ? ' [YANKED]' : ''}`, MAX_TITLE),
    summary: markdownLine(firstParagraph(body), MAX_SUMMARY) || cut(shown.map(({ text }) => text).join(' '), MAX_SUMMARY),
    body: publicBody(body),
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
    provenance: officialProvenance(origin, { sourceUrl: url, observedAt: now, publishedAt }),
  };
}

/** Counted up when the same files give other records than before. */
const FORMAT = 10;
export const MAX_CHANGELOG_BYTES = 5 * 1_024 * 1_024;

/** The source for a file of the format Keep a Changelog: an article for each released version. A version that is gone from the file is removed. */
export function changelogSource(options: TextsOptions): FilesSource {
  const { path, git, repositoryRef } = options;
  return new FilesSource({
    ...options,
    type: 'changelog',
    find: async (context) => {
      const tags = await tagTimes(repositoryRef, context);
      const settings = [...settingsOf(FORMAT, options), ...tags];
      const parse = (file: FileText) => parseChangelog(file, options, tags);
      if (git !== undefined) {
        const one = { path, isFolder: false, isWanted: () => true, mostFiles: 1, maxBytes: MAX_CHANGELOG_BYTES, parse };
        return { ...(await gitFiles(git, one, context)), settings };
      }
      // A file that is missing is a failure, so its articles stay.
      await requireFile(path, context.signal);
      return { files: [diskFile({ path, name: basename(path) }, MAX_CHANGELOG_BYTES, { parse })], warnings: [], settings };
    },
  });
}

async function tagTimes(repositoryRef: ScopeRef, context: SourceContext): Promise<TagTimes> {
  const times = new Map<string, Instant>();
  if (repositoryRef === NO_REPOSITORY) return times;
  for await (const { tagName, publishedAt } of releasesOf(repositoryRef, context)) times.set(versionOfTag(tagName), publishedAt);
  return times;
}

/** Whichever source brings them. */
function releasesOf(ref: RepositoryRef, { collection, signal }: SourceContext): AsyncIterable<Release> {
  return collection.ofRepository('release', ref, { signal });
}

/** Makes a changelog of the stored releases of a repository that have notes, whatever brings them. An article whose release is gone is removed. */
export function releaseChangelogSource(options: Omit<TextsOptions, 'path'> & { readonly repositoryRef: RepositoryRef }): FilesSource {
  const { label, repositoryRef, publicUrl, language } = options;
  return new FilesSource({
    ...options,
    type: 'changelog',
    find: async (context) => {
      const newest = new Map<string, Release>();
      let repeated = 0;
      for await (const release of releasesOf(repositoryRef, context)) {
        if (release.body.trim() === '') continue;
        const version = versionOfTag(release.tagName);
        const known = newest.get(version);
        if (known !== undefined) repeated += 1;
        if (known === undefined || known.publishedAt < release.publishedAt) newest.set(version, release);
      }
      const warnings = repeated === 0 ? [] : [`${label}: releases with the version of a newer one, which were left out: ${String(repeated)}`];
      const files = [...newest].map(([version, release]) => releaseFile(version, release, options));
      return { files, warnings, settings: ['releases', FORMAT, publicUrl, language] };
    },
  });
}

function releaseFile(version: string, release: Release, origin: ArticleOrigin): SourceFile {
  const { publishedAt, sourceUrl, body } = release;
  // The notes may use the groups of Keep a Changelog at any level of headings.
  const said = { version, isYanked: false, body, changes: changesInNotes(body), url: origin.publicUrl ?? sourceUrl, publishedAt };
  const content = hash('sha256', JSON.stringify([publishedAt, sourceUrl, body]), 'base64url');
  return {
    name: release.id,
    look: () => Promise.resolve({ version: content, modifiedAt: publishedAt }),
    read: () => Promise.resolve(body),
    parse: ({ now }) => ({ ...dueBy(now, [articleOf({ ...said, now }, origin)]), warnings: [] }),
  };
}
