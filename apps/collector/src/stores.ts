import {
  requireStore,
  COLLECTOR,
  LeaseInUseError,
  openSqliteStore,
  StoreFolderError,
  type StoreCheck,
  type Lease,
  type OpenSqliteStore,
} from '@vitrine/adapters-sqlite';
import type { Config, EmbeddedStoreConfig, MongoStoreConfig } from '@vitrine/config';
import { HOUR, SECOND, type StoreReaders, type CollectionReader, type ConfigurationReader, type RecordWriter, type ClockDoubt } from '@vitrine/core';
import type { MongoStoreError } from '@vitrine/adapters-mongo';
import type { CommandContext, StoreContext } from './context.js';

type Use<Result> = (store: OpenedStore) => Promise<Result>;

/** What opens a database. It is loaded only where it is needed: a quick command takes a tenth longer with the driver of MongoDB. */
const databases = () => import('./databases.js');

/** Opens the configured store for reading, and creates nothing. Rejects with a `StoreFolderError` or a `DatabaseError` if it cannot be opened. */
export async function readingStore<Result>({ store }: Config, context: StoreContext, use: Use<Result>): Promise<Result> {
  const { signal } = context;
  if (store.kind === 'embedded') {
    if (store.path !== null) await requireStore(store.path);
    return withFolder(store, context, ({ writer, collection, readers: { configurations } }) => use({ writer, collection, configurations, signal }));
  }
  return (await databases()).withReadDatabase(store, context, use);
}

/** Reads everything in the configured store, also while others use it. Rejects as {@link readingStore} does. */
export async function checkedStore({ store }: Config, context: CommandContext): Promise<StoreCheck> {
  if (store.kind === 'mongodb') return (await databases()).checkedDatabase(store, context);
  if (store.path !== null) await requireStore(store.path);
  return withFolder(store, context, (opened) => opened.check({ signal: context.signal }));
}

/** Opens the configured store for what a server shows of it. Rejects as {@link readingStore} does. */
export async function servedStore<Result>(
  { store }: Config,
  context: CommandContext,
  use: (readers: StoreReaders) => Promise<Result>,
): Promise<Result> {
  if (store.kind === 'mongodb') return (await databases()).withServedDatabase(store, context, use);
  if (store.path !== null) await requireStore(store.path);
  return withFolder(store, context, ({ readers }) => use(readers));
}

/**
 * Opens the configured store for writing. Other processes may write to a folder at the same time. Rejects as {@link readingStore} does, and with a
 * `StoreInUseError` if another process has the lease of a database for longer than the command waits.
 */
export async function writingStore<Result>(config: Config, context: StoreContext, use: Use<Result>): Promise<Result> {
  const { store } = config;
  if (store.kind === 'mongodb') return (await databases()).withLeasedDatabase(store, context, use);
  const { signal } = context;
  return withFolder(store, context, ({ writer, collection, readers: { configurations } }) => use({ writer, collection, configurations, signal }));
}

/** Opens the configured store as the only process that collects. Rejects as {@link writingStore} does, also for a folder. */
export async function collectingStore<Result>({ store }: Config, context: StoreContext, use: Use<Result>): Promise<Result> {
  return store.kind === 'mongodb' ? (await databases()).withLeasedDatabase(store, context, use) : withFolderLease(store, context, use);
}

/** Opens the store of a folder while the call runs. Other processes may use it too. Rejects with a `StoreFolderError` if it cannot be used. */
export async function withFolder<Result>(
  config: EmbeddedStoreConfig,
  context: CommandContext,
  call: (store: OpenSqliteStore) => Promise<Result>,
): Promise<Result> {
  const store = await openSqliteStore({ ...storeOptions(config, context), path: config.path });
  try {
    return await call(store);
  } finally {
    await store.close();
  }
}

/**
 * Waits for the lease and holds it while the call runs. The signal of the call aborts if the lease is lost; then this rejects with a {@link LeaseLostError}.
 * Rejects with a {@link StoreInUseError} if another process holds the lease for longer than the command waits.
 */
async function withFolderLease<Result>(
  config: EmbeddedStoreConfig,
  context: StoreContext,
  call: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  return withFolder(config, context, async (store) => {
    const lease = await leaseOf(store, config, context);
    try {
      const signal = AbortSignal.any([context.signal, lease.lost]);
      const result = await call({
        writer: store.writerUnder(lease),
        collection: store.collection,
        configurations: store.readers.configurations,
        signal,
      });
      // A write that has failed because another process has the lease may have been reported as the failure of its source.
      if (!(await lease.isHeld())) throw lossOf(lease);
      return result;
    } catch (error) {
      throw (await lease.isHeld()) ? error : lossOf(lease, { cause: error });
    } finally {
      // If the release fails, the lease expires by itself.
      await lease.release().catch(() => undefined);
    }
  });
}

/** Why the lease is not held any more: another process has it, or the folder was removed. */
function lossOf({ lost: { reason } }: Lease, options: ErrorOptions = {}): Error {
  return reason instanceof StoreFolderError ? reason : new LeaseLostError('data folder', options);
}

async function leaseOf(store: OpenSqliteStore, { path }: EmbeddedStoreConfig, { signal, holder, warn, waitMs }: StoreContext): Promise<Lease> {
  const inUse = { place: `the data folder ${String(path)}`, use: 'collects into', waitMs } as const;
  const onWaiting = (other: string): void => {
    warn(waitingLine({ ...inUse, holder: other }));
  };
  try {
    return await store.acquireLease({ name: COLLECTOR, holder, signal, onWaiting, waitMs });
  } catch (error) {
    throw error instanceof LeaseInUseError ? new StoreInUseError({ ...inUse, holder: error.holder }) : error;
  }
}

/** The store that a command uses while it runs. */
export interface OpenedStore {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly configurations: ConfigurationReader;
  /** Aborts when the command must stop, or has lost the lease. */
  readonly signal: AbortSignal;
}

/** The options that both kinds of stores have. */
export function storeOptions({ retentionMs }: MongoStoreConfig | EmbeddedStoreConfig, { clock, warn }: CommandContext) {
  const onClockDoubt = ({ reason, by }: ClockDoubt): void => {
    // For a command that runs once a week, the clock is always far ahead of the newest stored time.
    if (reason === 'jump')
      warn(`The clock jumped by ${String(Math.round(by / HOUR))} hours; check it. Until it is believed again, no raw checks are deleted.`);
  };
  return { clock, retentionMs, onClockDoubt };
}

export interface StoreInUse {
  /** A name for the store, such as `the data folder /var/lib/vitrine`. */
  readonly place: string;
  /** What the other process does with the store. */
  readonly use: 'uses' | 'collects into';
  /** The process that has the lease. */
  readonly holder: string;
  /** How long the command waits, in milliseconds. */
  readonly waitMs: number;
}

/** How to store records while a process has the lease. */
const ADVICE = {
  uses: 'While a server runs, bring records in through a records source of its configuration.',
  'collects into': 'To store the records of a file now, use vitrine import, which does not have to wait.',
} as const;

/** Another process did not release the store in time. Nothing was changed. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError';

  constructor({ place, use, holder, waitMs }: StoreInUse) {
    super(
      `${holder} ${use} ${place}, and did not end within ${String(waitMs / SECOND)} s. Stop that process, or wait longer, for example with --wait 5m. ${ADVICE[use]}`,
    );
  }
}

/** The line that is printed once, when the command starts to wait. */
export function waitingLine({ place, use, holder, waitMs }: StoreInUse): string {
  return `${holder} ${use} ${place}; waiting for up to ${String(waitMs / SECOND)} s.`;
}

/** This process no longer holds the lease, so another process may write now. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(store: 'database' | 'data folder', options?: ErrorOptions) {
    super(
      `The right to write to this ${store} was lost: it could not be renewed in time, or another process has it. Run the command again.`,
      options,
    );
  }
}

/** The database cannot be used. It stands for the adapter's own error, so that commands without a database need not load the driver to know it. */
export class DatabaseError extends Error {
  readonly problem: MongoStoreError['problem'];

  constructor(cause: MongoStoreError) {
    super(cause.message, { cause });
    this.name = 'DatabaseError';
    this.problem = cause.problem;
  }
}
