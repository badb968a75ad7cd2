import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { LevelRecordLog, openMemoryStore, StoreFolderError, type OpenMemoryStore } from '@vitrine/adapters-memory';
import { loadDemo } from '@vitrine/collector';
import { ConfigError, loadConfig, readConfig, type Config, type EmbeddedStoreConfig, type MongoStoreConfig, type Environment } from '@vitrine/config';
import { Allowlist, type AllowlistEntry, type Clock, type RecordStore, type StoreChanges, type StoredRecord, type StoreReaders } from '@vitrine/core';
import type { Logger } from 'pino';
import type { ApprovedSource } from '../http/approved-source.js';
import type { StoreHealth } from '../resilience/store-health.js';
import { allowlistFile, configReader } from './configuration-file.js';
import { LoggingQuarantineMonitor } from './logging-quarantine-monitor.js';
import type { StoreTasks } from './mongo-deployment.js';
import { unobtainable, unusable } from './start-error.js';
import { clockLog, writableLog } from './store-log.js';
import { monotonicClock } from './system-clock.js';
import { WatchedAllowlist } from './watched-allowlist.js';
import { WatchedSources, type CollectedNow } from './watched-sources.js';

/** What is served: the configuration, and the store behind it. */
export interface Deployment {
  readonly config: Config;
  readonly readers: StoreReaders;
  /** Only a store that no other process writes to tells all of them. */
  readonly changes?: StoreChanges | undefined;
  readonly health: StoreHealth;
  readonly tasks: StoreTasks;
  /** Requests that may ask the store at a time, where the store has an opinion. */
  readonly storeSlots?: number | undefined;
  readonly approved: ApprovedSource;
  readonly collected: CollectedNow;
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
    loadConfig({ text: 'approved: [acme/widget]\nstore: { path: null }\n', file: 'the demonstration', env: { ...env, MONGODB_URI: '' } }),
  );
}

async function readable(load: () => Config | Promise<Config>): Promise<Config> {
  try {
    return await load();
  } catch (error) {
    throw error instanceof ConfigError ? unusable(...error.problems) : error;
  }
}

/** What the process is and was given. */
export interface OwnProcess {
  /** The process id. If another process finds the folder in use, its message contains this id. */
  readonly pid: number;
  readonly env: Environment;
}

/**
 * Opens the store of a configuration; a database may come later. Throws a `StartError` when a folder or a connection string cannot be used.
 */
export async function openDeployment(config: Config, clock: Clock, logger: Logger, { pid, env }: OwnProcess): Promise<Deployment> {
  const { file } = config;
  const collected = new WatchedSources(config, configReader(file, env), logger);
  // Before the store, which can take minutes to open: the list is as old as the configuration.
  const approved = new WatchedAllowlist(config.approved, allowlistFile(file, collected.take), monotonicClock, logger);
  const { readers, changes, health, tasks, storeSlots, close } =
    config.store.kind === 'mongodb'
      ? await openDatabase(config.store, clock, logger)
      : await openEmbedded({ store: config.store, approved: config.approved }, `${hostname()}, process ${String(pid)}`, clock, logger);
  return {
    config,
    readers,
    changes,
    health,
    tasks,
    storeSlots,
    approved,
    collected,
    watch: () => {
      approved.start();
    },
    close: async () => {
      approved.stop();
      await close();
    },
  };
}

/** Whoever has no database does not wait for its driver to load. */
async function openDatabase(config: MongoStoreConfig, clock: Clock, logger: Logger) {
  const { openMongo } = await import('./mongo-deployment.js');
  return openMongo(config, clock, logger);
}

interface EmbeddedConfig extends Pick<Config, 'approved'> {
  readonly store: EmbeddedStoreConfig;
}

async function openEmbedded({ store: { path, retentionMs }, ...config }: EmbeddedConfig, holder: string, clock: Clock, logger: Logger) {
  try {
    const approved = new Allowlist(config.approved).approved();
    const log = path === null ? {} : { log: await LevelRecordLog.open(path, holder) };
    const onListenerError = (err: unknown): void => {
      logger.error({ err }, 'a write was stored, but kept answers may not show it for up to 300 s');
    };
    const heard = {
      monitor: new LoggingQuarantineMonitor(clock, logger),
      onWritable: writableLog(logger),
      onClockDoubt: clockLog(logger),
      onListenerError,
    };
    const store = await openMemoryStore({ clock, retentionMs, approved, ...heard, ...log });
    return {
      readers: store.readers,
      changes: store.changes,
      health: store,
      tasks: aloneWith(store),
      storeSlots: undefined,
      close: () => store.close(),
    };
  } catch (error) {
    throw error instanceof StoreFolderError ? unobtainable(error.message) : error;
  }
}

function aloneWith(store: RecordStore): StoreTasks {
  return { isShared: false, collectInTurn: (begin) => begin(store), reportMissingIndexes: () => Promise.resolve() };
}

const DEMO_FILE = fileURLToPath(new URL('../../../../examples/demo.ndjson', import.meta.url));
const BATCH = 1_000;

/** A store in memory that holds the records of the demonstration, as if they had been collected just now. */
export async function openDemo(config: Config, clock: Clock): Promise<Deployment> {
  await readFile(DEMO_FILE).catch(() => {
    throw unusable(`${DEMO_FILE} is not there; --demo needs it`);
  });
  const demo = await loadDemo(DEMO_FILE, clock.now());
  const store = await openMemoryStore({ clock });
  await fill(store, demo.records);
  return {
    config,
    readers: store.readers,
    changes: store.changes,
    health: store,
    tasks: aloneWith(store),
    approved: fixedAllowlist(demo.approved),
    collected: { current: () => config, onChange: () => undefined },
    watch: () => undefined,
    close: () => store.close(),
  };
}

async function fill(store: OpenMemoryStore, records: readonly StoredRecord[]): Promise<void> {
  const { signal } = new AbortController();
  for (let at = 0; at < records.length; at += BATCH) await store.writer.put(records.slice(at, at + BATCH), { signal });
  await store.searchReady;
}

/** An allowlist that never changes. */
function fixedAllowlist(entries: readonly AllowlistEntry[]): ApprovedSource {
  const approved = new Allowlist(entries).approved();
  return { current: () => approved };
}
