import type { ForgeSourceConfig, GitSourceConfig } from '@vitrine/config';
import { duration, label, noGit, object, publicAddress, repositoryAddress, repositoryName, tokenVariable, yesOrNo } from '@vitrine/config/internal';
import { FORGE_KEYS, GITHUB_API, INTERVALS, scoped, tokenOf, type SourceFile } from '@vitrine/config/internal';
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
    const { [key]: repository, ...fields } = value as unknown as ForgeFields & Readonly<Record<ForgeKey, RepositoryName>>;
    return scoped(repository, (entry, { hasGit }) => {
      const { git, forge } = configsOf(key, fields, entry);
      return fields.git === false || hasGit(entry) ? [forge] : [git, forge];
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

function configsOf(key: ForgeKey, { token, allowPrivate, ...fields }: ForgeFields, { forgeId, ...name }: AllowlistEntry) {
  const { type } = FORGES[key];
  const { api, site } = addressesOf(key, fields.api);
  const ownUrl = `${site}/${name.fullName}`;
  const url = fields.url ?? ownUrl;
  const shared = { ref: repositoryRefOf(name, forgeId), name, url, label: fields.label ?? new URL(url).hostname, intervalMs: fields.interval };
  // The public address of a forge in a private network may not be reachable.
  const location = `${allowPrivate ? ownUrl : url}.git`;
  const git: GitSourceConfig = { kind: 'git', location, ...shared, forge: type, remote: null, branches: null, findings: false };
  const forge: ForgeSourceConfig = { kind: 'forge', type, api, ...shared, token: tokenOf(token, api), allowPrivate };
  return { git, forge };
}

/** The addresses of the API and of its server. People may write either. */
function addressesOf(key: ForgeKey, given: string | undefined): { readonly api: string; readonly site: string } {
  const { api, path } = FORGES[key];
  const address = withoutFinalSlashes(given ?? api);
  // `api.github.com`, and `api.acme.ghe.com` of GitHub Enterprise Cloud.
  if (key === 'github' && new URL(address).hostname.startsWith('api.')) return { api: address, site: address.replace('://api.', '://') };
  const site = address.endsWith(path) ? address.slice(0, -path.length) : address;
  return { api: site + path, site };
}
