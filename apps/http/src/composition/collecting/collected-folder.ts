import { COLLECTOR, openSqliteStore, type Lease, type OpenSqliteStore } from '@vitrine/adapters-sqlite';
import type { EmbeddedStoreConfig } from '@vitrine/config';
import { LoggingQuarantineMonitor } from '../logging-quarantine-monitor.js';
import { systemClock } from '../system-clock.js';
import { clockLog, writableLog } from '../store-log.js';
import type { CollectedStore, StoreReports } from './collected-store.js';
import { CollectingInTurn, type SharedStore } from './collecting-in-turn.js';

/** Opens the store of a folder for a collector. Rejects if the folder has none. */
export async function openCollectedFolder(
  { path, retentionMs }: EmbeddedStoreConfig,
  holder: string,
  { logger, print, onWritable }: StoreReports,
): Promise<CollectedStore> {
  const tell = writableLog(logger);
  const store = await openSqliteStore({
    clock: systemClock,
    path,
    // The server has created it. If it is gone now, a new one would be a second store beside the one that is served.
    mustExist: true,
    retentionMs,
    monitor: new LoggingQuarantineMonitor(systemClock, logger),
    onWritable: (isWritable, error) => {
      tell(isWritable, error);
      onWritable(isWritable);
    },
    onClockDoubt: clockLog(logger),
  });
  const { collection } = store;
  return {
    configurations: store.readers.configurations,
    withoutLease: store,
    collectInTurn: (begin) =>
      new CollectingInTurn({
        store: sharedFolder(store),
        holder,
        begin: (lease) => begin({ writer: store.writerUnder(lease), collection }),
        logger,
        print,
      }),
    close: () => store.close(),
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
