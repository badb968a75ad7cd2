import { MongoStoreError } from '@vitrine/adapters-mongo';
import { ConfigError, GitError, RecordsFileError } from '@vitrine/collector';

/** What a log line holds about an error: what a person can put right needs its sentence alone, everything else its whole trace. */
export function loggedError(error: unknown): { readonly problem: string } | { readonly err: unknown } {
  return isExpected(error) ? { problem: error.message } : { err: error };
}

function isExpected(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof GitError || error instanceof RecordsFileError || error instanceof MongoStoreError;
}
