import { MongoError, MongoNetworkError } from 'mongodb';

/** The errors of a server after which a read is retried, from the specification "Retryable Reads" of MongoDB's drivers. */
const RETRYABLE_CODES: ReadonlySet<unknown> = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436]);

/**
 * Runs a read, and runs it again if the connection fails or the server stops to be the primary. The driver does this for its own methods, but not for commands. After such an
 * error, the driver selects another server.
 */
export async function retriedOnce<Result>(signal: AbortSignal | undefined, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isRetryable(error)) throw error;
    signal?.throwIfAborted();
    return read();
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof MongoNetworkError || (error instanceof MongoError && RETRYABLE_CODES.has(error.code));
}
