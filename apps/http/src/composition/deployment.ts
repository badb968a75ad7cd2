import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import {
  CurrentApproval,
  loadDemo,
  NOTHING_STORED,
  watchApprovals,
  watchConfiguration,
  type Candidates,
  type CollectedNow,
  type StoredNow,
} from '@vitrine/collector';
import { ConfigError, loadConfig, readConfig, type Config, type MongoStoreConfig, type Environment } from '@vitrine/config';
import {
  Allowlist,
  type AllowlistEntry,
  type Clock,
  type RecordWriter,
  type StoreChanges,
  type StoredRecord,
  type StoreReaders,
} from '@vitrine/core';
import type { Logger } from 'pino';
import type { ApprovedSource } from '../http/approved-source.js';
import type { StoreHealth } from '../resilience/store-health.js';
import { openEmbedded, partsOf } from './embedded-deployment.js';
import { loggedError } from './logged-error.js';
import { unusable } from './start-error.js';
import type { StoreTasks } from './store-tasks.js';
import { monotonicClock } from './system-clock.js';

/** What is served: the configuration, and the store behind it. */
export interface Deployment {
  readonly config: Config;
  readonly readers: StoreReaders;
  /** What this process writes; absent if the store does not tell. */
  readonly changes?: StoreChanges | undefined;
  /** Whether another process has written since the last call; absent if the store does not know. */
  readonly changedElsewhere?: (() => boolean) | undefined;
  readonly health: StoreHealth;
  readonly tasks: StoreTasks;
  /** Requests that may ask the store at a time, where the store has an opinion. */
  readonly storeSlots?: number | undefined;
  readonly approved: ApprovedSource & { /** What would be approved if nothing was hidden. */ readonly candidates: () => Candidates };
  readonly collected: CollectedNow;
  /** What the store says about approved repositories. */
  readonly stored: StoredNow & { /** Resolves when the first read has succeeded. */ readonly known: Promise<void> };
  /** Begins to watch what may change. */
  readonly watch: () => void;
  readonly close: () => Promise<void>;
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
  // Before the store, which can take minutes to open: the list is as old as the configuration.
  const { approved: list, collected } = watchConfiguration(config, { env, clock: monotonicClock, log: logger });
  const { close, ...parts } =
    config.store.kind === 'mongodb' ? await openDatabase(config.store, clock, logger) : await openEmbedded(config.store, clock, logger);
  const stored = watchApprovals({ reader: parts.readers.configurations, approvals: () => list.current(), log: logger, factsOf: loggedError });
  // A folder is there, and a database may come later.
  if (config.store.kind === 'embedded') await stored.poll();
  return {
    ...parts,
    config,
    health: healthOnceKnown(parts.health, stored),
    approved: new CurrentApproval(() => list.current(), stored.current),
    collected,
    stored,
    watch: () => {
      list.start();
      stored.start();
    },
    close: async () => {
      list.stop();
      stored.stop();
      await close();
    },
  };
}

/** The health of a store that takes requests only when it is known what must be hidden. */
function healthOnceKnown(health: StoreHealth, { current }: StoredNow): StoreHealth {
  return {
    get state() {
      return health.state === 'ready' && current() === null ? 'connecting' : health.state;
    },
  };
}

/** Whoever has no database does not wait for its driver to load. */
async function openDatabase(config: MongoStoreConfig, clock: Clock, logger: Logger) {
  const { openMongo } = await import('./mongo-deployment.js');
  return openMongo(config, clock, logger);
}

const DEMO_FILE = fileURLToPath(new URL('../../../../examples/demo.ndjson', import.meta.url));
const BATCH = 1_000;

/** A store in temporary files that holds the records of the demonstration, as if they had been collected just now. */
export async function openDemo(config: Config, clock: Clock, logger: Logger): Promise<Deployment> {
  await readFile(DEMO_FILE).catch(() => {
    throw unusable(`${DEMO_FILE} is not there; --demo needs it`);
  });
  const demo = await loadDemo(DEMO_FILE, clock.now());
  const store = await openSqliteStore({ clock, path: null });
  await fill(store.writer, demo.records);
  return {
    ...partsOf(store, logger),
    config,
    approved: fixedAllowlist(demo.approved),
    collected: { current: () => config, onChange: () => undefined },
    stored: { current: () => NOTHING_STORED, known: Promise.resolve(), onChange: () => undefined },
    watch: () => undefined,
  };
}

async function fill(writer: RecordWriter, records: readonly StoredRecord[]): Promise<void> {
  const { signal } = new AbortController();
  for (let at = 0; at < records.length; at += BATCH) await writer.put(records.slice(at, at + BATCH), { signal });
}

/** An allowlist that never changes. */
function fixedAllowlist(entries: readonly AllowlistEntry[]): Deployment['approved'] {
  const approved = new Allowlist(entries).approved();
  return { current: () => approved, candidates: () => approved };
}
