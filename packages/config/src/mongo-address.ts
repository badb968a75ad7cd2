import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Where a MongoDB store is. */
export interface MongoAddress {
  readonly uri: string;
  /** Its hosts, for people. */
  readonly hosts: string;
}

/** The store's name in the file. */
export const MONGODB = 'mongodb';

export const MONGO_RULE = 'one such as mongodb://host:27017/vitrine or mongodb+srv://host/vitrine, with special characters of a password as %40';

/** The address that a connection string names; `null` when it is none. Options are the driver's to judge. */
export function parseMongoAddress(uri: unknown): MongoAddress | null {
  if (typeof uri !== 'string' || /[\s\p{Cc}]/u.test(uri)) return null;
  try {
    // Loaded by those who name a database: its tables of characters would take a twentieth of every start.
    const { ConnectionString } = require('mongodb-connection-string-url') as typeof import('mongodb-connection-string-url');
    const { hosts } = new ConnectionString(uri);
    return hosts.every((host) => host !== '') ? { uri, hosts: hosts.join(',') } : null;
  } catch {
    return null;
  }
}
