import type { Environment, ForgeSourceConfig } from '@vitrine/config';
import type { ApprovedRepositories } from '@vitrine/core';
import type { ReadPullRequests } from '../findings/pull-requests.js';
import { ForgeAddresses } from '../git/forge-addresses.js';
import type { OutgoingClient } from '../../fetching/outgoing-client.js';
import { ForgeAccount } from './forge-account.js';
import { type ForgeAccess, ForgeClient } from './forge-client.js';
import type { ForgeDialect, ForgeOrigin, ForgeType } from './forge-dialect.js';
import { ForgeSource } from './forge-source.js';
import { forgeSettings, forgeSourceId, readState, type ForgePullRequest } from './forge-state.js';
import { gitea } from './gitea-dialect.js';
import { github } from './github-dialect.js';
import { gitlab } from './gitlab-dialect.js';

const DIALECTS: Readonly<Record<ForgeType, ForgeDialect>> = { github, gitea, gitlab };

export interface ForgeSourcesOptions {
  readonly client: OutgoingClient;
  readonly environment: Environment;
  readonly approved: () => ApprovedRepositories;
}

/** Creates the forge sources of a configuration. Those that use the same token of the same host, or none, share its limit of requests. */
export class ForgeSources {
  readonly #options: ForgeSourcesOptions;
  readonly #accounts = new Map<string, ForgeAccount>();

  constructor(options: ForgeSourcesOptions) {
    this.#options = options;
  }

  create(config: ForgeSourceConfig, { hasPullRequests }: { readonly hasPullRequests: boolean }): ForgeSource {
    const [dialect, origin, client] = [DIALECTS[config.type], originOf(config), this.client(config)];
    return new ForgeSource({ dialect, origin, client, config, hasPullRequests, approved: this.#options.approved });
  }

  client(config: ForgeAccess): ForgeClient {
    return new ForgeClient({ ...this.#options, ...config, ...DIALECTS[config.type], account: this.#accountOf(config) });
  }

  /** Divides each limit among the sources that share it. @param configs all that run from now on */
  share(configs: readonly ForgeSourceConfig[]): void {
    const members = configs.map((config) => this.#accountOf(config));
    for (const account of this.#accounts.values()) account.members = members.filter((one) => one === account).length;
  }

  #accountOf({ token, api }: ForgeAccess): ForgeAccount {
    const isAnonymous = token === null || (this.#options.environment[token.variable] ?? '') === '';
    const key = JSON.stringify([new URL(api).origin, isAnonymous ? null : token.variable]);
    const account = this.#accounts.get(key) ?? new ForgeAccount(api, isAnonymous);
    this.#accounts.set(key, account);
    return account;
  }
}

export function storedPullRequests(config: ForgeSourceConfig): ReadPullRequests {
  const origin = originOf(config);
  const settings = forgeSettings(origin, config.api, true);
  return async ({ collection, signal }) => {
    const sync = await collection.sync(forgeSourceId(origin), { signal });
    const { pullRequests } = readState(sync?.repositoryRef === origin.ref ? sync : null, settings);
    return withoutStrangers(pullRequests?.known ?? []);
  };
}

/** Leaves out pull requests that people outside the team have closed: no pull request of theirs from a branch of the repository was merged. */
function withoutStrangers(known: readonly ForgePullRequest[]): readonly ForgePullRequest[] {
  const merged = new Set(known.flatMap(({ fate, opener }) => (fate === 'merged' && opener !== null && opener > 0 ? [opener] : [])));
  return known.filter(({ fate, opener }) => fate !== 'closed' || opener === null || merged.has(opener));
}

function originOf({ type, ref, name, url, label }: ForgeSourceConfig): ForgeOrigin {
  return { ref, name, label, type, addresses: new ForgeAddresses(url, type) };
}
