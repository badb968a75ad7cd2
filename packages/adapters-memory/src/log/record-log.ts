/** A key and its value in a log. */
export interface LogEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

/** `null` removes the key. */
export interface LogChange {
  readonly key: string;
  readonly value: Uint8Array | null;
}

/** The durable storage of the memory store. */
export interface RecordLog {
  /** Reads all entries in batches, sorted by the UTF-8 bytes of their keys. Call it once, before the first append. */
  load(): AsyncIterable<readonly LogEntry[]>;
  /**
   * Makes all changes or none. Resolves when they are durable. Calls must not overlap. If it rejects, it is unknown whether the changes were made,
   * and every later append rejects until `recover` has resolved.
   */
  append(changes: readonly LogChange[]): Promise<void>;
  /**
   * Reads the whole log again after a failed append. Resolves with whether the changes of that append are durable after all. Rejects while the log cannot
   * be written, or if it has lost acknowledged changes. You can call it again.
   */
  recover(): Promise<boolean>;
  close(): Promise<void>;
}
