import { UnavailableError } from '@vitrine/core';

/** What the driver throws when SQLite reports an error. */
export interface SqliteError extends Error {
  /** The name of SQLite's result code, such as `SQLITE_CORRUPT`. */
  readonly code: string;
}

/** Whether the error comes from SQLite. A failure to open the file has no code; the driver writes SQLite's number into its message. */
export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && (codeOf(error)?.startsWith('SQLITE_') === true || error.message.startsWith('ConnectionFailed('));
}

/** The name of SQLite's result code; `SQLITE_CANTOPEN` for a file that could not be opened; `null` for another error. */
export function sqliteCodeOf(error: unknown): string | null {
  if (!isSqliteError(error)) return null;
  return codeOf(error) ?? 'SQLITE_CANTOPEN';
}

/** Runs a read. Throws an `UnavailableError` if SQLite cannot answer. */
export function readFrom<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    const unavailable = new UnavailableError('The store cannot be read.');
    unavailable.cause = error;
    throw unavailable;
  }
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
