import { UnavailableError, type ReadContext } from '@vitrine/core';
import { MongoError } from 'mongodb';

/** What every operation is given. */
export interface OperationOptions {
  readonly signal: AbortSignal;
  /** The server ends the operation by itself when nobody can tell it to. */
  readonly maxTimeMS: number;
}

export const DEFAULT_MAX_TIME_MS = 1_500;

/** Runs an operation. Rejects with the signal's reason when it aborts, and with an `UnavailableError` when the store cannot be read. */
export async function readFrom<Result>(
  { signal }: ReadContext,
  maxTimeMS: number,
  operation: (options: OperationOptions) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  try {
    return await operation({ signal, maxTimeMS });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof MongoError ? unavailable(error) : error;
  }
}

function unavailable(cause: MongoError): UnavailableError {
  const error = new UnavailableError('The database cannot be read at the moment.');
  error.cause = cause;
  return error;
}
