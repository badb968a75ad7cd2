import { resolve } from 'node:path';
import type {
  Config,
  Environment,
  FilesSourceConfig,
  GitSourceConfig,
  IncidentsSourceConfig,
  OwnerPattern,
  ReachedServiceConfig,
  SelfServiceConfig,
  ServiceConfig,
  SourceConfig,
  StatuspageSourceConfig,
} from '@vitrine/config';
import { NO_REPOSITORY, type ApprovedRepositories, type Clock, type ScopeRef } from '@vitrine/core';
import { boundSources } from './approvals/bound-sources.js';
import { approvedOf } from './approvals/current-approval.js';
import { OwnerListSource } from './approvals/owner-list-source.js';
import { NOTHING_STORED, type StoredApprovals } from './approvals/stored-approvals.js';
import { articlesSource } from './articles/articles-source.js';
import { changelogSource } from './changelog/changelog-source.js';
import { configuredOrigin } from './configured-origin.js';
import { feedSource } from './feed/feed-source.js';
import { GitSource } from './git/git-source.js';
import { addressBase } from './address-base.js';
import { incidentAddress } from './incidents/incident-address.js';
import { IncidentsSource } from './incidents/incidents-source.js';
import { InTurn } from './in-turn.js';
import { OutgoingClient } from './outgoing/outgoing-client.js';
import { systemResolve } from './outgoing/resolve.js';
import type { Canary } from './probes/canary.js';
import { createCanary, createProbe, type ProbeOptions } from './probes/create-probe.js';
import { knownAddresses } from './probes/known-addresses.js';
import { ProbeSource } from './probes/probe-source.js';
import { publishedAddress, serviceAddress } from './probes/published-address.js';
import { RecordsSource } from './records/records-source.js';
import { SelfCheckSource } from './self-check/self-check-source.js';
import { ServicesSource } from './self-check/services-source.js';
import type { Source } from './source.js';
import { StatuspageSource } from './statuspage/statuspage-source.js';
import { videoSource } from './video/video-source.js';
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
  /** What the store says about approved repositories. Nothing without it. */
  readonly stored?: StoredApprovals;
  /** Judges how long certificates are valid. The system's clock without it. */
  readonly clock?: Clock;
}

/** How many git repositories are read at once. */
const GIT_AT_ONCE = 2;

/** The sources of a configuration: its services, its sources, and the checks of this server's own health. */
export function createSources(config: Config, options: SourcesOptions): readonly Source[] {
  return new ConfiguredSources(config, options).of(config, options.stored);
}

/** What says which sources there are. */
export type Collected = Pick<Config, 'approved' | 'patterns' | 'sources' | 'services'>;

/** The sources of a configuration whose services and sources may change. */
export class ConfiguredSources {
  readonly #config: Config;
  readonly #options: SourcesOptions;
  readonly #turns = new InTurn(GIT_AT_ONCE);
  readonly #client: OutgoingClient;
  readonly #approved: () => ApprovedRepositories;
  readonly #probing: ProbeOptions;
  readonly #canary: Canary | null;
  /** By what each was made from. */
  #made: ReadonlyMap<string, Source> = new Map();

  /** @param config says everything but what changes */
  constructor(config: Config, options: SourcesOptions) {
    [this.#config, this.#options] = [config, options];
    const userAgent = config.publicUrl === null ? 'Vitrine' : `Vitrine (+${config.publicUrl})`;
    this.#client = new OutgoingClient({ userAgent });
    const standing = approvedOf(config, options.stored ?? NOTHING_STORED);
    this.#approved = options.approved ?? (() => standing);
    const { environment = {}, clock = { now: () => Date.now() } } = options;
    const addresses = knownAddresses(systemResolve, { clock });
    this.#probing = { client: new OutgoingClient({ userAgent, resolve: addresses }), environment, clock, resolve: addresses };
    this.#canary = config.canary === null ? null : createCanary(config.canary, this.#probing);
  }

  /**
   * The sources of these entries. An entry that was there at the last call, and says the same, gives the same source. Those of repositories that only a
   * pattern approves are there when the list of their owner is stored.
   */
  of(config: Collected, stored: StoredApprovals = NOTHING_STORED): readonly Source[] {
    const { services, patterns } = config;
    const { origin } = this.#options;
    const before = this.#made;
    const made = new Map<string, Source>();
    const add = (from: unknown, make: () => Source): void => {
      const key = JSON.stringify(from);
      made.set(key, before.get(key) ?? make());
    };
    add(services, () => new ServicesSource(services, this.#healthUrl));
    for (const pattern of patterns) add(['approved', pattern], () => this.#listOf(pattern));
    for (const source of boundSources(config, stored).sources) {
      if (source.kind === 'incidents') add([source, namesOf(services)], () => this.#incidentsOf(source, namesOf(services)));
      else add(source, () => this.#sourceOf(source));
    }
    for (const service of services)
      if (service.check !== 'self') add(['probe', service], () => this.#probeOf(service));
      else if (origin !== null) add(['self-check', service], () => this.#checkOf(service, origin));
    this.#made = made;
    return [...made.values()];
  }

  #listOf(pattern: OwnerPattern): Source {
    return new OwnerListSource({ pattern, client: this.#client, environment: this.#options.environment ?? {} });
  }

  #sourceOf(source: Exclude<SourceConfig, IncidentsSourceConfig>): Source {
    switch (source.kind) {
      case 'git':
        return this.#turns.wrap(this.#whileApproved(gitSource(source, this.#options), source.ref));
      case 'records':
        return new RecordsSource({ path: source.path, intervalMs: source.intervalMs, approved: this.#approved });
      case 'feed':
        return feedSource(source, this.#client);
      case 'statuspage':
        return this.#statuspageSource(source);
      case 'video':
        return this.#whileApproved(videoSource({ ...source, repositoryRef: source.ref }, this.#client), source.ref);
      case 'articles':
      case 'changelog':
        return this.#whileApproved(this.#filesSource(source), source.ref);
    }
  }

  #statuspageSource({ publicUrl, ...source }: StatuspageSourceConfig): Source {
    const pageUrl = publicUrl ?? (source.allowPrivate ? `${this.#base()}/status` : source.address);
    return new StatuspageSource({ ...source, pageUrl, client: this.#client });
  }

  #filesSource({ kind, ref: repositoryRef, ...source }: FilesSourceConfig): Source {
    const options = { ...source, repositoryRef, defaultUrl: (id: string) => `${this.#base()}/articles/${encodeURIComponent(id)}` };
    return kind === 'articles' ? articlesSource(options) : changelogSource(options);
  }

  #whileApproved(source: Source, ref: ScopeRef): Source {
    return ref === NO_REPOSITORY ? source : new WhileApproved(source, ref, this.#approved);
  }

  #incidentsOf({ path, label, intervalMs }: IncidentsSourceConfig, names: readonly (readonly [key: string, name: string])[]): Source {
    return new IncidentsSource({ folder: path, label, intervalMs, names: new Map(names), addressOf: (id) => incidentAddress(this.#base(), id) });
  }

  #checkOf(service: SelfServiceConfig, origin: () => string): Source {
    const { key, intervalMs } = service;
    return new SelfCheckSource({ serviceKey: key, intervalMs, healthUrl: () => this.#healthUrl(service), target: () => `${origin()}/livez` });
  }

  #probeOf(service: ReachedServiceConfig): Source {
    return new ProbeSource({
      service,
      probe: createProbe(service, this.#probing),
      canary: this.#canary,
      publicAddress: () => this.#healthUrl(service),
    });
  }

  readonly #healthUrl = (service: ServiceConfig): string => {
    if (service.check === 'self') return `${this.#origin()}/livez`;
    return publishedAddress(service, serviceAddress(this.#base(), service.key));
  };

  #base(): string {
    return addressBase(this.#origin(), this.#config);
  }

  /** The public address of this server. */
  #origin(): string {
    return this.#config.publicUrl ?? this.#options.origin?.() ?? configuredOrigin(this.#config);
  }
}

function namesOf(services: readonly ServiceConfig[]): readonly (readonly [key: string, name: string])[] {
  return services.map(({ key, name }) => [key, name]);
}

function gitSource(source: GitSourceConfig, { folder, environment = {} }: SourcesOptions): GitSource {
  return new GitSource({ ...source, cacheFolder: resolve(folder), environment });
}
