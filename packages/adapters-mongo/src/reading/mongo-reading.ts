import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, type QuarantineMonitor, type ReadContext, UnavailableError } from '@vitrine/core';
import { type ClientSession, MongoError } from 'mongodb';
import type { ToldTime } from '../changes/mongo-change-feed.js';
import type { Collections } from '../collections.js';
import { isLostConnection } from '../connection/mongo-store-error.js';

/** The database and the settings that all readers share. */
export class MongoReading {
  constructor(
    readonly collections: Collections,
    readonly clock: Clock,
    readonly monitor: QuarantineMonitor,
    readonly maxTimeMs: number,
    readonly told: ToldTime | null = null,
  ) {}

  /** Runs an operation with the signal of the context; see {@link readFrom}. */
  run<Result>(context: ReadContext, operation: (options: OperationOptions) => Promise<Result>): Promise<Result> {
    const { told, collections } = this;
    if (told === null) return readFrom(context, this.maxTimeMs, operation);
    return readFrom(context, this.maxTimeMs, (options) => told.run(collections.client, (after) => operation({ ...options, ...after })));
  }
}

/** The options of every operation. */
export interface OperationOptions {
  readonly signal: AbortSignal;
  /** The server aborts the operation after this time, even if the process can no longer cancel it. */
  readonly maxTimeMS: number;
  /** Makes the operation wait for changes that were told. */
  readonly session?: ClientSession;
}

/**
 * Runs an operation, and retries it once if it could not even be sent. (The driver retries operations that were sent.) Rejects with the signal's reason if it aborts, and
 * with an `UnavailableError` if the store cannot be read.
 */
export function readFrom<Result>(
  { signal }: ReadContext,
  maxTimeMS: number,
  operation: (options: OperationOptions) => Promise<Result>,
): Promise<Result> {
  return inUnavailableErrors(async () => {
    for (let isRetry = false; ; isRetry = true) {
      signal.throwIfAborted();
      // The driver adds listeners for each operation, and one request runs many. Without this, Node warns of a memory leak.
      setMaxListeners(0, signal);
      try {
        return await operation({ signal, maxTimeMS });
      } catch (error) {
        signal.throwIfAborted();
        if (isRetry || !isLostConnection(error)) throw error;
      }
      // Connections are often lost at the same time. After a whole turn of the event loop, the driver has noticed all lost ones and takes a new one.
      await nextTurn();
      await nextTurn();
    }
  });
}

/** Turns every error of the driver or its connections into an `UnavailableError`, with that error as its cause. */
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

/** Splits items into parts of a given size, in order. The last part may be smaller. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Runs the work for every item, with a limited number at the same time. */
export async function inGroups<Item>(items: readonly Item[], size: number, work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += size) await Promise.all(items.slice(start, start + size).map(work));
}
