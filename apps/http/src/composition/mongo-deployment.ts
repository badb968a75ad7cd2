import {
  connectMongo,
  leaseHolder,
  missingIndexes,
  MongoStoreError,
  openMongoStore,
  toMongoStoreError,
  type MongoConnection,
} from '@vitrine/adapters-mongo';
import type { MongoStoreConfig } from '@vitrine/collector';
import type { Clock, RecordStore } from '@vitrine/core';
import type { Logger } from 'pino';
import type { StoreHealth } from '../http/store-health.js';
import { CollectingInTurn, type Collecting } from './collecting-in-turn.js';
import { ConnectionLog } from './connection-log.js';
import { LoggingQuarantineMonitor } from './logging-quarantine-monitor.js';
import { unusable } from './start-error.js';
import { clockLog } from './store-log.js';

/** A database that other processes may write to as well. */
export interface SharedDatabase extends Pick<MongoConnection, 'db' | 'connected'> {
  /** For people. */
  readonly hosts: string;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
}

/** What a server does with a database beside reading and writing. */
export interface DatabaseTasks {
  /** Collects while it is this process's turn to write. */
  readonly collectInTurn: (begin: () => Collecting, pid: number, print: (line: string) => void) => Collecting;
  /** Says once, when the database is there, which indexes it lacks. Never rejects. */
  readonly reportMissingIndexes: () => Promise<void>;
}

interface OpenedMongo {
  readonly store: RecordStore;
  readonly health: StoreHealth;
  readonly database: DatabaseTasks;
  /** As many requests as it has connections may ask it at a time. */
  readonly storeSlots: number | undefined;
  readonly close: () => Promise<void>;
}

const UNLIMITED = 0;

/** Begins to connect, and goes on until the database is there. Throws a `StartError` when the connection string cannot be used. */
export function openMongo({ uri, hosts, retentionMs }: MongoStoreConfig, clock: Clock, logger: Logger): OpenedMongo {
  const connection = connect(uri, new ConnectionLog(hosts, clock, logger));
  const { maxPoolSize } = connection.db.client.options;
  const database: SharedDatabase = { db: connection.db, connected: connection.connected, hosts, retentionMs };
  const monitor = new LoggingQuarantineMonitor(clock, logger);
  const store = openMongoStore(connection.db, { clock, retentionMs, monitor, onClockDoubt: clockLog(logger) });
  return {
    store,
    health: connection,
    database: {
      collectInTurn: (begin, pid, print) => new CollectingInTurn({ database, holder: leaseHolder(pid), begin, logger, print }),
      reportMissingIndexes: () => reportMissingIndexes(database, logger),
    },
    storeSlots: maxPoolSize === UNLIMITED ? undefined : maxPoolSize,
    close: async () => {
      await store.close();
      await connection.close();
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
      logger.warn({ missing }, 'the database lacks indexes, so lists may be slow; create them with: npm run vitrine -- store init');
  } catch (error) {
    const problem = toMongoStoreError(error, hosts)?.message;
    if (problem !== undefined) logger.warn({ problem }, 'the indexes could not be looked at');
  }
}
