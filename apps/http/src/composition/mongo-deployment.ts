import { createMongoReaders, missingIndexes, toMongoStoreError, type MongoConnection } from '@vitrine/adapters-mongo';
import type { MongoStoreConfig } from '@vitrine/config';
import type { Clock } from '@vitrine/core';
import type { Logger } from 'pino';
import { connectLogged } from './connect-logged.js';
import { LoggingQuarantineMonitor } from './logging-quarantine-monitor.js';
import type { OpenedStore } from './opened-store.js';

const UNLIMITED = 0;

/** Begins to connect, and goes on until the database is there. Throws a `StartError` when the connection string cannot be used. */
export function openMongo({ uri, hosts, retentionMs }: MongoStoreConfig, clock: Clock, logger: Logger): OpenedStore {
  const connection = connectLogged(uri, hosts, logger);
  const { maxPoolSize } = connection.db.client.options;
  const readers = createMongoReaders(connection.db, { clock, retentionMs, monitor: new LoggingQuarantineMonitor(clock, logger) });
  return {
    readers,
    health: connection,
    folder: null,
    storeSlots: maxPoolSize === UNLIMITED ? undefined : maxPoolSize,
    reportMissingIndexes: () => reportMissingIndexes(connection, hosts, logger),
    close: () => connection.close(),
  };
}

async function reportMissingIndexes({ db, connected }: MongoConnection, hosts: string, logger: Logger): Promise<void> {
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
