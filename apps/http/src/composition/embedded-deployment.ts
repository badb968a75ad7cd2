import { COLLECTOR, openSqliteStore, StoreFolderError, type Lease, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import { leaseHolder } from '@vitrine/collector';
import type { EmbeddedStoreConfig } from '@vitrine/config';
import type { Clock } from '@vitrine/core';
import type { Logger } from 'pino';
import { CollectingInTurn, type SharedStore } from './collecting-in-turn.js';
import { LoggingQuarantineMonitor } from './logging-quarantine-monitor.js';
import { unobtainable } from './start-error.js';
import { clockLog, writableLog } from './store-log.js';
import type { StoreTasks } from './store-tasks.js';

/** Opens the store in a folder, or in temporary files. Other processes may write to it. Throws a `StartError` if the folder cannot be used. */
export async function openEmbedded({ path, retentionMs }: EmbeddedStoreConfig, clock: Clock, logger: Logger) {
  try {
    const store = await openSqliteStore({
      clock,
      path,
      retentionMs,
      monitor: new LoggingQuarantineMonitor(clock, logger),
      onWritable: writableLog(logger),
      onClockDoubt: clockLog(logger),
      onListenerError: (err) => {
        logger.error({ err }, 'a write was stored, but kept answers may not show it for up to 300 s');
      },
    });
    void store.warm();
    return partsOf(store, logger);
  } catch (error) {
    throw error instanceof StoreFolderError ? unobtainable(error.message) : error;
  }
}

/** What a deployment needs of an open store. */
export function partsOf(store: OpenSqliteStore, logger: Logger) {
  return {
    readers: store.readers,
    changes: store.changes,
    changedElsewhere: () => store.changedElsewhere(),
    health: store,
    tasks: tasksOf(store, logger),
    storeSlots: undefined,
    close: () => store.close(),
  };
}

function tasksOf(store: OpenSqliteStore, logger: Logger): StoreTasks {
  return {
    withoutLease: store,
    collectInTurn: (begin, pid, print) =>
      new CollectingInTurn({
        store: sharedFolder(store),
        holder: leaseHolder(pid),
        begin: (lease) => begin({ writer: store.writerUnder(lease), collection: store.collection }),
        logger,
        print,
      }),
    reportMissingIndexes: () => Promise.resolve(),
  };
}

function sharedFolder(store: OpenSqliteStore): SharedStore<Lease> {
  return {
    what: 'data folder',
    acquire: (waiting) => store.acquireLease({ name: COLLECTOR, ...waiting }),
    prepare: () => Promise.resolve(),
    problemOf: (error) => error,
  };
}
