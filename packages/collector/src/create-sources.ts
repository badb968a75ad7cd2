import { resolve } from 'node:path';
import type {
  Config,
  Environment,
  FilesSourceConfig,
  GitSourceConfig,
  IncidentsSourceConfig,
  ReachedServiceConfig,
  SelfServiceConfig,
  ServiceConfig,
  SourceConfig,
  StatuspageSourceConfig,
} from '@vitrine/config';
import { Allowlist, NO_REPOSITORY, type ApprovedRepositories, type Clock, type ScopeRef } from '@vitrine/core';
import { articlesSource } from './articles/articles-source.js';
import { changelogSource } from './changelog/changelog-source.js';
import { configuredOrigin } from './configured-origin.js';
import { feedSource } from './feed/feed-source.js';
import { FindingsSource } from './findings/findings-source.js';
import { GitSource, type GitSourceOptions } from './git/git-source.js';
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
  /** Judges how long certificates are valid. The system's clock without it. */
  readonly clock?: Clock;
}

/** How many git repositories are read at once. */
const GIT_AT_ONCE = 2;

/** The sources of a configuration: its services, its sources, and the checks of this server's own health. */
export function createSources(config: Config, options: SourcesOptions): readonly Source[] {
  return new ConfiguredSources(config, options).of(config);
}

/** The sources of a configuration whose services and sources may change. */
export class ConfiguredSources {
  readonly #config: Config;
  readonly #options: SourcesOptions;
  readonly #turns = new InTurn(GIT_AT_ONCE);
  /** By the location of a repository: nothing may be read from a clone while it is replaced. */
  readonly #turnsAt = new Map<string, InTurn>();
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
    const standing = new Allowlist(config.approved).approved();
    this.#approved = options.approved ?? (() => standing);
    const { environment = {}, clock = { now: () => Date.now() } } = options;
    const addresses = knownAddresses(systemResolve, { clock });
    this.#probing = { client: new OutgoingClient({ userAgent, resolve: addresses }), environment, clock, resolve: addresses };
    this.#canary = config.canary === null ? null : createCanary(config.canary, this.#probing);
  }

  /** The sources of these entries. An entry that was there at the last call, and says the same, gives the same source. */
  of({ sources, services }: Pick<Config, 'sources' | 'services'>): readonly Source[] {
    const { origin } = this.#options;
    const before = this.#made;
    const made = new Map<string, Source>();
    const add = (from: unknown, make: () => Source): void => {
      const key = JSON.stringify(from);
      made.set(key, before.get(key) ?? make());
    };
    add(services, () => new ServicesSource(services, this.#healthUrl));
    for (const source of sources) {
      if (source.kind === 'incidents') add([source, namesOf(services)], () => this.#incidentsOf(source, namesOf(services)));
      else add(source, () => this.#sourceOf(source));
      if (source.kind === 'git' && source.findings)
        add(['findings', source], () => this.#inTurn(new FindingsSource(this.#gitOptions(source)), source));
    }
    for (const service of services)
      if (service.check !== 'self') add(['probe', service], () => this.#probeOf(service));
      else if (origin !== null) add(['self-check', service], () => this.#checkOf(service, origin));
    this.#made = made;
    return [...made.values()];
  }

  #sourceOf(source: Exclude<SourceConfig, IncidentsSourceConfig>): Source {
    switch (source.kind) {
      case 'git':
        return this.#inTurn(new GitSource(this.#gitOptions(source)), source);
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

  #inTurn(source: Source, { location, ref }: GitSourceConfig): Source {
    const turns = this.#turnsAt.get(location) ?? new InTurn(1);
    this.#turnsAt.set(location, turns);
    return turns.wrap(this.#turns.wrap(this.#whileApproved(source, ref)));
  }

  #gitOptions(source: GitSourceConfig): GitSourceOptions {
    const { folder, environment = {} } = this.#options;
    return { ...source, cacheFolder: resolve(folder), environment };
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
