import { quotable, withoutCredentials } from '@vitrine/core';
import type { Clock, CollectionReader, Instant, RecordWriter, ScopeRef, Sync, SyncedKind } from '@vitrine/core';

/** What is published of a source before its first run. */
export interface Registration {
  /** Of its sync record: `type:owner/name`, `type:service-key` or `type:label`. Never a path or an address, because it is published. */
  readonly id: string;
  /** `configuration`: the source feeds nothing, and is never published. */
  readonly sourceType: Sync['sourceType'];
  readonly label: string;
  readonly repositoryRef: ScopeRef;
  /** Every kind that it may bring. */
  readonly feeds: readonly SyncedKind[];
}

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
  readonly collection: CollectionReader;
  /** The id of its sync record. With it, `collection` gives only the commits, releases and findings for which this source or no source vouches. */
  readonly source?: string;
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

export function firstOf(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `… and ${String(lines.length - most)} more`];
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

/** A source cannot be collected, for a reason that a person can mend or that passes. The message says so without credentials, and is logged without a stack. */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  /** @param code for sync records, such as `NO_TOKEN` @param retryAfterMs how long to wait before the next run, in milliseconds; `null` if unknown */
  constructor(
    message: string,
    readonly code: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(withoutCredentials(message));
  }
}

const LONGEST = 2_000;

type DocumentReason = 'not a feed' | 'not a status page' | 'not a forge' | 'not complete' | 'too many items' | 'too many elements' | 'front matter';

/** A document that cannot be used. The message is one line without control characters, although it may quote the document. What was stored from it before stays. */
export class DocumentError extends SourceError {
  constructor(reason: DocumentReason, detail: string) {
    super(`${reason}: ${quotable(detail, LONGEST)}`, reason.toUpperCase().replace(/ /g, '_'));
  }
}
