import { resolve } from 'node:path';
import { dataFolderOf } from '@vitrine/config';
import type { Config, Environment, ServiceConfig } from '@vitrine/config';
import type { FilesSourceConfig, ForgeSourceConfig, GitSourceConfig, IncidentsSourceConfig, SourceConfig } from '@vitrine/config';
import { MINUTE, NO_REPOSITORY, type ApprovedRepositories, type Clock, type RepositoryRef, type ScopeRef } from '@vitrine/core';
import { approvedOf, NOTHING_STORED, type StoredApprovals } from './approvals.js';
import { OwnerListSource } from '../sources/owner-list/owner-list-source.js';
import { articlesSource } from '../sources/articles/articles-source.js';
import { changelogSource, releaseChangelogSource } from '../sources/changelog/changelog-source.js';
import type { ClientOf } from '../probes/heartbeat/heartbeat-connections.js';
import { DetectedSource } from '../sources/detected/detected-source.js';
import { FeedSource, NEWS } from '../sources/feed/feed-source.js';
import { FindingsSource } from '../sources/findings/findings-source.js';
import { ForgeSources, storedPullRequests } from '../sources/forge/create-forge-source.js';
import { HeartbeatListener } from '../probes/heartbeat/heartbeat-listener.js';
import { HeartbeatSource } from '../probes/heartbeat/heartbeat-source.js';
import { GitSource, type GitSourceOptions } from '../sources/git/git-source.js';
import { addressBase, incidentAddress } from '../sources/incidents/incident-file.js';
import { IncidentsSource } from '../sources/incidents/incidents-source.js';
import { Slots } from './slots.js';
import { OutgoingClient } from '../fetching/outgoing-client.js';
import { systemResolve } from '../fetching/guarded-lookup.js';
import type { Canary } from '../probes/probe.js';
import { createCanary, createProbe, type ProbeOptions } from '../probes/create-probe.js';
import { knownAddresses, selfProbe } from '../probes/http-probe.js';
import { ProbeSource, publishedAddress, serviceAddress } from '../probes/probe-source.js';
import { RecordsSource } from '../sources/records/records-source.js';
import { ServicesSource } from '../probes/services-source.js';
import type { Source } from './source.js';
import { StatuspageSource } from '../sources/statuspage/statuspage-source.js';
import { VIDEOS } from '../sources/video/video-source.js';
import { whileApproved, withRun } from './vouching.js';

export type Collected = Pick<Config, 'approved' | 'patterns' | 'sources' | 'services'>;

export interface SourcesOptions {
  /** The folder for data that sources can rebuild, such as clones. */
  readonly folder: string;
  /** The address this server listens on, such as `http://127.0.0.1:3000`, asked at each run; `null` where nothing is served, and so nothing checks itself. */
  readonly origin: (() => string) | null;
  /** May carry git's credentials; no variables without it. */
  readonly environment?: Environment;
  /** The present allowlist: repositories that are not on it are not collected. Default: that of the configuration. */
  readonly approved?: () => ApprovedRepositories;
  /** The stored approvals. Nothing without it. */
  readonly stored?: StoredApprovals;
  /** Judges how long certificates are valid. The system's clock without it. */
  readonly clock?: Clock;
  /** Hears the address where heartbeats are received, whenever they can be. */
  readonly onListening?: ((origin: string) => void) | undefined;
  /** Tells which client a connection for heartbeats counts for. Default: the address from which it comes. */
  readonly clientOf?: ClientOf | undefined;
}

/** The address that a server with this configuration would listen on. */
export function configuredOrigin({ server: { host, port } }: Pick<Config, 'server'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${String(port)}`;
}

/** A source that reads records of other sources of its repository. */
type DerivedSourceConfig = FilesSourceConfig & { readonly from: 'git' | 'releases'; readonly ref: RepositoryRef };

function isDerived(source: SourceConfig): source is DerivedSourceConfig {
  return (source.kind === 'articles' || source.kind === 'changelog') && source.from !== 'disk' && source.ref !== NO_REPOSITORY;
}

export interface SourceEntry {
  /** What the source is made from. If it is equal, the source is the same. */
  readonly from: unknown;
  readonly make: () => Source;
}

const GIT_AT_ONCE = 2;

export class SourceFactory {
  readonly #config: Config;
  readonly #options: SourcesOptions;
  readonly #turns = new Slots(GIT_AT_ONCE);
  /** By the location of a repository: nothing may be read from a clone while it is replaced. */
  readonly #turnsAt = new Map<string, Slots>();
  readonly #client: OutgoingClient;
  readonly #approved: () => ApprovedRepositories;
  readonly #probing: ProbeOptions;
  readonly #canary: Canary | null;
  readonly #forges: ForgeSources;
  readonly #listener: HeartbeatListener | null;

  constructor(config: Config, options: SourcesOptions) {
    [this.#config, this.#options] = [config, options];
    const userAgent = config.publicUrl === null ? 'Vitrine' : `Vitrine (+${config.publicUrl})`;
    this.#client = new OutgoingClient({ userAgent });
    const standing = approvedOf(config, options.stored ?? NOTHING_STORED);
    this.#approved = options.approved ?? (() => standing);
    const { environment = {}, clock = { now: () => Date.now() } } = options;
    const addresses = knownAddresses(systemResolve, clock);
    this.#probing = { client: new OutgoingClient({ userAgent, resolve: addresses }), environment, clock, resolve: addresses };
    this.#forges = new ForgeSources({ client: this.#client, environment, approved: this.#approved });
    this.#canary = config.canary === null ? null : createCanary(config.canary, this.#probing);
    const { onListening, clientOf } = options;
    this.#listener = config.heartbeats === null ? null : new HeartbeatListener({ ...config.heartbeats, onListening, clientOf });
  }

  /** What the sources of a configuration are made from, in the order in which a single run takes them. */
  entries({ sources, services, patterns }: Collected): readonly SourceEntry[] {
    const forges = new Map(sources.flatMap((source) => (source.kind === 'forge' ? [[source.ref, source]] : [])));
    const gits = new Map(sources.flatMap((source) => (source.kind === 'git' ? [[source.ref, source]] : [])));
    this.#forges.share([...forges.values()]);
    const { retentionMs } = this.#config.store;
    const addressOf = (key: string): string => serviceAddress(this.#base(), key);
    const hasChecks = services.length > 0 || sources.some(({ kind }) => kind === 'records');
    return [
      { from: services, make: () => new ServicesSource(services, this.#healthUrl, this.#config.file) },
      ...patterns.map((pattern) => ({
        from: ['approved', pattern],
        make: () => new OwnerListSource(pattern, this.#forges.client({ ...pattern, type: 'github' })),
      })),
      ...sources.filter((source) => !isDerived(source)).map((source) => this.#entryOf(source, services, gits)),
      // They read records of the others, so that their first run finds some.
      ...sources.filter(isDerived).map((source) => this.#derivedEntryOf(source, (source.from === 'git' && gits.get(source.ref)) || null)),
      // After those of forges, whose pull requests they take into account.
      ...[...gits.values()].filter(({ findings }) => findings).map((source) => this.#findingsOf(source, forges.get(source.ref) ?? null)),
      ...services.flatMap((service) => this.#checkerOf(service)),
      // The last one, so that a run of all sources finds the checks of the others.
      ...(hasChecks ? [{ from: 'detected', make: () => new DetectedSource({ intervalMs: MINUTE, retentionMs, addressOf }) }] : []),
    ];
  }

  #entryOf(source: SourceConfig, services: readonly ServiceConfig[], gits: ReadonlyMap<ScopeRef, GitSourceConfig>): SourceEntry {
    if (source.kind === 'incidents') {
      const { path: folder, label, intervalMs } = source;
      const names = services.map(({ key, name }) => [key, name] as const);
      const addressOf = (id: string): string => incidentAddress(this.#base(), id);
      return { from: [source, names], make: () => new IncidentsSource({ folder, label, intervalMs, names: new Map(names), addressOf }) };
    }
    if (source.kind !== 'forge') return { from: source, make: () => this.#sourceOf(source) };
    const hasPullRequests = gits.get(source.ref)?.findings === true;
    return { from: [source, hasPullRequests], make: () => this.#forges.create(source, { hasPullRequests }) };
  }

  #findingsOf(source: GitSourceConfig, forge: ForgeSourceConfig | null): SourceEntry {
    const known = forge === null ? {} : { pullRequests: storedPullRequests(forge) };
    return { from: ['findings', source, forge], make: () => this.#inTurn(new FindingsSource({ ...this.#gitOptions(source), ...known }), source) };
  }

  #sourceOf(source: Exclude<SourceConfig, IncidentsSourceConfig | ForgeSourceConfig>): Source {
    switch (source.kind) {
      case 'git':
        return this.#inTurn(new GitSource(this.#gitOptions(source)), source);
      case 'records':
        return new RecordsSource({ path: source.path, intervalMs: source.intervalMs, approved: this.#approved });
      case 'feed':
        return new FeedSource(NEWS, source, this.#client);
      case 'statuspage': {
        const { publicUrl, allowPrivate, address } = source;
        const pageUrl = publicUrl ?? (allowPrivate ? `${this.#base()}/status` : address);
        return new StatuspageSource({ ...source, pageUrl, isHidden: publicUrl === null && allowPrivate, client: this.#client });
      }
      case 'video':
        return this.#whileApproved(new FeedSource(VIDEOS, { ...source, repositoryRef: source.ref }, this.#client), source.ref);
      case 'articles':
      case 'changelog':
        return this.#whileApproved(this.#filesSource(source), source.ref);
    }
  }

  /** Runs only so many sources at once, so that a hundred repositories do not start a hundred processes. */
  #inTurn(source: Source, { location, ref }: GitSourceConfig): Source {
    const turns = this.#turnsAt.get(location) ?? new Slots(1);
    this.#turnsAt.set(location, turns);
    const approved = this.#whileApproved(source, ref);
    const run: Source['run'] = (context) => {
      context.signal.throwIfAborted();
      return approved.run(context);
    };
    return withRun(approved, (context) => turns.run(() => this.#turns.run(() => run(context))));
  }

  #gitOptions({ kind: _kind, findings: _findings, ...source }: GitSourceConfig): GitSourceOptions {
    const { folder, environment = {} } = this.#options;
    return { ...source, cacheFolder: resolve(folder), dataFolder: dataFolderOf(this.#config), environment, client: this.#client };
  }

  /** @param git the git source that the files come from; `null`: there is none. Without it, they are on disk */
  #filesSource({ kind, ref: repositoryRef, ...source }: FilesSourceConfig, git?: GitSourceConfig | null): Source {
    const imageUrl = this.#config.site === null ? undefined : (name: string) => `${this.#base()}/images/${name}`;
    const from = git === undefined ? {} : { git: git && this.#gitOptions(git) };
    const options = { ...source, ...from, repositoryRef, imageUrl, defaultUrl: this.#articleUrl };
    return kind === 'articles' ? articlesSource(options) : changelogSource(options);
  }

  #derivedEntryOf(source: DerivedSourceConfig, git: GitSourceConfig | null): SourceEntry {
    const { ref: repositoryRef, from, language, label, publicUrl, intervalMs } = source;
    const made = (): Source =>
      from === 'git'
        ? this.#filesSource(source, git)
        : releaseChangelogSource({ repositoryRef, label, language, publicUrl, intervalMs, defaultUrl: this.#articleUrl });
    return { from: [source, git], make: () => (git === null ? this.#whileApproved(made(), repositoryRef) : this.#inTurn(made(), git)) };
  }

  #whileApproved(source: Source, ref: ScopeRef): Source {
    return ref === NO_REPOSITORY ? source : whileApproved(source, ref, this.#approved);
  }

  /** None if this process does not check the service. */
  #checkerOf(service: ServiceConfig): readonly SourceEntry[] {
    const { origin } = this.#options;
    const publicAddress = (): string => this.#healthUrl(service);
    const entry = (make: () => Source): readonly SourceEntry[] => [{ from: ['check', service], make }];
    if (service.check === 'self') {
      const common = { service: { ...service, confirmAfter: 0, dependency: false }, canary: null, publicAddress };
      const probe = (at: () => string) => selfProbe(service.key, () => `${at()}/livez`, this.#client);
      return origin === null ? [] : entry(() => new ProbeSource({ ...common, name: `self-check ${service.key}`, probe: probe(origin) }));
    }
    if (service.check !== 'heartbeat')
      return entry(() => new ProbeSource({ service, probe: createProbe(service, this.#probing), canary: this.#canary, publicAddress }));
    const receiver = this.#listener;
    const { environment } = this.#probing;
    return receiver === null ? [] : entry(() => new HeartbeatSource({ service, environment, publicAddress, receiver }));
  }

  readonly #articleUrl = (id: string): string => `${this.#base()}/articles/${encodeURIComponent(id)}`;

  readonly #healthUrl = (service: ServiceConfig): string => {
    if (service.check === 'self') return `${this.#origin()}/livez`;
    if (service.check === 'heartbeat') return service.url || serviceAddress(this.#base(), service.key);
    return publishedAddress(service, serviceAddress(this.#base(), service.key));
  };

  #base(): string {
    return addressBase(this.#origin(), this.#config);
  }

  #origin(): string {
    return this.#config.publicUrl ?? this.#options.origin?.() ?? configuredOrigin(this.#config);
  }
}
