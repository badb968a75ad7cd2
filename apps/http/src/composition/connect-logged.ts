import { connectMongo, MongoStoreError, type MongoConnection } from '@vitrine/adapters-mongo';
import type { Logger } from 'pino';
import { ConnectionLog } from './connection-log.js';
import { unusable } from './start-error.js';

/** Begins to connect, goes on until the database is there, and logs both. Throws a `StartError` when the connection string cannot be used. */
export function connectLogged(uri: string, hosts: string, logger: Logger): MongoConnection {
  const log = new ConnectionLog(hosts, logger);
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
