import type { ForgeSourceConfig, GitSourceConfig } from '@vitrine/config';
import {
  duration,
  FORGE_KEYS,
  GITHUB_API,
  INTERVALS,
  label,
  noGit,
  object,
  publicAddress,
  repositoryAddress,
  repositoryName,
  scoped,
  type SourceFile,
  tokenOf,
  tokenVariable,
  yesOrNo,
} from '@vitrine/config/internal';
import { repositoryRefOf, withoutFinalSlashes, type AllowlistEntry, type RepositoryName } from '@vitrine/core';
import type { z } from 'zod';

type ForgeKey = (typeof FORGE_KEYS)[number];

interface Forge {
  readonly type: ForgeSourceConfig['type'];
  /** Without `api`. */
  readonly api: string;
  /** The path of the API below the address of a server. */
  readonly path: string;
}

const FORGES: Readonly<Record<ForgeKey, Forge>> = {
  github: { type: 'github', api: GITHUB_API, path: '/api/v3' },
  gitea: { type: 'gitea', api: 'https://gitea.com/api/v1', path: '/api/v1' },
  forgejo: { type: 'gitea', api: 'https://codeberg.org/api/v1', path: '/api/v1' },
  gitlab: { type: 'gitlab', api: 'https://gitlab.com/api/v4', path: '/api/v4' },
};

const keys = {
  api: publicAddress.exactOptional(),
  token: tokenVariable.exactOptional(),
  url: repositoryAddress.exactOptional(),
  label: label.exactOptional(),
  git: noGit.exactOptional(),
  allowPrivate: yesOrNo.default(false),
  interval: duration(...INTERVALS).prefault('5m'),
};

type ForgeFields = z.output<z.ZodObject<typeof keys>>;

/** The forge source, and before it the git source that it implies: if both run, git has stored the commits whose authors the forge names. */
function forgeSource(key: ForgeKey) {
  return object(`an object with ${key}`, { [key]: repositoryName, ...keys }).transform((value): SourceFile => {
    const { git, [key]: repository, ...fields } = value as unknown as ForgeFields & Readonly<Record<ForgeKey, RepositoryName>>;
    return scoped(repository, (entry, { hasGit }) => {
      const forge = forgeConfig(key, fields, entry);
      return git === false || hasGit(entry) ? [forge] : [impliedGit(forge, key), forge];
    });
  });
}

/** Their parts of `vitrine.yaml`, by the key that names the repository. */
export const FORGE_SCHEMAS = {
  github: forgeSource('github'),
  gitea: forgeSource('gitea'),
  forgejo: forgeSource('forgejo'),
  gitlab: forgeSource('gitlab'),
};

function forgeConfig(key: ForgeKey, fields: Omit<ForgeFields, 'git'>, { forgeId, ...name }: AllowlistEntry): ForgeSourceConfig {
  const api = apiAddress(key, fields.api);
  const url = fields.url ?? `${siteOf(key, api)}/${name.fullName}`;
  return {
    kind: 'forge',
    type: FORGES[key].type,
    api,
    ref: repositoryRefOf(name, forgeId),
    name,
    url,
    label: fields.label ?? new URL(url).hostname,
    token: tokenOf(fields.token, api),
    allowPrivate: fields.allowPrivate,
    intervalMs: fields.interval,
  };
}

function impliedGit({ type, api, ref, name, url, label: origin, allowPrivate, intervalMs }: ForgeSourceConfig, key: ForgeKey): GitSourceConfig {
  // The public address of a forge in a private network may not be reachable.
  const site = allowPrivate ? `${siteOf(key, api)}/${name.fullName}` : url;
  return {
    kind: 'git',
    location: `${site}.git`,
    ref,
    name,
    url,
    label: origin,
    forge: type,
    remote: null,
    branches: null,
    findings: false,
    intervalMs,
  };
}

/** The address of the API. People may write that of the server. */
function apiAddress(key: ForgeKey, given: string | undefined): string {
  const { api, path } = FORGES[key];
  if (given === undefined) return api;
  const address = withoutFinalSlashes(given);
  return address.endsWith(path) || isApiHost(key, address) ? address : address + path;
}

/** `api.github.com`, and `api.acme.ghe.com` of GitHub Enterprise Cloud. */
function isApiHost(key: ForgeKey, address: string): boolean {
  return key === 'github' && new URL(address).hostname.startsWith('api.');
}

function siteOf(key: ForgeKey, api: string): string {
  const { path } = FORGES[key];
  return isApiHost(key, api) ? api.replace('://api.', '://') : api.slice(0, -path.length);
}
