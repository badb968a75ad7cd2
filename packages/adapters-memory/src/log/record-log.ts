/** What a log keeps: one value under each key. */
export interface LogEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

/** `null` removes the key. */
export interface LogChange {
  readonly key: string;
  readonly value: Uint8Array | null;
}

/** Where the memory store keeps its records between two runs of the process. */
export interface RecordLog {
  /** Everything that is kept, many entries at a time, once and before the first append; by key, in the order of its UTF-8 bytes. */
  load(): AsyncIterable<readonly LogEntry[]>;
  /**
   * Makes all changes or none; resolves when they are durable. Calls must not overlap. When it rejects, nobody knows whether the changes were made,
   * and every later append rejects too until `recover` has resolved.
   */
  append(changes: readonly LogChange[]): Promise<void>;
  /**
   * Reads the whole log again after an append that failed. Resolves to whether the failed changes are durable after all. Rejects while the log cannot
   * be written, or when it no longer holds what was acknowledged before; it can be called again.
   */
  recover(): Promise<boolean>;
  close(): Promise<void>;
}
