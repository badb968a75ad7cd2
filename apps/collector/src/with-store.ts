import { requireStore } from '@vitrine/adapters-sqlite';
import { createMongoReaders, createMongoWriters, prepareToWrite } from '@vitrine/adapters-mongo';
import type { Config, MongoStoreConfig } from '@vitrine/config';
import type { StoreReaders } from '@vitrine/core';
import type { CommandContext, StoreContext } from './command-context.js';
import type { OpenedStore } from './opened-store.js';
import { storeOptions } from './store-options.js';
import { withFolder, withFolderLease } from './with-folder.js';
import { withLease, withMongo } from './with-mongo.js';

type Use<Result> = (store: OpenedStore) => Promise<Result>;

/** Opens the configured store for reading, and creates nothing. Rejects with a `StoreFolderError` or a `MongoStoreError` if it cannot be opened. */
export async function readingStore<Result>({ store }: Config, context: StoreContext, use: Use<Result>): Promise<Result> {
  const { signal } = context;
  if (store.kind === 'embedded') {
    if (store.path !== null) await requireStore(store.path);
    return withFolder(store, context, ({ writer, collection, readers: { configurations } }) => use({ writer, collection, configurations, signal }));
  }
  return withMongo(store, context, (db) => {
    const { writer, collection } = createMongoWriters(db, storeOptions(store, context));
    const { configurations } = createMongoReaders(db, storeOptions(store, context));
    return use({ writer, collection, configurations, signal });
  });
}

/** Opens the configured store for what a server shows of it. Rejects as {@link readingStore} does. */
export async function servedStore<Result>(
  { store }: Config,
  context: CommandContext,
  use: (readers: StoreReaders) => Promise<Result>,
): Promise<Result> {
  if (store.kind === 'mongodb') return withMongo(store, context, (db) => use(createMongoReaders(db, storeOptions(store, context))));
  if (store.path !== null) await requireStore(store.path);
  return withFolder(store, context, ({ readers }) => use(readers));
}

/**
 * Opens the configured store for writing. Other processes may write to a folder at the same time. Rejects as {@link readingStore} does, and with a
 * `StoreInUseError` if another process has the lease of a database for longer than the command waits.
 */
export async function writingStore<Result>(config: Config, context: StoreContext, use: Use<Result>): Promise<Result> {
  const { store } = config;
  if (store.kind === 'mongodb') return withLeasedMongo(store, context, use);
  const { signal } = context;
  return withFolder(store, context, ({ writer, collection, readers: { configurations } }) => use({ writer, collection, configurations, signal }));
}

/** Opens the configured store as the only process that collects. Rejects as {@link writingStore} does, also for a folder. */
export async function collectingStore<Result>({ store }: Config, context: StoreContext, use: Use<Result>): Promise<Result> {
  return store.kind === 'mongodb' ? withLeasedMongo(store, context, use) : withFolderLease(store, context, use);
}

function withLeasedMongo<Result>(store: MongoStoreConfig, context: StoreContext, use: Use<Result>): Promise<Result> {
  return withMongo(store, context, (db) =>
    withLease(db, context, async (signal, lease) => {
      await prepareToWrite(db, store);
      const writers = createMongoWriters(db, { ...storeOptions(store, context), lease, onMergeFailure: mergeWarning(context) });
      try {
        const { configurations } = createMongoReaders(db, storeOptions(store, context));
        return await use({ writer: writers.writer, collection: writers.collection, configurations, signal });
      } finally {
        await writers.settled(signal);
      }
    }),
  );
}

function mergeWarning({ warn }: StoreContext): (error: unknown) => void {
  return (error) => {
    warn(
      `Segments of the search index could not be merged; the next run tries again. Reason: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
}
