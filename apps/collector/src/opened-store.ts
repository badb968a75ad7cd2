import type { CollectionReader, ConfigurationReader, RecordWriter } from '@vitrine/core';

/** The store that a command uses while it runs. */
export interface OpenedStore {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
  readonly configurations: ConfigurationReader;
  /** Aborts when the command must stop, or has lost the lease. */
  readonly signal: AbortSignal;
}
