import type { CollectionReader, RecordWriter } from '@vitrine/core';
import type { Collecting } from './collecting-in-turn.js';

/** Where what is collected goes. */
export interface CollectedInto {
  readonly writer: RecordWriter;
  readonly collection: CollectionReader;
}

/** What a server does with its store beside reading. */
export interface StoreTasks {
  /** Writes without a lease, while other processes may write too. `null` if every write to the store needs a lease. */
  readonly withoutLease: CollectedInto | null;
  /** Collects while this process has the lease, and waits for it otherwise. */
  readonly collectInTurn: (begin: (into: CollectedInto) => Collecting, pid: number, print: (line: string) => void) => Collecting;
  /** Says once, when a database is there, which indexes it lacks. Never rejects. */
  readonly reportMissingIndexes: () => Promise<void>;
}
