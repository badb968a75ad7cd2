import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { GitError, IncidentFolderError, RecordsFileError } from '@vitrine/collector/server';
import { ConfigError } from '@vitrine/config';
import { withoutCredentials } from '@vitrine/core';

/** The part of a log line about an error. User errors: the message only. Bugs: with the stack. */
export function loggedError(error: unknown): { readonly problem: string } | { readonly err: unknown } {
  return isExpected(error) ? { problem: withoutCredentials(error.message) } : { err: error };
}

const EXPECTED = [ConfigError, GitError, IncidentFolderError, RecordsFileError, StoreFolderError] as const;

/** By name, so that the driver is not loaded where there is no database. */
const MONGO_STORE_ERROR = 'MongoStoreError';

function isExpected(error: unknown): error is Error {
  return error instanceof Error && (EXPECTED.some((type) => error instanceof type) || error.name === MONGO_STORE_ERROR);
}
