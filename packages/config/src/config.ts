import type { RepositoryName, RepositoryRef, ScopeRef } from '@vitrine/core';
import type { Approvals } from './approvals.js';
import type { ForgeToken } from './config-fields.js';
import type { LimitsConfig, ServerConfig, SiteConfig } from './server-schema.js';
import type { LogLevel } from './environment.js';
import type { CanaryConfig, HeartbeatsConfig, ServiceConfig } from './services/service-schema.js';

/** The forges whose addresses can be derived from a repository's public one. */
export const FORGES = ['github', 'gitlab', 'gitea', 'bitbucket'] as const;
type Forge = (typeof FORGES)[number];

/** The value of `branches` that shows the local branches of a folder. */
export const LOCAL = 'local';

/** The value of `changelog` that reads the notes of the stored releases. */
export const RELEASES = 'releases';

interface AnySource {
  readonly intervalMs: number;
}

interface LabelledSource extends AnySource {
  /** The name of the source, and the label of the origin in its records' provenance. */
  readonly label: string;
}

interface RepositorySource extends LabelledSource {
  readonly ref: RepositoryRef;
  readonly name: RepositoryName;
  /** The public URL of the repository, without a final slash. */
  readonly url: string;
}

export interface GitSourceConfig extends RepositorySource {
  readonly kind: 'git';
  /** A path, resolved against the configuration's folder, or a clone address. */
  readonly location: string;
  /** The forge whose URL patterns the repository's pages follow; `null`: detected from `url`. */
  readonly forge: Forge | null;
  /** For a folder: the remote whose branches are shown; `null`: chosen by `url` and the remotes of the folder. */
  readonly remote: string | null;
  /** Patterns of the branches that are shown; `local`: the local branches of a folder; `null`: all public branches. */
  readonly branches: typeof LOCAL | readonly string[] | null;
  /** Whether findings are made from its branches. */
  readonly findings: boolean;
}

/** A repository of a forge, read through its API. Forgejo counts as Gitea. */
export interface ForgeSourceConfig extends RepositorySource {
  readonly kind: 'forge';
  readonly type: 'github' | 'gitea' | 'gitlab';
  /** The base address of the API, without a final slash. */
  readonly api: string;
  readonly token: ForgeToken | null;
  /** Whether the API may be in a private network. */
  readonly allowPrivate: boolean;
}

export interface RecordsSourceConfig extends AnySource {
  readonly kind: 'records';
  /** A file, or a folder of `*.ndjson` files. */
  readonly path: string;
}

export interface IncidentsSourceConfig extends LabelledSource {
  readonly kind: 'incidents';
  /** The path of a folder of Markdown files. */
  readonly path: string;
}

interface FetchedSource extends LabelledSource {
  /** Its query may contain a token. */
  readonly address: string;
  /** The public address of the origin, without a final slash; `null`: `address` of a status page, or found in the feed. */
  readonly publicUrl: string | null;
  /** Whether the address may be in a private network. It is then never published. */
  readonly allowPrivate: boolean;
}

/** The status page of a provider, in the format of Statuspage v2. */
export interface StatuspageSourceConfig extends FetchedSource {
  readonly kind: 'statuspage';
  /** Names or ids of components; `null`: all. */
  readonly services: readonly string[] | null;
}

/** A feed of news. */
export interface FeedSourceConfig extends FetchedSource {
  readonly kind: 'feed';
  /** Whether the feed is the team's own. */
  readonly isOfficial: boolean;
}

/** A feed of videos. */
export interface VideoSourceConfig extends FetchedSource, Pick<FeedSourceConfig, 'isOfficial'> {
  readonly kind: 'video';
  /** The repository that the videos are about, or `-`. */
  readonly ref: ScopeRef;
}

/** A folder of articles in Markdown, or a changelog. */
export interface FilesSourceConfig extends LabelledSource {
  readonly kind: 'articles' | 'changelog';
  /** `git`: the path is in the default branch of the repository, whose git source reads it. `releases`: the notes of the stored releases, without a path. */
  readonly from: 'disk' | 'git' | 'releases';
  readonly path: string;
  /** The repository that the articles belong to, or `-`. */
  readonly ref: ScopeRef;
  /** The public address of the folder or the changelog, without a final slash; `null`: each article is shown at its own address in the API. */
  readonly publicUrl: string | null;
  /** The language of articles that do not say theirs. */
  readonly language: string;
}

/** A store in a folder, or in temporary files. */
export interface EmbeddedStoreConfig {
  readonly kind: 'embedded';
  /** The data folder; `null`: temporary files, which are removed at the end. */
  readonly path: string | null;
  readonly retentionMs: number;
}

export interface MongoStoreConfig {
  readonly kind: 'mongodb';
  /** The connection string. It may contain a password, so no message or log line shows it. */
  readonly uri: string;
  /** The hosts of the connection string, for messages. */
  readonly hosts: string;
  readonly retentionMs: number;
}

export type StoreConfig = EmbeddedStoreConfig | MongoStoreConfig;

export type SourceConfig =
  | GitSourceConfig
  | ForgeSourceConfig
  | RecordsSourceConfig
  | FeedSourceConfig
  | VideoSourceConfig
  | FilesSourceConfig
  | IncidentsSourceConfig
  | StatuspageSourceConfig;

/** The whole configuration, validated and frozen. Paths are absolute or relative to the working folder; durations are milliseconds. */
export interface Config extends Approvals {
  /** The path of the configuration file. */
  readonly file: string;
  /** The public URL of this Vitrine server, without a final slash; `null`: the address it listens on. */
  readonly publicUrl: string | null;
  readonly server: ServerConfig;
  /** `null`: clients may send any number of requests. */
  readonly limits: LimitsConfig | null;
  /** `null`: no pages are served. */
  readonly site: SiteConfig | null;
  readonly logLevel: LogLevel;
  readonly store: StoreConfig;
  /** The folder for clones; `null`: the data folder, or the user's cache folder if there is no data folder. */
  readonly cache: string | null;
  /**
   * All sources, except those of repositories that are not approved. If only a pattern can approve the repository, `ref` has no forge id: the process that
   * collects adds it from the list of the owner, and skips the source until the list has the repository.
   */
  readonly sources: readonly SourceConfig[];
  readonly services: readonly ServiceConfig[];
  /** What is checked when a service fails; `null`: nothing. */
  readonly canary: CanaryConfig | null;
  /** Where services report themselves; `null`: nowhere. */
  readonly heartbeats: HeartbeatsConfig | null;
  /** One line for each git source that is skipped because its repository is not approved: its line in the file, its name, and how to fix it. */
  readonly warnings: readonly string[];
}
