import type { ApprovedRepositories, Instant, StoredRecord } from '@vitrine/core';
import type { FileIdentity } from '../folder/file-identity.js';
import type { Turn } from '../lease/turn.js';
import type { WriterOptions } from './writer-tables.js';

/** What every call that writes brings with it. */
export interface WriteRequest {
  /** The turn in which the caller may write; `null` for writes that need no lease. */
  readonly turn: Turn | null;
}

export interface PutRequest extends WriteRequest {
  readonly records: readonly StoredRecord[];
  readonly source: string | null;
  readonly filledAt: Instant | null;
}

export type WithdrawRequest = WriteRequest & { readonly source: string };
export type IndexRequest = WriteRequest & { readonly approved: ApprovedRepositories };

export interface StoreWriterOptions extends WriterOptions {
  readonly file: string;
  readonly identity: FileIdentity;
  /** Called when readers see that a transaction has changed something, before its call resolves. */
  readonly onChanged: () => void;
}
