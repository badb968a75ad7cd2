import type { Clock, CollectionReader, Instant, RecordWriter } from '@vitrine/core';
import type { Registration } from './sync-records.js';

/** What a source run did. */
export interface RunReport {
  /** Records that are new or changed. */
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Records of repositories that are not approved; they are not stored. */
  readonly skipped?: number;
  /** One line each: the data that could not be used, and why. Also of data that has not changed since this process has read it, so that it was not read again. */
  readonly warnings: readonly string[];
  /** One line each: notes for operators that need no action. */
  readonly notices?: readonly string[];
}

/** What a source gets for one run. */
export interface SourceContext {
  /** Puts records with the source as voucher, and removes only its own vouchers. The source need not name itself. */
  readonly writer: RecordWriter;
  /** Of commits, releases and findings, only those for which this source or no source vouches. */
  readonly collection: CollectionReader;
  readonly clock: Clock;
  /** Ends the run early; the run then rejects. */
  readonly signal: AbortSignal;
  /** Called with the number of finished items, their plural, such as `commits`, and the total if it is known. */
  readonly progress: (done: number, what: string, total?: number) => void;
}

/** Runs sources on demand. */
export interface SourceRuns {
  readonly clock: Clock;
  /** The sources that are repeated now. */
  readonly sources: () => readonly Source[];
  /** Runs a source now, or again after a run that has begun. Resolves with `null` if the run failed, or if the source is not repeated any more. */
  readonly run: (source: Source) => Promise<RunReport | null>;
}

/** Something that makes sources run before they are due, such as a server that receives requests. It may be started again after it was stopped. */
export interface Receiver {
  /** Called once before its sources run. */
  start(runs: SourceRuns): void;
  stop(): Promise<void>;
}

/** Something that records come from. A run takes the changes since the last one; running it again changes nothing. */
export interface Source {
  /** What people read in logs, such as `git acme/widget`. */
  readonly id: string;
  readonly intervalMs: number;
  /** Whether a run asks another server. While such a source fails, it runs less often. Default: `false`. */
  readonly isRemote?: boolean | undefined;
  /** Its sync record; a source without one is never published, and no answer depends on it. */
  readonly registration?: Registration | undefined;
  /** Makes the source run before it is due. It runs while sources that name it are repeated. Sources with one are not run once. */
  readonly receiver?: Receiver;
  /** When the run after one that has ended is due, by the clock. Default: an interval after that run has started. */
  readonly nextRunAt?: ((now: Instant) => Instant) | undefined;
  run(context: SourceContext): Promise<RunReport>;
}

/** What a run did, for people: `2 stored, 1 unchanged, 0 removed`. */
export function describeRun({ stored, unchanged, removed, skipped = 0 }: RunReport): string {
  const counts = `${String(stored)} stored, ${String(unchanged)} unchanged, ${String(removed)} removed`;
  return skipped === 0 ? counts : `${counts}, ${String(skipped)} skipped because their repositories are not approved`;
}

/** Whether a source has this name: its own id, or that of its sync record. A source that is not registered has no name. */
export function isNamed({ id, registration }: Pick<Source, 'id' | 'registration'>, name: string): boolean {
  return registration !== undefined && (id === name || registration.id === name);
}
