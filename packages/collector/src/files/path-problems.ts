import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  cacheFolder,
  type Config,
  type Environment,
  type FilesSourceConfig,
  type GitSourceConfig,
  type IncidentsSourceConfig,
  type RecordsSourceConfig,
  type SourceConfig,
} from '@vitrine/config';
import { openRegularFile } from '@vitrine/config/internal';
import { nameOfRef, NO_REPOSITORY } from '@vitrine/core';
import { MAX_ARTICLE_BYTES } from '../sources/articles/articles-source.js';
import { markdownFiles } from '../sources/articles/markdown-files.js';
import { parseArticle } from '../sources/articles/parse-article.js';
import { MAX_CHANGELOG_BYTES, parseChangelog } from '../sources/changelog/changelog-source.js';
import { type DiskFile, onDisk, readTextFile, requireFile } from '../sources/documents/disk-files.js';
import type { FileText } from '../sources/documents/files-source.js';
import { openFolder } from '../sources/git/local-repository.js';
import { parseGitLocation } from '../sources/git/remote-address.js';
import { checkPrivateFolder } from '../sources/git/private-folder.js';
import { incidentFilesOf, readIncidents } from '../sources/incidents/incident-files.js';
import { filesOf } from '../sources/records/records-source.js';

export interface PathProblemsOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

const GIT_TIMEOUT_MS = 10_000;

/**
 * Opens every path that the sources of a configuration name, `cache`, the folder for clones if a source needs it, and looks for the logo. Leaves nothing behind, and
 * connects to no clone address. Resolves with one line for each path that a source could not use: what is wrong, and how to fix it.
 */
export async function pathProblems(
  config: Pick<Config, 'sources' | 'cache' | 'store' | 'site'>,
  options: PathProblemsOptions,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const source of config.sources) problems.push(...(await sourceProblems(source, options)));
  problems.push(...(await cacheProblems(config, options)), ...(await logoProblems(config, options.signal)));
  options.signal.throwIfAborted();
  return problems;
}

/** Feeds, videos and forges name no path, and nothing is connected to. */
async function sourceProblems(source: SourceConfig, options: PathProblemsOptions): Promise<readonly string[]> {
  switch (source.kind) {
    case 'git':
      return gitProblems(source, options);
    case 'records':
      return recordsProblems(source, options.signal);
    case 'incidents':
      return incidentsProblems(source, options.signal);
    case 'articles':
    case 'changelog':
      // What other sources bring is not there before they have been collected.
      if (source.from !== 'disk') return [];
      return filesProblems(source, options.signal);
    default:
      return [];
  }
}

/** Also reads the files, because they are written by hand. */
async function filesProblems(source: FilesSourceConfig, signal: AbortSignal): Promise<readonly string[]> {
  const { kind, path } = source;
  const name = `${kind} ${path}`;
  const found = kind === 'articles' ? markdownFiles(path, signal) : Promise.resolve({ files: [{ path, name: basename(path) }], warnings: [] });
  const unlisted = await problemOf(name, found);
  if (unlisted.length > 0) return unlisted;
  const { files, warnings } = await found;
  const problems = [...warnings];
  for (const file of files) {
    if (problems.length >= MOST_FILE_PROBLEMS) return [...problems.slice(0, MOST_FILE_PROBLEMS), `${name}: has more problems; correct these first`];
    problems.push(...(await textProblems(source, file, signal)));
  }
  return problems;
}

const MOST_FILE_PROBLEMS = 20;

async function textProblems(source: FilesSourceConfig, { path, name }: DiskFile, signal: AbortSignal): Promise<readonly string[]> {
  const { kind, label, ref: repositoryRef, publicUrl, language } = source;
  const origin = { label, repositoryRef, publicUrl, language, defaultUrl: () => PLACEHOLDER };
  // Tags of a repository can give dates to versions, but they are not collected here.
  const tags = repositoryRef === NO_REPOSITORY ? new Map<string, number>() : null;
  const parse = (file: FileText) => (kind === 'articles' ? parseArticle(file, origin) : parseChangelog(file, origin, tags));
  const maxBytes = kind === 'articles' ? MAX_ARTICLE_BYTES : MAX_CHANGELOG_BYTES;
  const warnings: string[] = [];
  const read = async (): Promise<void> => {
    const text = await readTextFile(path, maxBytes, signal);
    warnings.push(...parse({ name, text, now: Date.now(), firstSeen: () => 0 }).warnings);
  };
  return [...(await problemOf(`${kind} ${source.path}`, read())), ...warnings];
}

/** The base address of articles without an address. The records are dropped. */
const PLACEHOLDER = 'https://example.org';

async function cacheProblems(config: Pick<Config, 'sources' | 'cache' | 'store'>, { environment }: PathProblemsOptions): Promise<readonly string[]> {
  const { sources, cache } = config;
  if (cache !== null && (await isOtherThanFolder(cache))) return [`cache: ${cache} is not a folder; name a folder, or one that does not exist yet`];
  const makesClones = sources.some((source) => source.kind === 'git' && parseGitLocation(source.location).kind === 'address');
  return makesClones ? problemOf('cache', checkPrivateFolder(cacheFolder(config, environment))) : [];
}

async function logoProblems({ site }: Pick<Config, 'site'>, signal: AbortSignal): Promise<readonly string[]> {
  const logo = site?.logo ?? null;
  return logo === null ? [] : problemOf('site.logo', requireFile(logo, signal));
}

async function gitProblems({ location, ref }: GitSourceConfig, { environment, signal }: PathProblemsOptions): Promise<readonly string[]> {
  const found = parseGitLocation(location);
  if (found.kind === 'address') return [];
  const opened = openFolder(found.path, { environment, timeoutMs: GIT_TIMEOUT_MS, signal });
  return problemOf(`git ${nameOfRef(ref)}`, opened);
}

async function recordsProblems({ path }: RecordsSourceConfig, signal: AbortSignal): Promise<readonly string[]> {
  const name = `records ${path}`;
  const listed = filesOf(path, signal);
  const unlisted = await problemOf(name, listed);
  if (unlisted.length > 0) return unlisted;
  const problems: string[] = [];
  for (const file of await listed) problems.push(...(await problemOf(name, openOnce(file.path, signal))));
  return problems;
}

/** Also reads the files, because they are written by hand. */
async function incidentsProblems({ path, label }: IncidentsSourceConfig, signal: AbortSignal): Promise<readonly string[]> {
  const found = incidentFilesOf(path, signal);
  const unread = await problemOf(`incidents ${label}`, found);
  return unread.length > 0 ? unread : (await readIncidents(await found, signal)).flatMap(({ problems }) => problems);
}

async function openOnce(path: string, signal: AbortSignal): Promise<void> {
  await onDisk(path, signal, async () => {
    const { handle } = await openRegularFile(path);
    await handle.close();
  });
}

async function isOtherThanFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && !found.isDirectory();
}

async function problemOf(name: string, opened: Promise<unknown>): Promise<readonly string[]> {
  try {
    await opened;
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
