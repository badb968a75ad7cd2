import {
  acquireLease,
  createMongoReaders,
  createMongoWriters,
  prepareToWrite,
  toMongoStoreError,
  WRITER,
  type Lease,
  type MongoConnection,
  type MongoWriters,
} from '@vitrine/adapters-mongo';
import type { MongoStoreConfig } from '@vitrine/config';
import { connectLogged } from '../connect-logged.js';
import { LoggingQuarantineMonitor } from '../logging-quarantine-monitor.js';
import { clockLog, mergeLog } from '../store-log.js';
import { systemClock } from '../system-clock.js';
import type { CollectedStore, StoreReports } from './collected-store.js';
import { CollectingInTurn, unlessAborted, type Collecting, type SharedStore } from './collecting-in-turn.js';

/** A database, and how it is prepared. */
interface Database extends Pick<MongoConnection, 'db' | 'connected'> {
  /** For people. */
  readonly hosts: string;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
}

/** Begins to connect, and goes on until the database is there. */
export function openCollectedDatabase(
  { uri, hosts, retentionMs }: MongoStoreConfig,
  holder: string,
  { logger, print }: StoreReports,
): CollectedStore {
  const connection = connectLogged(uri, hosts, logger);
  const { db, connected } = connection;
  const monitor = new LoggingQuarantineMonitor(systemClock, logger);
  const options = { clock: systemClock, retentionMs, monitor, onClockDoubt: clockLog(logger) };
  return {
    configurations: createMongoReaders(db, options).configurations,
    withoutLease: null,
    collectInTurn: (begin) =>
      new CollectingInTurn({
        store: sharedDatabase({ db, connected, hosts, retentionMs }),
        holder,
        begin: (lease) => {
          // Each turn has new writers: those of an earlier turn do not know the writes of other processes in between.
          const writers = createMongoWriters(db, { ...options, lease, onMergeFailure: mergeLog(logger) });
          return stoppedWhenWritten(begin(writers), writers);
        },
        logger,
        print,
      }),
    close: () => connection.close(),
  };
}

/** A database into which one process collects at a time. */
export function sharedDatabase(database: Database): SharedStore<Lease> {
  const { db, connected, hosts } = database;
  return {
    what: 'database',
    acquire: async (waiting) => {
      await unlessAborted(connected, waiting.signal);
      return acquireLease(db, { name: WRITER, ...waiting });
    },
    prepare: () => prepareToWrite(db, database),
    problemOf: (error) => toMongoStoreError(error, hosts) ?? error,
  };
}

function stoppedWhenWritten(collecting: Collecting, writers: MongoWriters): Collecting {
  return {
    stop: async () => {
      await collecting.stop();
      // A merge of search segments may take long. The next process that writes does it.
      await writers.settled(AbortSignal.abort());
    },
  };
}
