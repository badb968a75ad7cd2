import { resolve } from 'node:path';
import { Allowlist, type ApprovedRepositories } from '@vitrine/core';
import type { Config, GitSourceConfig } from './config/config.js';
import type { Environment } from './config/environment.js';
import { GitSource } from './git/git-source.js';
import { InTurn } from './in-turn.js';
import { RecordsSource } from './records/records-source.js';
import { SelfCheckSource } from './self-check/self-check-source.js';
import { ServicesSource } from './self-check/services-source.js';
import type { Source } from './source.js';
import { WhileApproved } from './while-approved.js';

export interface SourcesOptions {
  /** Where sources keep what they can make anew, such as clones. */
  readonly folder: string;
  /** The address this server listens on, such as `http://127.0.0.1:3000`, asked at each run; `null` where nothing is served, and so nothing checks itself. */
  readonly origin: (() => string) | null;
  /** May carry git's credentials; no variables without it. */
  readonly environment?: Environment;
  /** The allowlist of the moment: what is not on it is not collected. The configuration's without it. */
  readonly approved?: () => ApprovedRepositories;
}

/** How many git repositories are read at once. */
const GIT_AT_ONCE = 2;

/** The sources of a configuration: its services, its git and records sources, and the checks of this server's own health. */
export function createSources(config: Config, options: SourcesOptions): readonly Source[] {
  const { origin } = options;
  const standing = new Allowlist(config.approved).approved();
  const approved = options.approved ?? (() => standing);
  const publicUrl = () => config.publicUrl ?? origin?.() ?? configuredOrigin(config);
  const healthUrl = () => `${publicUrl()}/livez`;
  const turns = new InTurn(GIT_AT_ONCE);
  const sources = config.sources.map((source) => {
    if (source.kind === 'records') return new RecordsSource({ path: source.path, intervalMs: source.intervalMs, approved });
    return turns.wrap(new WhileApproved(gitSource(source, options), source.ref, approved));
  });
  const checks =
    origin === null
      ? []
      : config.services.map(
          ({ key, intervalMs }) => new SelfCheckSource({ serviceKey: key, intervalMs, healthUrl, target: () => `${origin()}/livez` }),
        );
  return [new ServicesSource(config.services, healthUrl), ...sources, ...checks];
}

function gitSource(source: GitSourceConfig, { folder, environment = {} }: SourcesOptions): GitSource {
  return new GitSource({ ...source, cacheFolder: resolve(folder), environment });
}

/** The address that a server with this configuration would listen on. */
function configuredOrigin({ server: { host, port } }: Config): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${String(port)}`;
}
