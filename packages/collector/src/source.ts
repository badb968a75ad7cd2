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
  /** One line each: what could not be taken, and why. */
  readonly warnings: readonly string[];
  /** One line each: what people who operate the collector should know, and need not change. */
  readonly notices?: readonly string[];
  /** Warnings of earlier runs that still hold, because what they are about has not changed and was not read again. */
  readonly standing?: readonly string[];
}

/** What a source gets for one run. */
export interface SourceContext {
  /** The source vouches for what it puts here, and withdraws only itself from what it removes, without naming itself. */
  readonly writer: RecordWriter;
  /** Of commits, releases and findings, only those for which the source vouches, or nobody. */
  readonly collection: CollectionReader;
  readonly clock: Clock;
  /** Ends the run early; the run then rejects. */
  readonly signal: AbortSignal;
  /** Hears how many things are done, what they are, such as `commits`, and how many there are in all, if that is known. */
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

/** Something that makes sources run before they are due, such as a server to which others send what is new. It may be started again after it was stopped. */
export interface Receiver {
  /** Called once before its sources run. */
  start(runs: SourceRuns): void;
  stop(): Promise<void>;
}

/** Something that records come from. A run takes what is new since the last one; running it again changes nothing. */
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
