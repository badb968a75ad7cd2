import { NO_REPOSITORY, repositoryRefOf, type AllowlistEntry, type RepositoryName, type RepositoryRef, type ScopeRef } from '@vitrine/core';
import { couldApprove, type Approvals } from './approvals.js';
import {
  type FeedSourceConfig,
  type FilesSourceConfig,
  type GitSourceConfig,
  type SourceConfig,
  type StatuspageSourceConfig,
  RELEASES,
} from './config.js';
import { forgeConfigs, type ForgeFile } from './forge-config.js';
import { readGitLocation } from './git-location.js';
import { labelOfAddress, labelOfPath } from './config-fields.js';
import type { SourceFile } from './source-schemas.js';

/** What may be collected, by ref without forge id. */
type Entries = ReadonlyMap<RepositoryRef, AllowlistEntry>;
/** Resolves a path against the folder of the configuration. */
type Located = (path: string) => string;
type FileOf<Key extends string> = Extract<SourceFile, Readonly<Record<Key, unknown>>>;

/** The configuration of every source, without those whose repositories are not approved. */
export function sourceConfigs(sources: readonly SourceFile[], approvals: Approvals, located: Located): readonly SourceConfig[] {
  const entries = entriesFor(sources, approvals);
  const withGit = new Set(sources.flatMap((source) => ('git' in source ? repositoryRefOf(source.repository, null) : [])));
  return sources.flatMap((source): readonly SourceConfig[] => {
    if ('hostedBy' in source) return forgesConfig(source, entries, withGit);
    const config = sourceConfig(source, entries, located);
    return config === null ? [] : [config];
  });
}

/** The repositories that sources may name: the named ones, and those that a pattern could approve. */
function entriesFor(sources: readonly SourceFile[], { approved, patterns }: Approvals): Entries {
  const named = sources.flatMap((source) => ('repository' in source ? (source.repository ?? []) : []));
  const possible = named.filter((name) => couldApprove(patterns, name)).map((name) => ({ ...name, forgeId: null }));
  return new Map([...possible, ...approved].map((entry) => [repositoryRefOf(entry, null), entry]));
}

function forgesConfig(source: ForgeFile, entries: Entries, withGit: ReadonlySet<RepositoryRef>): readonly SourceConfig[] {
  const ref = repositoryRefOf(source.repository, null);
  const entry = entries.get(ref);
  return entry === undefined ? [] : forgeConfigs(source, entry, withGit.has(ref));
}

/** `null` if the repository of the source is not approved. */
function sourceConfig(source: Exclude<SourceFile, ForgeFile>, entries: Entries, located: Located): SourceConfig | null {
  if ('records' in source || 'incidents' in source) return folderConfig(source, located);
  if ('statuspage' in source) return statuspageConfig(source);
  if ('git' in source) return gitConfig(source, entries, located);
  if ('feed' in source) return { kind: 'feed', ...feedConfig(source.feed, source) };
  // Spelling and forge id come from the allowlist.
  const entry = entryOf(source.repository, entries);
  if (entry === undefined) return null;
  return 'video' in source ? { kind: 'video', ...feedConfig(source.video, source), ref: refOf(entry) } : filesConfig(source, entry, located);
}

/** `null` without a repository; `undefined` if it is not approved. */
function entryOf(name: RepositoryName | undefined, entries: Entries): AllowlistEntry | null | undefined {
  return name === undefined ? null : entries.get(repositoryRefOf(name, null));
}

function folderConfig(source: FileOf<'records'> | FileOf<'incidents'>, located: Located): SourceConfig {
  if ('records' in source) return { kind: 'records', path: located(source.records), intervalMs: source.interval };
  return { kind: 'incidents', path: located(source.incidents), label: source.label, intervalMs: source.interval };
}

function gitConfig(source: FileOf<'git'>, entries: Entries, located: Located): GitSourceConfig | null {
  const entry = entries.get(repositoryRefOf(source.repository, null));
  if (entry === undefined) return null;
  const { fullName, owner, name, forgeId } = entry;
  return {
    kind: 'git',
    location: readGitLocation(source.git).kind === 'address' ? source.git : located(source.git),
    ref: repositoryRefOf(entry, forgeId),
    name: { fullName, owner, name } satisfies RepositoryName,
    url: source.url,
    label: source.label ?? new URL(source.url).hostname,
    forge: source.forge ?? null,
    remote: source.remote ?? null,
    branches: source.branches ?? null,
    findings: source.findings,
    intervalMs: source.interval,
  };
}

function statuspageConfig(source: FileOf<'statuspage'>): StatuspageSourceConfig {
  const { statuspage: address, services = null, label = labelOfAddress(address), url: publicUrl = null, allowPrivate, interval: intervalMs } = source;
  return { kind: 'statuspage', address, services, label, publicUrl, allowPrivate, intervalMs };
}

function feedConfig(address: string, source: FileOf<'feed'> | FileOf<'video'>): Omit<FeedSourceConfig, 'kind'> {
  return {
    address,
    label: source.label ?? labelOfAddress(address),
    publicUrl: source.url ?? null,
    isOfficial: source.official,
    allowPrivate: source.allowPrivate,
    intervalMs: source.interval,
  };
}

function filesConfig(source: FileOf<'articles'> | FileOf<'changelog'>, entry: AllowlistEntry | null, located: Located): FilesSourceConfig {
  const [kind, path] = 'articles' in source ? (['articles', source.articles] as const) : (['changelog', source.changelog] as const);
  return {
    kind,
    ...placeOf(source, path, located),
    ref: refOf(entry),
    label: source.label ?? labelOfPath(kind, path, entry?.fullName ?? null),
    publicUrl: source.url ?? null,
    language: source.language,
    intervalMs: source.interval,
  };
}

function placeOf(source: FileOf<'articles'> | FileOf<'changelog'>, path: string, located: Located): Pick<FilesSourceConfig, 'from' | 'path'> {
  if (source.from === 'git') return { from: 'git', path: treePath(path) };
  return 'changelog' in source && path === RELEASES ? { from: 'releases', path: '' } : { from: 'disk', path: located(path) };
}

/** A path as git writes it: with slashes, without `.`, and empty for the whole repository. */
function treePath(path: string): string {
  return path
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function refOf(entry: AllowlistEntry | null): ScopeRef {
  return entry === null ? NO_REPOSITORY : repositoryRefOf(entry, entry.forgeId);
}
