import { repositoryRefOf, withoutFinalSlashes, type AllowlistEntry, type RepositoryName } from '@vitrine/core';
import type { ForgeSourceConfig, GitSourceConfig } from './config.js';

/** The keys that name a repository of a forge. */
export const FORGE_KEYS = ['github', 'gitea', 'forgejo', 'gitlab'] as const;
type ForgeKey = (typeof FORGE_KEYS)[number];

interface Forge {
  readonly type: ForgeSourceConfig['type'];
  /** Without `api`. */
  readonly api: string;
  /** The path of the API below the address of a server. */
  readonly path: string;
}

const FORGES: Readonly<Record<ForgeKey, Forge>> = {
  github: { type: 'github', api: 'https://api.github.com', path: '/api/v3' },
  gitea: { type: 'gitea', api: 'https://gitea.com/api/v1', path: '/api/v1' },
  forgejo: { type: 'gitea', api: 'https://codeberg.org/api/v1', path: '/api/v1' },
  gitlab: { type: 'gitlab', api: 'https://gitlab.com/api/v4', path: '/api/v4' },
};

/** The variable that is used without being named, and the only server that gets it. */
const DEFAULT_TOKEN = { variable: 'GITHUB_TOKEN', api: FORGES.github.api } as const;

interface ForgeKeys {
  readonly api?: string;
  readonly token?: string;
  readonly url?: string;
  readonly label?: string;
  readonly git?: false;
  readonly allowPrivate: boolean;
  readonly interval: number;
}

/** What the file says about a forge source. */
export interface ForgeFile extends Omit<ForgeKeys, 'git'> {
  readonly hostedBy: ForgeKey;
  readonly repository: RepositoryName;
  /** Whether there is a git source of the same repository, unless the file has one. */
  readonly impliesGit: boolean;
}

export function forgeFile(hostedBy: ForgeKey, repository: RepositoryName, { git, ...keys }: ForgeKeys): ForgeFile {
  return { ...keys, hostedBy, repository, impliesGit: git !== false };
}

/** The forge source, and before it the git source that it implies: if both run, git has stored the commits whose authors the forge names. */
export function forgeConfigs(source: ForgeFile, entry: AllowlistEntry, hasGit: boolean): readonly (ForgeSourceConfig | GitSourceConfig)[] {
  const forge = forgeConfig(source, entry);
  return hasGit || !source.impliesGit ? [forge] : [impliedGit(forge, source.hostedBy), forge];
}

function forgeConfig(source: ForgeFile, { forgeId, ...name }: AllowlistEntry): ForgeSourceConfig {
  const { hostedBy: key } = source;
  const api = apiAddress(key, source.api);
  const url = source.url ?? `${siteOf(key, api)}/${name.fullName}`;
  return {
    kind: 'forge',
    type: FORGES[key].type,
    api,
    ref: repositoryRefOf(name, forgeId),
    name,
    url,
    label: source.label ?? new URL(url).hostname,
    token: tokenOf(source.token, api),
    allowPrivate: source.allowPrivate,
    intervalMs: source.interval,
  };
}

function impliedGit({ type, api, ref, name, url, label, allowPrivate, intervalMs }: ForgeSourceConfig, key: ForgeKey): GitSourceConfig {
  // The public address of a forge in a private network may not be reachable.
  const site = allowPrivate ? `${siteOf(key, api)}/${name.fullName}` : url;
  return { kind: 'git', location: `${site}.git`, ref, name, url, label, forge: type, remote: null, branches: null, findings: false, intervalMs };
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

/** The address of the web pages of a forge. */
function siteOf(key: ForgeKey, api: string): string {
  const { path } = FORGES[key];
  return isApiHost(key, api) ? api.replace('://api.', '://') : api.slice(0, -path.length);
}

function tokenOf(variable: string | undefined, api: string): ForgeSourceConfig['token'] {
  if (variable !== undefined) return { variable, isRequired: true };
  return api === DEFAULT_TOKEN.api ? { variable: DEFAULT_TOKEN.variable, isRequired: false } : null;
}
