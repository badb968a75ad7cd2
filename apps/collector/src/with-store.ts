import { setTimeout as sleep } from 'node:timers/promises';
import { LevelRecordLog, openMemoryStore, requireStore, StoreFolderError } from '@vitrine/adapters-memory';
import { createMongoWriters, prepareToWrite } from '@vitrine/adapters-mongo';
import type { Config, EmbeddedStoreConfig, MongoStoreConfig } from '@vitrine/config';
import { HOUR, SECOND, type ClockDoubt, type CollectionReader, type RecordWriter } from '@vitrine/core';
import type { CommandContext, StoreContext } from './command-context.js';
import { StoreInUseError, waitingLine } from './store-in-use-error.js';
import { withLease, withMongo } from './with-mongo.js';

export interface OpenedStore {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  /** Aborts when the command must stop, or has lost the lease. */
  readonly signal: AbortSignal;
}

type Use<Result> = (store: OpenedStore) => Promise<Result>;

/** How often to try to open a folder that another process has open. */
const TRIED_EVERY_MS = SECOND / 4;

/**
 * Opens the configured store for reading, and creates nothing. Rejects with a `StoreFolderError` or a `MongoStoreError` if it cannot be opened, and with a
 * {@link StoreInUseError} if another process has the folder open for longer than the command waits.
 */
export async function readingStore<Result>({ store }: Config, context: StoreContext, use: Use<Result>): Promise<Result> {
  if (store.kind === 'embedded') {
    if (store.path !== null) await requireStore(store.path);
    return withFolder(store, context, use);
  }
  return withMongo(store, context, (db) => {
    const { writer, collection } = createMongoWriters(db, optionsOf(store, context));
    return use({ writer, collection, signal: context.signal });
  });
}

/** Opens the configured store as its only writer. Rejects as {@link readingStore} does. */
export async function writingStore<Result>({ store }: Config, context: StoreContext, use: Use<Result>): Promise<Result> {
  if (store.kind === 'embedded') return withFolder(store, context, use);
  return withMongo(store, context, (db) =>
    withLease(db, context, async (signal, lease) => {
      await prepareToWrite(db, store);
      const writers = createMongoWriters(db, { ...optionsOf(store, context), lease, onMergeFailure: mergeWarning(context) });
      try {
        return await use({ writer: writers.writer, collection: writers.collection, signal });
      } finally {
        await writers.settled(signal);
      }
    }),
  );
}

function optionsOf({ retentionMs }: MongoStoreConfig | EmbeddedStoreConfig, { clock, warn }: CommandContext) {
  const onClockDoubt = ({ reason, by }: ClockDoubt): void => {
    // For a command that runs once a week, the clock is always far ahead of the newest stored time.
    if (reason === 'jump')
      warn(`The clock jumped by ${String(Math.round(by / HOUR))} hours; check it. Until it is believed again, no raw checks are deleted.`);
  };
  return { clock, retentionMs, onClockDoubt };
}

function mergeWarning({ warn }: CommandContext): (error: unknown) => void {
  return (error) => {
    warn(
      `Segments of the search index could not be merged; the next run tries again. Reason: ${error instanceof Error ? error.message : String(error)}`,
    );
  };
}

async function withFolder<Result>(config: EmbeddedStoreConfig, context: StoreContext, use: Use<Result>): Promise<Result> {
  const { path } = config;
  const log = path === null ? null : await openedFolder(path, context);
  // No command searches, and the search index takes longer to build than the records take to load.
  const store = await openMemoryStore({ ...optionsOf(config, context), search: false, ...(log !== null && { log }) });
  try {
    return await use({ writer: store.writer, collection: store.collection, signal: context.signal });
  } finally {
    await store.close();
  }
}

async function openedFolder(path: string, { holder, signal, warn, waitMs }: StoreContext): Promise<LevelRecordLog> {
  const startedAt = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await LevelRecordLog.open(path, holder);
    } catch (error) {
      if (!(error instanceof StoreFolderError) || error.problem !== 'in-use') throw error;
      const inUse = { place: `the data folder ${path}`, holder: error.holder, waitMs };
      if (performance.now() - startedAt >= waitMs) throw new StoreInUseError(inUse);
      if (isFirst) warn(waitingLine(inUse));
    }
    await sleep(TRIED_EVERY_MS);
    signal.throwIfAborted();
  }
}
