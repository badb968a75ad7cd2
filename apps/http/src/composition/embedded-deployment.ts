import { openSqliteStore, StoreFolderError, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import type { EmbeddedStoreConfig } from '@vitrine/config';
import type { Clock } from '@vitrine/core';
import type { Logger } from 'pino';
import { LoggingQuarantineMonitor } from './logging-quarantine-monitor.js';
import type { OpenedStore } from './opened-store.js';
import { unobtainable } from './start-error.js';
import { writableLog } from './store-log.js';

/** Opens the store in a folder, or in temporary files, and brings it to the present format. Throws a `StartError` if the folder cannot be used. */
export async function openEmbedded({ path, retentionMs }: EmbeddedStoreConfig, clock: Clock, logger: Logger): Promise<OpenedStore> {
  try {
    const monitor = new LoggingQuarantineMonitor(clock, logger);
    const store = await openSqliteStore({ clock, path, retentionMs, monitor, onWritable: writableLog(logger) });
    return partsOf(store);
  } catch (error) {
    throw error instanceof StoreFolderError ? unobtainable(error.message) : error;
  }
}

/** What a server needs of an open store. */
export function partsOf(store: OpenSqliteStore): OpenedStore {
  return {
    readers: store.readers,
    changeFeed: store.changeFeed,
    health: store,
    folder: store.folder,
    reportMissingIndexes: () => Promise.resolve(),
    close: () => store.close(),
  };
}
