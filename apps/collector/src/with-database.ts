import { createMongoReaders, createMongoWriters, prepareToWrite, type QuarantineMonitor } from '@vitrine/adapters-mongo';
import type { Damage, StoreCheck } from '@vitrine/adapters-sqlite';
import type { MongoStoreConfig } from '@vitrine/config';
import type { StoreReaders } from '@vitrine/core';
import type { CommandContext, StoreContext } from './command-context.js';
import type { OpenedStore } from './opened-store.js';
import { storeOptions } from './store-options.js';
import { withLease, withMongo } from './with-mongo.js';

/** Opens a database for reading. */
export function withReadDatabase<Result>(
  store: MongoStoreConfig,
  context: CommandContext,
  use: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  return withMongo(store, context, (db) => {
    const { writer, collection } = createMongoWriters(db, storeOptions(store, context));
    const { configurations } = createMongoReaders(db, storeOptions(store, context));
    return use({ writer, collection, configurations, signal: context.signal });
  });
}

/** Reads every document of a record and of checks. */
export function checkedDatabase(store: MongoStoreConfig, context: CommandContext): Promise<StoreCheck> {
  return withMongo(store, context, async (db) => {
    const [rows, damages] = [new Map<string, number>(), [] as Damage[]];
    const monitor: QuarantineMonitor = { quarantined: (kind, id, reason) => void damages.push({ kind, id, reason }) };
    const { collection } = createMongoWriters(db, { ...storeOptions(store, context), monitor });
    for await (const { kind } of collection.records({ signal: context.signal })) rows.set(kind, (rows.get(kind) ?? 0) + 1);
    return { rows, damages };
  });
}

/** Opens a database for what a server shows of it. */
export function withServedDatabase<Result>(
  store: MongoStoreConfig,
  context: CommandContext,
  use: (readers: StoreReaders) => Promise<Result>,
): Promise<Result> {
  return withMongo(store, context, (db) => use(createMongoReaders(db, storeOptions(store, context))));
}

/** Opens a database as the only process that writes. */
export function withLeasedDatabase<Result>(
  store: MongoStoreConfig,
  context: StoreContext,
  use: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
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
