import { nearest } from '@vitrine/core';
import { z } from 'zod';
import {
  branchPattern,
  documentAddress,
  gitLocation,
  label,
  languageTag,
  noGit,
  oneOf,
  path,
  publicAddress,
  remoteName,
  repositoryAddress,
  repositoryName,
  sourceLabel,
  tokenVariable,
  yesOrNo,
} from './config-fields.js';
import { FORGES, LOCAL } from './config.js';
import { duration } from './duration.js';
import { FORGE_KEYS, forgeFile } from './forge-config.js';
import { parsed, list, object } from './validation/problems.js';

/** The shortest and the longest interval of a source or a check. */
export const INTERVALS = ['10s', '8h'] as const;

const MOST_PATTERNS = 100;

const branchList = list('the word local, or a list of branches and patterns such as [main, "release/*"]', branchPattern, MOST_PATTERNS, 1);

/** The word `local`, or a list. */
const branches = z.unknown().transform((value, context) => (value === LOCAL ? LOCAL : parsed(branchList, value, context)));

const gitSource = object('an object with git, repository and url, or with another kind of source', {
  git: gitLocation,
  repository: repositoryName,
  url: repositoryAddress,
  label: label.exactOptional(),
  forge: oneOf(FORGES).exactOptional(),
  remote: remoteName.exactOptional(),
  branches: branches.exactOptional(),
  findings: yesOrNo.default(false),
  interval: duration(...INTERVALS).prefault('5m'),
});

const recordsSource = object('an object with records', { records: path, interval: duration(...INTERVALS).prefault('10s') });

const feedKeys = {
  label: sourceLabel.exactOptional(),
  url: publicAddress.exactOptional(),
  official: yesOrNo.default(false),
  allowPrivate: yesOrNo.default(false),
  interval: duration(...INTERVALS).prefault('15m'),
};

const feedSource = object('an object with feed', { feed: documentAddress, ...feedKeys });

const videoSource = object('an object with video', { video: documentAddress, repository: repositoryName.exactOptional(), ...feedKeys });

const fileKeys = {
  repository: repositoryName.exactOptional(),
  from: oneOf(['git']).exactOptional(),
  label: sourceLabel.exactOptional(),
  url: publicAddress.exactOptional(),
  language: languageTag.default('en'),
  interval: duration(...INTERVALS).prefault('1m'),
};

const articlesSource = object('an object with articles', { articles: path, ...fileKeys });

const changelogSource = object('an object with changelog', { changelog: path, ...fileKeys });

const incidentsSource = object('an object with incidents', {
  incidents: path,
  label: sourceLabel.default('incidents'),
  interval: duration(...INTERVALS).prefault('10s'),
});

const forgeKeys = {
  api: publicAddress.exactOptional(),
  token: tokenVariable.exactOptional(),
  url: repositoryAddress.exactOptional(),
  label: label.exactOptional(),
  git: noGit.exactOptional(),
  allowPrivate: yesOrNo.default(false),
  interval: duration(...INTERVALS).prefault('5m'),
};

const githubSource = object('an object with github', { github: repositoryName, ...forgeKeys }).transform(({ github, ...keys }) =>
  forgeFile('github', github, keys),
);
const giteaSource = object('an object with gitea', { gitea: repositoryName, ...forgeKeys }).transform(({ gitea, ...keys }) =>
  forgeFile('gitea', gitea, keys),
);
const forgejoSource = object('an object with forgejo', { forgejo: repositoryName, ...forgeKeys }).transform(({ forgejo, ...keys }) =>
  forgeFile('forgejo', forgejo, keys),
);
const gitlabSource = object('an object with gitlab', { gitlab: repositoryName, ...forgeKeys }).transform(({ gitlab, ...keys }) =>
  forgeFile('gitlab', gitlab, keys),
);

const MOST_COMPONENTS = 1_000;

const statuspageSource = object('an object with statuspage', {
  statuspage: publicAddress,
  services: list('a list of component names or ids such as [api, actions], or remove the key', label, MOST_COMPONENTS, 1).exactOptional(),
  label: sourceLabel.exactOptional(),
  url: publicAddress.exactOptional(),
  allowPrivate: yesOrNo.default(false),
  interval: duration('60s', '8h').prefault('1m'),
});

/** By the key that names the origin. */
const KINDS = {
  git: gitSource,
  github: githubSource,
  gitea: giteaSource,
  forgejo: forgejoSource,
  gitlab: gitlabSource,
  records: recordsSource,
  feed: feedSource,
  video: videoSource,
  articles: articlesSource,
  changelog: changelogSource,
  incidents: incidentsSource,
  statuspage: statuspageSource,
} as const;

type Kind = keyof typeof KINDS;
export type SourceFile = z.output<(typeof KINDS)[Kind]>;

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
