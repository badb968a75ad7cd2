import {
  connectMongo,
  createMongoReaders,
  createMongoWriters,
  leaseHolder,
  missingIndexes,
  MongoStoreError,
  toMongoStoreError,
  type MongoConnection,
  type MongoWriters,
} from '@vitrine/adapters-mongo';
import type { MongoStoreConfig } from '@vitrine/config';
import type { Clock, CollectionReader, RecordWriter, StoreReaders } from '@vitrine/core';
import type { Logger } from 'pino';
import type { StoreHealth } from '../resilience/store-health.js';
import { CollectingInTurn, type Collecting, type SharedDatabase } from './collecting-in-turn.js';
import { ConnectionLog } from './connection-log.js';
import { LoggingQuarantineMonitor } from './logging-quarantine-monitor.js';
import { unusable } from './start-error.js';
import { clockLog, mergeLog } from './store-log.js';

/** Where what is collected goes. */
export interface CollectedInto {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
}

/** What a server does with its store beside reading. */
export interface StoreTasks {
  /** Whether other processes may write to the store too. */
  readonly isShared: boolean;
  /** Collects while it is this process's turn to write: at once where no other process can. */
  readonly collectInTurn: (begin: (into: CollectedInto) => Collecting, pid: number, print: (line: string) => void) => Collecting;
  /** Says once, when a database is there, which indexes it lacks. Never rejects. */
  readonly reportMissingIndexes: () => Promise<void>;
}

interface OpenedMongo {
  readonly readers: StoreReaders;
  /** Other processes may write too, and what they write is not known. */
  readonly changes: undefined;
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
  const database: SharedDatabase = { db: connection.db, connected: connection.connected, hosts, retentionMs };
  const monitor = new LoggingQuarantineMonitor(clock, logger);
  const options = { clock, retentionMs, monitor, onClockDoubt: clockLog(logger) };
  return {
    readers: createMongoReaders(connection.db, options),
    changes: undefined,
    health: connection,
    tasks: {
      isShared: true,
      collectInTurn: (begin, pid, print) =>
        new CollectingInTurn({
          database,
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

async function reportMissingIndexes({ db, connected, hosts }: SharedDatabase, logger: Logger): Promise<void> {
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
