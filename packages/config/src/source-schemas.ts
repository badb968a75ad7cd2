import { nearest, repositoryRefOf } from '@vitrine/core';
import { z } from 'zod';
import {
  branchPattern,
  documentAddress,
  gitLocation,
  label,
  labelOfAddress,
  labelOfPath,
  languageTag,
  oneOf,
  path,
  publicAddress,
  remoteName,
  repositoryAddress,
  repositoryName,
  sourceLabel,
  yesOrNo,
} from './config-fields.js';
import { type FeedSourceConfig, type FilesSourceConfig, FORGES, LOCAL, RELEASES } from './config.js';
import { duration } from './duration.js';
import { FORGE_KEYS, FORGE_SOURCES } from './forge-config.js';
import { readGitLocation } from './git-location.js';
import { INTERVALS, mayBeScoped, scoped, type SourceFile, type Surroundings, unscoped } from './source-file.js';
import { parsed, list, object } from './validation/problems.js';

const MOST_PATTERNS = 100;

const branchList = list('the word local, or a list of branches and patterns such as [main, "release/*"]', branchPattern, MOST_PATTERNS, 1);

/** The word `local`, or a list. */
const branches = z.unknown().transform((value, context) => (value === LOCAL ? LOCAL : parsed(branchList, value, context)));

const git = object('an object with git, repository and url, or with another kind of source', {
  git: gitLocation,
  repository: repositoryName,
  url: repositoryAddress,
  label: label.exactOptional(),
  forge: oneOf(FORGES).exactOptional(),
  remote: remoteName.exactOptional(),
  branches: branches.exactOptional(),
  findings: yesOrNo.default(false),
  interval: duration(...INTERVALS).prefault('5m'),
}).transform(({ git: location, repository, url, interval: intervalMs, findings, ...keys }) =>
  scoped(
    repository,
    ({ forgeId, ...name }, { located }) => [
      {
        kind: 'git',
        location: readGitLocation(location).kind === 'address' ? location : located(location),
        ref: repositoryRefOf(name, forgeId),
        name,
        url,
        label: keys.label ?? new URL(url).hostname,
        forge: keys.forge ?? null,
        remote: keys.remote ?? null,
        branches: keys.branches ?? null,
        findings,
        intervalMs,
      },
    ],
    true,
  ),
);

const records = object('an object with records', { records: path, interval: duration(...INTERVALS).prefault('10s') }).transform(
  ({ records: file, interval: intervalMs }) => unscoped(({ located }) => ({ kind: 'records', path: located(file), intervalMs })),
);

const feedKeys = {
  label: sourceLabel.exactOptional(),
  url: publicAddress.exactOptional(),
  official: yesOrNo.default(false),
  allowPrivate: yesOrNo.default(false),
  interval: duration(...INTERVALS).prefault('15m'),
};

function feedConfig(address: string, keys: z.output<z.ZodObject<typeof feedKeys>>): Omit<FeedSourceConfig, 'kind'> {
  const { label: given = labelOfAddress(address), url: publicUrl = null, official: isOfficial, allowPrivate, interval: intervalMs } = keys;
  return { address, label: given, publicUrl, isOfficial, allowPrivate, intervalMs };
}

const feed = object('an object with feed', { feed: documentAddress, ...feedKeys }).transform(({ feed: address, ...keys }) =>
  unscoped(() => ({ kind: 'feed', ...feedConfig(address, keys) })),
);

const video = object('an object with video', { video: documentAddress, repository: repositoryName.exactOptional(), ...feedKeys }).transform(
  ({ video: address, repository, ...keys }) => mayBeScoped(repository, (ref) => ({ kind: 'video', ...feedConfig(address, keys), ref })),
);

const fileKeys = {
  repository: repositoryName.exactOptional(),
  from: oneOf(['git']).exactOptional(),
  label: sourceLabel.exactOptional(),
  url: publicAddress.exactOptional(),
  language: languageTag.default('en'),
  interval: duration(...INTERVALS).prefault('1m'),
};

function filesFile(kind: FilesSourceConfig['kind'], file: string, keys: z.output<z.ZodObject<typeof fileKeys>>): SourceFile {
  const { repository, from, url: publicUrl = null, language, interval: intervalMs } = keys;
  return mayBeScoped(repository, (ref, fullName, { located }) => ({
    kind,
    ...placeOf(kind, file, from === 'git', located),
    ref,
    label: keys.label ?? labelOfPath(kind, file, fullName),
    publicUrl,
    language,
    intervalMs,
  }));
}

function placeOf(
  kind: FilesSourceConfig['kind'],
  file: string,
  isGit: boolean,
  located: Surroundings['located'],
): Pick<FilesSourceConfig, 'from' | 'path'> {
  if (isGit) return { from: 'git', path: treePath(file) };
  return kind === 'changelog' && file === RELEASES ? { from: 'releases', path: '' } : { from: 'disk', path: located(file) };
}

/** A path as git writes it: with slashes, without `.`, and empty for the whole repository. */
function treePath(file: string): string {
  return file
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

const articles = object('an object with articles', { articles: path, ...fileKeys }).transform(({ articles: folder, ...keys }) =>
  filesFile('articles', folder, keys),
);

const changelog = object('an object with changelog', { changelog: path, ...fileKeys }).transform(({ changelog: file, ...keys }) =>
  filesFile('changelog', file, keys),
);

const incidents = object('an object with incidents', {
  incidents: path,
  label: sourceLabel.default('incidents'),
  interval: duration(...INTERVALS).prefault('10s'),
}).transform(({ incidents: folder, label: given, interval: intervalMs }) =>
  unscoped(({ located }) => ({ kind: 'incidents', path: located(folder), label: given, intervalMs })),
);

const MOST_COMPONENTS = 1_000;

const statuspage = object('an object with statuspage', {
  statuspage: publicAddress,
  services: list('a list of component names or ids such as [api, actions], or remove the key', label, MOST_COMPONENTS, 1).exactOptional(),
  label: sourceLabel.exactOptional(),
  url: publicAddress.exactOptional(),
  allowPrivate: yesOrNo.default(false),
  interval: duration('60s', '8h').prefault('1m'),
}).transform(
  ({ statuspage: address, services = null, label: given = labelOfAddress(address), url: publicUrl = null, allowPrivate, interval: intervalMs }) =>
    unscoped(() => ({ kind: 'statuspage', address, services, label: given, publicUrl, allowPrivate, intervalMs })),
);

/** By the key that names the origin. */
const KINDS = { git, ...FORGE_SOURCES, records, feed, video, articles, changelog, incidents, statuspage } as const;

type Kind = keyof typeof KINDS;

const NAMES: readonly Kind[] = ['git', ...FORGE_KEYS, 'records', 'feed', 'video', 'articles', 'changelog', 'incidents', 'statuspage'];

/** The kind of a source is the key that it has or most likely means. So its problems are reported for one kind only. */
export const source = z.unknown().transform((value, context): SourceFile => {
  const kind = sourceKind(value);
  if (kind !== null) return parsed<z.ZodType<SourceFile>>(KINDS[kind], value, context);
  context.issues.push({
    code: 'custom',
    message: `does not say where its records come from; write one of the keys ${NAMES.join(', ')}`,
    input: value,
  });
  return z.NEVER;
});

/** A value that is not an object counts as a git source. `null`: an object without a key that means a kind. */
function sourceKind(value: unknown): Kind | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'git';
  // A forge source may have the key git too.
  const exact = [...FORGE_KEYS, ...NAMES].find((name) => Object.hasOwn(value, name));
  if (exact !== undefined) return exact;
  // The key forge belongs to git sources; forgejo is not meant.
  const meant = Object.keys(value).flatMap((key) => (key === 'forge' ? [] : nearest(key, NAMES)));
  return NAMES.findLast((kind) => meant.includes(kind)) ?? null;
}
