import type { Config, Environment, FilesSourceConfig, SourceConfig } from '@vitrine/config';
import { type ApprovedRepositories, type Clock, NO_REPOSITORY, type RepositoryRef } from '@vitrine/core';
import type { StoredApprovals } from './approvals.js';
import type { ClientOf } from '../probes/heartbeat/heartbeat-connections.js';

/** What says which sources there are. */
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
export type DerivedSourceConfig = FilesSourceConfig & { readonly from: 'git' | 'releases'; readonly ref: RepositoryRef };

export function isDerived(source: SourceConfig): source is DerivedSourceConfig {
  return (source.kind === 'articles' || source.kind === 'changelog') && source.from !== 'disk' && source.ref !== NO_REPOSITORY;
}
