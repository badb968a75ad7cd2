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
import { Allowlist, MINUTE, nameOfRef, NO_REPOSITORY, type ApprovedRepositories, type Clock, type RepositoryRef, type ScopeRef } from '@vitrine/core';
import { articlesSource } from './articles/articles-source.js';
import { changelogSource } from './changelog/changelog-source.js';
import { releaseChangelogSource } from './changelog/release-changelog-source.js';
import { configuredOrigin } from './configured-origin.js';
import { DetectedSource } from './detected/detected-source.js';
import { feedSource } from './feed/feed-source.js';
import { FindingsSource } from './findings/findings-source.js';
import { ForgeSources } from './forge/create-forge-source.js';
import type { GitReading } from './git/default-tree.js';
import { HeartbeatListener } from './heartbeats/heartbeat-listener.js';
import { HeartbeatSource } from './heartbeats/heartbeat-source.js';
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
  /** Hears the address where heartbeats are received, whenever they can be. */
  readonly onListening?: (origin: string) => void;
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
  readonly #forges: ForgeSources;
  readonly #listener: HeartbeatListener | null;
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
    this.#forges = new ForgeSources({ client: this.#client, environment, approved: this.#approved });
    this.#canary = config.canary === null ? null : createCanary(config.canary, this.#probing);
    this.#listener = config.heartbeats === null ? null : new HeartbeatListener({ ...config.heartbeats, onListening: options.onListening });
  }

  /** The sources of these entries. An entry that was there at the last call, and says the same, gives the same source. */
  of({ sources, services }: Pick<Config, 'sources' | 'services'>): readonly Source[] {
    const before = this.#made;
    const made = new Map<string, Source>();
    const add = (from: unknown, make: () => Source): void => {
      const key = JSON.stringify(from);
      made.set(key, before.get(key) ?? make());
    };
    this.#forges.share(sources.filter((source) => source.kind === 'forge'));
    add(services, () => new ServicesSource(services, this.#healthUrl));
    for (const source of inOrder(sources)) {
      if (source.kind === 'incidents') add([source, namesOf(services)], () => this.#incidentsOf(source, namesOf(services)));
      else if (isDerived(source)) add([source, gitOf(source, sources)], () => this.#derivedSource(source, gitOf(source, sources)));
      else add(source, () => this.#sourceOf(source));
      if (source.kind === 'git' && source.findings)
        add(['findings', source], () => this.#inTurn(new FindingsSource(this.#gitOptions(source)), source));
    }
    for (const service of services) {
      const make = this.#checkerOf(service);
      if (make !== null) add(['check', service], make);
    }
    // The last one, so that a run of all sources finds the checks of the others.
    if (services.length > 0 || sources.some(({ kind }) => kind === 'records')) add('detected', () => this.#detected());
    this.#made = made;
    return [...made.values()];
  }

  #sourceOf(source: Exclude<SourceConfig, IncidentsSourceConfig>): Source {
    switch (source.kind) {
      case 'git':
        return this.#inTurn(new GitSource(this.#gitOptions(source)), source);
      case 'forge':
        return this.#forges.create(source);
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

  #filesSource({ kind, ref: repositoryRef, ...source }: FilesSourceConfig, git: GitReading | null = null): Source {
    const options = { ...source, git, repositoryRef, defaultUrl: (id: string) => `${this.#base()}/articles/${encodeURIComponent(id)}` };
    return kind === 'articles' ? articlesSource(options) : changelogSource(options);
  }

  /** @param git the git source of the repository, if the source reads its clone */
  #derivedSource(source: DerivedSourceConfig, git: GitSourceConfig | null): Source {
    const { ref, from, language, label, publicUrl, intervalMs } = source;
    const defaultUrl = (id: string): string => `${this.#base()}/articles/${encodeURIComponent(id)}`;
    if (from === 'releases')
      return this.#whileApproved(releaseChangelogSource({ repositoryRef: ref, label, language, publicUrl, intervalMs, defaultUrl }), ref);
    const { folder, environment = {} } = this.#options;
    const { location, url, remote, branches } = git ?? { location: null, url: '', remote: null, branches: null };
    const reading = { location, url, remote, branches, name: nameOfRef(ref), cacheFolder: resolve(folder), environment };
    const made = this.#filesSource(source, reading);
    return git === null ? this.#whileApproved(made, ref) : this.#inTurn(made, git);
  }

  #whileApproved(source: Source, ref: ScopeRef): Source {
    return ref === NO_REPOSITORY ? source : new WhileApproved(source, ref, this.#approved);
  }

  #incidentsOf({ path, label, intervalMs }: IncidentsSourceConfig, names: readonly (readonly [key: string, name: string])[]): Source {
    return new IncidentsSource({ folder: path, label, intervalMs, names: new Map(names), addressOf: (id) => incidentAddress(this.#base(), id) });
  }

  /** `null` if this process does not check the service. */
  #checkerOf(service: ServiceConfig): (() => Source) | null {
    const { origin } = this.#options;
    if (service.check === 'self') return origin === null ? null : () => this.#checkOf(service, origin);
    if (service.check !== 'heartbeat') return () => this.#probeOf(service);
    const receiver = this.#listener;
    const { environment } = this.#probing;
    return receiver === null ? null : () => new HeartbeatSource({ service, environment, publicAddress: () => this.#healthUrl(service), receiver });
  }

  #detected(): Source {
    const { retentionMs } = this.#config.store;
    return new DetectedSource({ intervalMs: MINUTE, retentionMs, addressOf: (key) => serviceAddress(this.#base(), key) });
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
    if (service.check === 'heartbeat') return service.url ?? serviceAddress(this.#base(), service.key);
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

/** A source that reads what other sources of its repository bring. */
type DerivedSourceConfig = FilesSourceConfig & { readonly from: 'git' | 'releases'; readonly ref: RepositoryRef };

function isDerived(source: SourceConfig): source is DerivedSourceConfig {
  return (source.kind === 'articles' || source.kind === 'changelog') && source.from !== 'disk' && source.ref !== NO_REPOSITORY;
}

/** Sources that read what others bring come last, so that their first run finds something. */
function inOrder(sources: readonly SourceConfig[]): readonly SourceConfig[] {
  return [...sources.filter((source) => !isDerived(source)), ...sources.filter(isDerived)];
}

/** The git source whose clone a source reads; `null` if it reads none, or if there is none. */
function gitOf({ from, ref }: DerivedSourceConfig, sources: readonly SourceConfig[]): GitSourceConfig | null {
  if (from !== 'git') return null;
  return sources.find((source): source is GitSourceConfig => source.kind === 'git' && source.ref === ref) ?? null;
}

function namesOf(services: readonly ServiceConfig[]): readonly (readonly [key: string, name: string])[] {
  return services.map(({ key, name }) => [key, name]);
}
