import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { cacheFolder, type Config, type Environment, type FilesSourceConfig, type SourceConfig } from '@vitrine/config';
import { openRegularFile } from '@vitrine/config/internal';
import { nameOfRef, NO_REPOSITORY } from '@vitrine/core';
import { MAX_ARTICLE_BYTES } from '../sources/articles/articles-source.js';
import { markdownFiles } from '../sources/articles/markdown-files.js';
import { parseArticle } from '../sources/articles/parse-article.js';
import { MAX_CHANGELOG_BYTES, parseChangelog } from '../sources/changelog/changelog-source.js';
import { type DiskFile, onDisk, readTextFile, requireFile } from '../sources/documents/disk-files.js';
import { openFolder, parseGitLocation } from '../sources/git/local-repository.js';
import { checkPrivateFolder } from '../sources/git/private-folder.js';
import { readIncidentFolder } from '../sources/incidents/incident-folder.js';
import { filesOf } from '../sources/records/records-source.js';

export interface PathProblemsOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

const GIT_TIMEOUT_MS = 10_000;

/** Opens every path that a configuration names, but connects to nothing, and leaves nothing behind. One line for each path that cannot be used: what is wrong, and how to fix it. */
export async function pathProblems(
  config: Pick<Config, 'sources' | 'cache' | 'store' | 'site'>,
  options: PathProblemsOptions,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const source of config.sources) problems.push(...(await sourceProblems(source, options)));
  problems.push(...(await cacheProblems(config, options)));
  const logo = config.site?.logo ?? null;
  if (logo !== null) problems.push(...(await problemsOf('site.logo', () => requireFile(logo, options.signal))));
  options.signal.throwIfAborted();
  return problems;
}

async function sourceProblems(source: SourceConfig, { environment, signal }: PathProblemsOptions): Promise<readonly string[]> {
  switch (source.kind) {
    case 'git': {
      const found = parseGitLocation(source.location);
      const open = (path: string) => openFolder(path, { environment, timeoutMs: GIT_TIMEOUT_MS, signal });
      return found.kind === 'address' ? [] : problemsOf(`git ${nameOfRef(source.ref)}`, () => open(found.path));
    }
    case 'records':
      return problemsOf(`records ${source.path}`, () => recordsProblems(source.path, signal));
    case 'incidents':
      // Also reads the files, because they are written by hand.
      return problemsOf(`incidents ${source.label}`, async () => (await readIncidentFolder(source.path, signal)).flatMap(({ problems }) => problems));
    case 'articles':
    case 'changelog':
      // What other sources bring is not there before they have been collected.
      return source.from === 'disk' ? problemsOf(nameOf(source), () => filesProblems(source, signal)) : [];
    default:
      return [];
  }
}

async function recordsProblems(path: string, signal: AbortSignal): Promise<readonly string[]> {
  const openOnce = async (file: string): Promise<void> => (await openRegularFile(file)).handle.close();
  const problems: string[] = [];
  for (const file of await filesOf(path, signal))
    problems.push(...(await problemsOf(`records ${path}`, () => onDisk(file.path, signal, () => openOnce(file.path)))));
  return problems;
}

const MOST_FILE_PROBLEMS = 20;

function nameOf({ kind, path }: FilesSourceConfig): string {
  return `${kind} ${path}`;
}

async function filesProblems(source: FilesSourceConfig, signal: AbortSignal): Promise<readonly string[]> {
  const { kind, path } = source;
  const { files, warnings } = kind === 'articles' ? await markdownFiles(path, signal) : { files: [{ path, name: basename(path) }], warnings: [] };
  const problems = [...warnings];
  for (const file of files) {
    if (problems.length >= MOST_FILE_PROBLEMS)
      return [...problems.slice(0, MOST_FILE_PROBLEMS), `${nameOf(source)}: has more problems; correct these first`];
    problems.push(...(await problemsOf(nameOf(source), () => textProblems(source, file, signal))));
  }
  return problems;
}

async function textProblems(source: FilesSourceConfig, { path, name }: DiskFile, signal: AbortSignal): Promise<readonly string[]> {
  const { kind, label, ref: repositoryRef, publicUrl, language } = source;
  const origin = { label, repositoryRef, publicUrl, language, defaultUrl: () => PLACEHOLDER };
  const text = await readTextFile(path, kind === 'articles' ? MAX_ARTICLE_BYTES : MAX_CHANGELOG_BYTES, signal);
  const file = { name, text, now: Date.now(), firstSeen: () => 0 };
  if (kind === 'articles') return parseArticle(file, origin).warnings;
  // Tags of a repository can give dates to versions, but they are not collected here.
  return parseChangelog(file, origin, repositoryRef === NO_REPOSITORY ? new Map() : null).warnings;
}

/** The base address of articles without an address. The records are dropped. */
const PLACEHOLDER = 'https://example.org';

async function cacheProblems(config: Pick<Config, 'sources' | 'cache' | 'store'>, { environment }: PathProblemsOptions): Promise<readonly string[]> {
  const { sources, cache } = config;
  const found = cache === null ? null : await stat(cache).catch(() => null);
  if (found?.isDirectory() === false) return [`cache: ${String(cache)} is not a folder; name a folder, or one that does not exist yet`];
  const makesClones = sources.some((source) => source.kind === 'git' && parseGitLocation(source.location).kind === 'address');
  return makesClones ? problemsOf('cache', () => checkPrivateFolder(cacheFolder(config, environment))) : [];
}

/** The problems that a call finds, or the one with which it fails. */
async function problemsOf(name: string, call: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    const found = await call();
    return Array.isArray(found) ? (found as readonly string[]) : [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
