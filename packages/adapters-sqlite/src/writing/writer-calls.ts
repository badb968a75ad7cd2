import type { BranchChange, ClockReading, IndexReport, Instant, PutReport, RecordIdentity, RepositoryRef, StoredRecord } from '@vitrine/core';
import type { Turn } from '../lease/turn.js';
import type { SentApproval } from '../threads/sent-approval.js';

/** What every call that writes brings with it. */
export interface WriteRequest {
  /** The clock of the store's owner, read when the call was made. */
  readonly at: ClockReading;
  /** The turn in which the caller may write; `null` for writes that need no lease. */
  readonly turn: Turn | null;
}

export interface PutRequest extends WriteRequest {
  readonly records: readonly StoredRecord[];
  readonly source: string | null;
  readonly filledAt: Instant | null;
}

/** The calls that the thread of the writer runs. */
export interface WriterCalls {
  put(request: PutRequest): PutReport;
  remove(request: WriteRequest & { readonly identities: readonly RecordIdentity[]; readonly source: string | null }): number;
  withdraw(request: WriteRequest & { readonly source: string }): number;
  moveCommits(request: WriteRequest & { readonly ref: RepositoryRef; readonly changes: readonly BranchChange[] }): number;
  indexFor(request: WriteRequest & { readonly approved: SentApproval }): IndexReport;
  /** The current turn, whoever has it: a new one if the lease was free. */
  takeLease(request: { readonly name: string; readonly holder: string; readonly lastsMs: number }): Turn;
  /** Whether the turn continues. */
  renewLease(request: { readonly turn: Turn; readonly lastsMs: number }): boolean;
  releaseLease(request: { readonly turn: Turn }): null;
}
