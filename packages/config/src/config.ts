import type { AllowlistEntry, RepositoryName, RepositoryRef } from '@vitrine/core';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The forges whose addresses can be derived from a repository's public one. */
export const FORGES = ['github', 'gitlab', 'gitea', 'bitbucket'] as const;
type Forge = (typeof FORGES)[number];

/** As `branches` of a git source: a folder's own branches. */
export const LOCAL = 'local';

/** What caches call the header by which they know what to purge. */
export const PURGE_HEADERS = ['Surrogate-Key', 'Cache-Tag'] as const;

export interface GitSourceConfig {
  readonly kind: 'git';
  /** A path, resolved against the configuration's folder, or a clone address. */
  readonly location: string;
  readonly ref: RepositoryRef;
  readonly name: RepositoryName;
  /** The repository's public address, without a slash at its end. */
  readonly url: string;
  /** The label of the origin in the records' provenance. */
  readonly label: string;
  /** Whose address shapes the repository's pages have; `null`: told by the address. */
  readonly forge: Forge | null;
  /** Of a folder: the remote whose branches are shown; `null`: told by `url` and by which remotes there are. */
  readonly remote: string | null;
  /** Patterns of the branches that are shown; `local`: a folder's own ones; `null`: all that are public. */
  readonly branches: typeof LOCAL | readonly string[] | null;
  readonly intervalMs: number;
}

export interface RecordsSourceConfig {
  readonly kind: 'records';
  /** A file, or a folder of `*.ndjson` files. */
  readonly path: string;
  readonly intervalMs: number;
}

/** A store in this process: a folder, or memory. */
export interface EmbeddedStoreConfig {
  readonly kind: 'embedded';
  /** The data folder; `null`: in memory only. */
  readonly path: string | null;
  readonly retentionMs: number;
}

export interface MongoStoreConfig {
  readonly kind: 'mongodb';
  /** The connection string. It may hold a password: no line that anybody reads shows it. */
  readonly uri: string;
  /** Its hosts, for people. */
  readonly hosts: string;
  readonly retentionMs: number;
}

export type StoreConfig = EmbeddedStoreConfig | MongoStoreConfig;

export type SourceConfig = GitSourceConfig | RecordsSourceConfig;

export interface ServiceConfig {
  readonly key: string;
  readonly name: string;
  /** `self`: this server's own health, asked over HTTP. */
  readonly check: 'self';
  readonly intervalMs: number;
}

/** The whole configuration, checked and frozen. Paths are absolute or relative to the working folder; durations are milliseconds. */
export interface Config {
  /** The configuration file. */
  readonly file: string;
  /** The public address of this Vitrine, without a slash at its end; `null`: the address it listens on. */
  readonly publicUrl: string | null;
  readonly server: {
    readonly port: number;
    readonly host: string;
    /** How long a connection stays open after an answer, in milliseconds. */
    readonly keepAliveMs: number;
    /** The header that names the repositories of an answer to caches; `null`: none. */
    readonly purgeHeader: (typeof PURGE_HEADERS)[number] | null;
  };
  readonly logLevel: LogLevel;
  readonly store: StoreConfig;
  /** Where clones are kept; `null`: in the data folder, or in the user's cache folder where there is none. */
  readonly cache: string | null;
  /** May be empty: then nothing of any repository is shown. */
  readonly approved: readonly AllowlistEntry[];
  /** Git sources of approved repositories, and all records sources. */
  readonly sources: readonly SourceConfig[];
  readonly services: readonly ServiceConfig[];
  /** One line for each git source that is left out because its repository is not approved: where it is, its name, and how to fix it. */
  readonly warnings: readonly string[];
}
