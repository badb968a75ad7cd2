import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The address of a MongoDB store. */
export interface MongoAddress {
  readonly uri: string;
  /** Its hosts, for messages. */
  readonly hosts: string;
}

/** The value and key that select this store in the configuration file. */
export const MONGODB = 'mongodb';

export const MONGO_RULE = 'one such as mongodb://host:27017/vitrine or mongodb+srv://host/vitrine, with special characters of a password as %40';

/** Parses a connection string; `null` if it is invalid. The driver validates its options later. */
export function parseMongoAddress(uri: unknown): MongoAddress | null {
  if (typeof uri !== 'string' || /[\s\p{Cc}]/u.test(uri)) return null;
  try {
    // Loaded only if a database is configured: loading its character tables takes 5 % of the start time.
    const { ConnectionString } = require('mongodb-connection-string-url') as typeof import('mongodb-connection-string-url');
    const { hosts } = new ConnectionString(uri);
    return hosts.every((host) => host !== '') ? { uri, hosts: hosts.join(',') } : null;
  } catch {
    return null;
  }
}
