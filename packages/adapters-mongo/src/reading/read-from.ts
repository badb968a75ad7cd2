import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnavailableError, type ReadContext } from '@vitrine/core';
import { MongoError } from 'mongodb';
import { isLostConnection } from '../connection/is-lost-connection.js';
import { relayedSignal } from './relayed-signal.js';

/** What every operation is given. */
export interface OperationOptions {
  readonly signal: AbortSignal;
  /** The server ends the operation by itself when nobody can tell it to. */
  readonly maxTimeMS: number;
}

/** Runs an operation. Rejects with the signal's reason when it aborts, and with an `UnavailableError` when the store cannot be read. */
export async function readFrom<Result>(
  { signal }: ReadContext,
  maxTimeMS: number,
  operation: (options: OperationOptions) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const options = { signal: relayedSignal(signal), maxTimeMS };
  try {
    return await operation(options);
  } catch (error) {
    return inUnavailableErrors(() => askedAgainWhenLost(error, signal, () => operation(options)));
  }
}

/**
 * What could not even be written is asked once more, as the driver does with what was. Connections are mostly lost together, and another one is taken
 * only when all have told: after a whole turn of the event loop, which is over with the second end.
 */
async function askedAgainWhenLost<Result>(error: unknown, signal: AbortSignal, operation: () => Promise<Result>): Promise<Result> {
  try {
    if (!isLostConnection(error)) throw error;
    await nextTurn();
    await nextTurn();
    signal.throwIfAborted();
    return await operation();
  } catch (failure) {
    signal.throwIfAborted();
    throw failure;
  }
}

/** Whatever the driver or its connections report becomes an `UnavailableError`, with the report as its cause. */
export async function inUnavailableErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof MongoError || isLostConnection(error) ? unavailable(error) : error;
  }
}

function unavailable(cause: Error): UnavailableError {
  const error = new UnavailableError('The database cannot be reached or did not answer in time.');
  error.cause = cause;
  return error;
}
