import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { GitError, RecordsFileError } from '@vitrine/collector';
import { ConfigError } from '@vitrine/config';

/** What a log line holds about an error: what a person can put right needs its sentence alone, everything else its whole trace. */
export function loggedError(error: unknown): { readonly problem: string } | { readonly err: unknown } {
  return isExpected(error) ? { problem: error.message } : { err: error };
}

/** By name, so that the driver is not loaded where there is no database. */
const MONGO_STORE_ERROR = 'MongoStoreError';

function isExpected(error: unknown): error is Error {
  if (error instanceof ConfigError || error instanceof GitError || error instanceof RecordsFileError || error instanceof StoreFolderError)
    return true;
  return error instanceof Error && error.name === MONGO_STORE_ERROR;
}
