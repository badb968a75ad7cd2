import { requireStore, type StoreCheck } from '@vitrine/adapters-sqlite';
import type { Config } from '@vitrine/config';
import type { StoreReaders } from '@vitrine/core';
import type { CommandContext, StoreContext } from './command-context.js';
import type { OpenedStore } from './opened-store.js';
import { withFolder, withFolderLease } from './with-folder.js';

type Use<Result> = (store: OpenedStore) => Promise<Result>;

/** What opens a database. It is loaded only where it is needed: a quick command takes a tenth longer with the driver of MongoDB. */
const databases = () => import('./with-database.js');

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
