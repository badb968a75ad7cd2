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
  /** Makes all changes or none; resolves when they are durable. Calls must not overlap. */
  append(changes: readonly LogChange[]): Promise<void>;
  close(): Promise<void>;
}
