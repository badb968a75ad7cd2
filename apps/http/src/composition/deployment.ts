import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openSqliteStore, StoreFolderError } from '@vitrine/adapters-sqlite';
import { CurrentApproval, WatchedApprovals, watchConfiguration, type WatchedSources, type WatchLog } from '@vitrine/collector/server';
import { ConfigError, searchFolder, type Approvals, type Config, type Environment } from '@vitrine/config';
import { loadConfig, readConfig } from '@vitrine/collector/server';
import {
  Allowlist,
  type ApprovedRepositories,
  type Clock,
  type RecordStore,
  type StoreReaders,
  type StoredRecord,
  type ChangeFeed,
  type ConfigurationReader,
} from '@vitrine/core';
import type { Logger } from 'pino';
import type { ApprovedSource } from '../serving/request.js';
import type { StoreHealth } from '../serving/store-guard.js';
import { isDatabaseError, openedFolder } from './open-store.js';
import { LocalSearch } from './local-search.js';
import { openLoggedStore } from './store-log.js';
import type { OpenedStore, SearchedDatabase } from './opened-store.js';
import { MissingPackageError, unobtainable, unusable, type StartError } from './start-errors.js';
import { monotonicClock } from '../serving/deadlines.js';
import { loggedError } from './logging.js';

/** What is served: the configuration, and the store behind it. */
export interface Deployment extends Omit<OpenedStore, 'readers' | 'search'> {
  readonly readers: StoreReaders;
  readonly config: Config;
  readonly approved: ApprovedSource;
  /** Those of the configuration file. Throws an `UnavailableError` if it could not be read for too long. */
  readonly approvals: () => Approvals;
  readonly collected: Pick<WatchedSources, 'current'>;
  /** The search index of this process; `null` if the store has one. */
  readonly localSearch: LocalSearch | null;
  /** Starts to watch the configuration and the store. */
  readonly watch: () => void;
}

/** The configuration that the environment names. Throws a `StartError`. */
export async function configOf(env: Environment): Promise<Config> {
  return readable(() => readConfig(env));
}

/** The configuration of a demonstration: the environment's port and host, and nothing kept. */
export async function demoConfig(env: Environment): Promise<Config> {
  return readable(() =>
    loadConfig({
      text: 'approved: [acme/widget]\nstore: { path: null }\nsite: { title: Acme }\n',
      file: 'the demonstration',
      env: { ...env, MONGODB_URI: '' },
    }),
  );
}

async function readable(load: () => Config | Promise<Config>): Promise<Config> {
  try {
    return await load();
  } catch (error) {
    throw error instanceof ConfigError ? unusable(...error.problems) : error;
  }
}

/**
 * Opens the store of a configuration; a database may come later. Throws a `StartError` when a folder or a connection string cannot be used.
 */
export async function openDeployment(config: Config, clock: Clock, logger: Logger, env: Environment): Promise<Deployment> {
  const follow = followConfiguration(config, env, logger);
  const store = await openLoggedStore(config.store, { clock, logger }).catch((error: unknown) => {
    throw startErrorOf(error) ?? error;
  });
  const followed = follow(store.readers.configurations, store.changeFeed);
  // A folder is open at once. A database may connect later.
  if (config.store.kind === 'embedded') await followed.stored.poll();
  const { search, localSearch } = searchOf(store, (database) => new LocalSearch(database, searchFolder(config, env), logger));
  return {
    ...store,
    readers: { ...store.readers, search },
    localSearch,
    config,
    health: healthOnceKnown(store.health, followed),
    approved: followed.approved,
    approvals: followed.approvals,
    collected: followed.collected,
    watch: () => {
      followed.start();
      localSearch?.follow(followed.approved);
    },
    close: async () => {
      followed.stop();
      await localSearch?.close();
      await store.close();
    },
  };
}

function searchOf(
  { search }: OpenedStore,
  indexOf: (database: SearchedDatabase) => LocalSearch,
): Pick<StoreReaders, 'search'> & Pick<Deployment, 'localSearch'> {
  if (!('scan' in search)) return { search, localSearch: null };
  const localSearch = indexOf(search);
  return { search: localSearch.search, localSearch };
}

/** The health of a store that takes requests only after the hidden repositories were read. */
function healthOnceKnown(health: StoreHealth, { stored: { current } }: FollowedConfiguration): StoreHealth {
  return {
    get state() {
      return health.state === 'ready' && current() === null ? 'connecting' : health.state;
    },
  };
}

/** Why the service cannot start with its store: the folder cannot be used, or the connection string. */
function startErrorOf(error: unknown): StartError | null {
  if (error instanceof StoreFolderError) return unobtainable(error.message);
  return isDatabaseError(error) || error instanceof MissingPackageError ? unusable(error.message) : null;
}

const DEMO_FILE = fileURLToPath(new URL('../../../../examples/demo.ndjson', import.meta.url));
const BATCH = 1_000;

/** A store in temporary files that holds the records of the demonstration, as if they had been collected just now. */
export async function openDemo(config: Config, clock: Clock): Promise<Deployment> {
  await readFile(DEMO_FILE).catch(() => {
    throw unusable(`${DEMO_FILE} is not there; --demo needs it`);
  });
  const { loadDemo } = await import('@vitrine/collector');
  const demo = await loadDemo(DEMO_FILE, clock.now());
  const store = await openSqliteStore({ clock, path: null });
  const approved = new Allowlist(demo.approved).approved();
  await fill(store, demo.records, approved);
  return {
    ...openedFolder(store, null),
    readers: store.readers,
    localSearch: null,
    config,
    approved: { current: () => approved },
    approvals: () => config,
    collected: { current: () => config },
    watch: () => undefined,
  };
}

async function fill({ writer }: RecordStore, records: readonly StoredRecord[], approved: ApprovedRepositories): Promise<void> {
  const { signal } = new AbortController();
  for (let at = 0; at < records.length; at += BATCH) await writer.put(records.slice(at, at + BATCH), { signal });
  await writer.indexFor(approved, { signal });
}

/** The inputs that a process follows: the configuration file, and the stored approvals. */
export interface FollowedConfiguration {
  readonly approved: CurrentApproval;
  /** Those of the file. Throws an `UnavailableError` if it could not be read for too long. */
  readonly approvals: () => Approvals;
  readonly collected: WatchedSources;
  /** The stored approvals. */
  readonly stored: WatchedApprovals;
  /** Begins to watch. Nothing is read before. */
  readonly start: () => void;
  readonly stop: () => void;
}

type Follow = (reader: ConfigurationReader, changeFeed?: ChangeFeed) => FollowedConfiguration;

/**
 * Prepares to follow a configuration. Call this before the store is opened, which can take minutes: the allowlist is as old as this call. The function that is
 * returned takes the feed of the store. Without it, the store is read once a second.
 */
export function followConfiguration(config: Config, env: Environment, log: WatchLog): Follow {
  const { approved: list, collected } = watchConfiguration(config, { env, clock: monotonicClock, log });
  const approvals = (): Approvals => list.current();
  return (reader, changeFeed) => {
    const stored = new WatchedApprovals({ reader, changeFeed, approvals, log, factsOf: loggedError });
    return {
      approved: new CurrentApproval(approvals, stored.current),
      approvals,
      collected,
      stored,
      start: () => {
        list.start();
        stored.start();
      },
      stop: () => {
        list.stop();
        stored.stop();
      },
    };
  };
}
