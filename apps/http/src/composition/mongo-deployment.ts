import {
  acquireLease,
  connectMongo,
  createMongoReaders,
  createMongoWriters,
  missingIndexes,
  MongoStoreError,
  prepareToWrite,
  toMongoStoreError,
  WRITER,
  type Lease,
  type MongoConnection,
  type MongoWriters,
} from '@vitrine/adapters-mongo';
import { leaseHolder } from '@vitrine/collector';
import type { MongoStoreConfig } from '@vitrine/config';
import type { Clock, StoreReaders } from '@vitrine/core';
import type { Logger } from 'pino';
import type { StoreHealth } from '../resilience/store-health.js';
import { CollectingInTurn, unlessAborted, type Collecting, type SharedStore } from './collecting-in-turn.js';
import { ConnectionLog } from './connection-log.js';
import { LoggingQuarantineMonitor } from './logging-quarantine-monitor.js';
import { unusable } from './start-error.js';
import { clockLog, mergeLog } from './store-log.js';
import type { StoreTasks } from './store-tasks.js';

/** A database, and how it is prepared. */
interface Database extends Pick<MongoConnection, 'db' | 'connected'> {
  /** For people. */
  readonly hosts: string;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
}

interface OpenedMongo {
  readonly readers: StoreReaders;
  /** Other processes may write too, and what they write is not known. */
  readonly changes: undefined;
  readonly changedElsewhere: undefined;
  readonly health: StoreHealth;
  readonly tasks: StoreTasks;
  /** As many requests as it has connections may ask it at a time. */
  readonly storeSlots: number | undefined;
  readonly close: () => Promise<void>;
}

const UNLIMITED = 0;

/** Begins to connect, and goes on until the database is there. Throws a `StartError` when the connection string cannot be used. */
export function openMongo({ uri, hosts, retentionMs }: MongoStoreConfig, clock: Clock, logger: Logger): OpenedMongo {
  const connection = connect(uri, new ConnectionLog(hosts, logger));
  const { maxPoolSize } = connection.db.client.options;
  const database: Database = { db: connection.db, connected: connection.connected, hosts, retentionMs };
  const monitor = new LoggingQuarantineMonitor(clock, logger);
  const options = { clock, retentionMs, monitor, onClockDoubt: clockLog(logger) };
  const readers = createMongoReaders(connection.db, options);
  void connection.connected.then(
    () => readers.warm(),
    () => undefined,
  );
  return {
    readers,
    changes: undefined,
    changedElsewhere: undefined,
    health: connection,
    tasks: {
      withoutLease: null,
      collectInTurn: (begin, pid, print) =>
        new CollectingInTurn({
          store: sharedDatabase(database),
          holder: leaseHolder(pid),
          begin: (lease) => {
            // Of each turn its own: what another process did in between is not known to the writers of the turn before.
            const writers = createMongoWriters(connection.db, { ...options, lease, onMergeFailure: mergeLog(logger) });
            return stoppedWhenWritten(begin(writers), writers);
          },
          logger,
          print,
        }),
      reportMissingIndexes: () => reportMissingIndexes(database, logger),
    },
    storeSlots: maxPoolSize === UNLIMITED ? undefined : maxPoolSize,
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

function connect(uri: string, log: ConnectionLog): MongoConnection {
  try {
    const connection = connectMongo({
      uri,
      onFailure: (error) => {
        log.failed(error);
      },
    });
    connection.connected.then(
      () => {
        log.connected();
      },
      // It was closed before.
      () => undefined,
    );
    return connection;
  } catch (error) {
    throw error instanceof MongoStoreError ? unusable(error.message) : error;
  }
}

async function reportMissingIndexes({ db, connected, hosts }: Database, logger: Logger): Promise<void> {
  try {
    await connected;
    const missing = await missingIndexes(db);
    if (missing.length > 0)
      logger.warn(
        { missing },
        'the database lacks indexes, so the lists that need them fail with 503; create them with: npm run vitrine -- store init',
      );
  } catch (error) {
    const problem = toMongoStoreError(error, hosts)?.message;
    if (problem !== undefined) logger.warn({ problem }, 'the indexes could not be looked at');
  }
}
