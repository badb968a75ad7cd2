import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openSearchIndex, openSqliteStore, type SearchIndex, StoreFolderError } from '@vitrine/adapters-sqlite';
import { CurrentApproval, loadConfig, readConfig, watchConfiguration, WatchedApprovals, type WatchLog } from '@vitrine/collector/server';
import { type Config, ConfigError, type Environment, searchFolder } from '@vitrine/config';
import { Allowlist, type ApprovedRepositories, type Clock, type FeedChange, type SearchReader, type StoreReaders } from '@vitrine/core';
import type { Logger } from 'pino';
import { monotonicClock } from '../serving/computations.js';
import { loggedError } from './logging.js';
import type { OpenedStore, SearchedDatabase } from './opened-store.js';
import { isDatabaseError, openedFolder } from './open-store.js';
import { MissingPackageError, type StartError, unobtainable, unusable } from './start-errors.js';
import { openLoggedStore } from './store-log.js';
import { type ApprovedSource, fixedApproval, RememberedApproval } from '../serving/request.js';

export interface Deployment extends Omit<OpenedStore, 'readers' | 'search'> {
  readonly readers: StoreReaders;
  readonly config: Config;
  readonly approved: ApprovedSource;
  /** Resolves when {@link approved} is known. */
  readonly known: Promise<void>;
  /** The configuration with the allowlist, the sources and the services of the moment. Throws an `UnavailableError` if the file could not be read for too long. */
  readonly present: () => Config;
  readonly localSearch: LocalSearch | null;
  readonly watch: () => void;
}

const DEMO = { text: 'approved: [acme/widget]\nstore: { path: null }\nsite: { title: Acme }\n', file: 'the demonstration' };

/** A demonstration has the environment's port and host, and keeps nothing. */
export async function configOf(env: Environment, isDemo: boolean): Promise<Config> {
  try {
    return isDemo ? loadConfig({ ...DEMO, env: { ...env, MONGODB_URI: '' } }) : await readConfig(env);
  } catch (error) {
    throw error instanceof ConfigError ? unusable(...error.problems) : error;
  }
}

/** Opens the store of a configuration; a database may come later. Throws a `StartError` when a folder or a connection string cannot be used. */
export async function openDeployment(config: Config, clock: Clock, logger: Logger, env: Environment): Promise<Deployment> {
  const follow = followConfiguration(config, env, logger);
  const store = await openLoggedStore(config.store, { clock, logger }).catch((error: unknown) => {
    throw startErrorOf(error) ?? error;
  });
  const followed = follow(store);
  // A folder is open at once. A database may connect later.
  if (config.store.kind === 'embedded') await followed.stored.poll();
  const [search, localSearch] = searchOf(store, config, logger, env);
  return {
    ...store,
    readers: { ...store.readers, search },
    localSearch,
    config,
    approved: followed.approved,
    known: followed.stored.known,
    present: () => {
      const [{ sources, services }, { approved, patterns }] = [followed.collected.current(), followed.approvals()];
      return { ...config, sources, services, approved, patterns };
    },
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

function searchOf({ search }: OpenedStore, config: Config, logger: Logger, env: Environment): readonly [SearchReader, LocalSearch | null] {
  if (!('scan' in search)) return [search, null];
  const localSearch = new LocalSearch(search, searchFolder(config, env), logger);
  return [localSearch.search, localSearch];
}

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
  const { records, approved: entries } = await loadDemo(DEMO_FILE, clock.now());
  const store = await openSqliteStore({ clock, path: null });
  const approved = new Allowlist(entries).approved();
  const { signal } = new AbortController();
  for (let at = 0; at < records.length; at += BATCH) await store.writer.put(records.slice(at, at + BATCH), { signal });
  await store.writer.indexFor(approved, { signal });
  return {
    ...openedFolder(store, null),
    readers: store.readers,
    localSearch: null,
    config,
    approved: fixedApproval(approved),
    known: Promise.resolve(),
    present: () => config,
    watch: () => undefined,
  };
}

export type FollowedConfiguration = ReturnType<ReturnType<typeof followConfiguration>>;

/**
 * Call this before the store is opened, which can take minutes: the allowlist is as old as this call. The function that is returned takes the store. Without a
 * feed of changes, it is read once a second.
 */
export function followConfiguration(config: Config, env: Environment, log: WatchLog) {
  const collected = watchConfiguration(config, { env, clock: monotonicClock, log });
  const { approvals } = collected;
  return ({ readers, changeFeed }: Pick<OpenedStore, 'changeFeed'> & { readonly readers: Pick<StoreReaders, 'configurations'> }) => {
    const stored = new WatchedApprovals({ reader: readers.configurations, changeFeed, approvals, log, factsOf: loggedError });
    return {
      approved: new CurrentApproval(approvals, stored.current),
      /** Those of the file. Throws an `UnavailableError` if it could not be read for too long. */
      approvals,
      collected,
      stored,
      start: () => {
        collected.start();
        stored.start();
      },
      stop: () => {
        collected.stop();
        stored.stop();
      },
    };
  };
}

const COMPARED_EVERY_MS = 250;

/**
 * The search of a database: an index in this process, which holds only what the process approves. It is opened as soon as it is known what is approved, and follows
 * the list and the changes of the database.
 */
export class LocalSearch {
  readonly search: SearchReader = { search: (approved, query, context) => this.#opened(approved).search.search(approved, query, context) };
  /** Whether not all approved records can be found yet. */
  isBuilding = true;
  /** Hears the changes of approved records when searches show them. */
  onIndexed: (changes: readonly FeedChange[]) => void = () => undefined;
  #index: SearchIndex | null = null;
  #approved: ApprovedRepositories | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param folder for the file of the index */
  constructor(
    private readonly database: SearchedDatabase,
    private readonly folder: string,
    private readonly logger: Logger,
  ) {}

  follow(source: ApprovedSource): void {
    const remembered = new RememberedApproval(source);
    this.#timer = setInterval(() => {
      const approved = remembered.currentOrLast();
      if (approved === null || approved === this.#approved) return;
      this.#approved = approved;
      this.#opened(approved).approve(approved);
    }, COMPARED_EVERY_MS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#index?.close();
  }

  #opened(approved: ApprovedRepositories): SearchIndex {
    const { database, folder, logger } = this;
    this.#index ??= openSearchIndex({
      ...database,
      approved,
      folder,
      onSearchable: (share) => this.#told(share !== null),
      onIndexed: (changes) => this.onIndexed(changes),
      onFolderProblem: (error) => {
        logger.warn(
          { ...loggedError(error), folder },
          'the search index is kept in memory, because its folder cannot be used; set cache in vitrine.yaml to a folder that this user may write to',
        );
      },
      onFailure: (error) => logger.warn(loggedError(error), 'the search index cannot be updated; it is tried again each second'),
    });
    return this.#index;
  }

  #told(isBuilding: boolean): void {
    if (isBuilding !== this.isBuilding) this.logger.info(isBuilding ? 'the search index is being built' : 'the search index is complete');
    this.isBuilding = isBuilding;
  }
}
