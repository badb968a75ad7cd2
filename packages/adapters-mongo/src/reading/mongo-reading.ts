import type { Clock, ReadContext } from '@vitrine/core';
import type { ToldTime } from '../changes/told-time.js';
import type { Collections } from '../collections.js';
import { DecodedDocuments } from './decoded-documents.js';
import type { QuarantineMonitor } from './quarantine.js';
import { readFrom, type OperationOptions } from './read-from.js';

/** The database and the settings that all readers share. */
export class MongoReading {
  readonly decodedDocuments = new DecodedDocuments();

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
