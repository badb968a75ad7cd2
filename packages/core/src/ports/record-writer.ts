import type { RecordIdentity, StoredRecord } from '../domain/record.js';
import type { Instant } from '../domain/shared/instant.js';
import type { RepositoryRef } from '../domain/repositories/repository-name.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { UnpublishableReason } from '../policies/publishable-record.js';
import type { ReadContext } from './read-context.js';

export interface RefusedRecord {
  /** Index in the list that was put. */
  readonly index: number;
  /**
   * `frozen-day`: the raw checks of that day may be gone, so its counts can no longer be derived. `open-day`: they are kept, so its counts are not taken.
   * The others: the record may not be published.
   */
  readonly reason: 'frozen-day' | 'open-day' | UnpublishableReason;
}

export interface PutReport {
  /** New or changed. */
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: readonly RefusedRecord[];
}

/** What a {@link RecordWriter.put} gets beside the records. */
export interface PutContext extends ReadContext {
  /**
   * The time that the caller wrote where it knew none, such as the time of an import. Where a version of a record is stored, each such time of the record
   * (`provenance.observedAt`, `Repository.lastSyncedAt`, `Video.discoveredAt`) keeps its stored value, so that putting the record again changes nothing.
   */
  readonly filledAt?: Instant;
}

export interface BranchChange {
  readonly sha: string;
  readonly branch: string | null;
}

/** What {@link RecordWriter.indexFor} has changed, in search entries. */
export interface IndexReport {
  readonly added: number;
  readonly removed: number;
}

/**
 * Idempotent: the same record stored twice is one record. A call resolves when everything is durable; when it rejects, any part may have
 * been stored, and the same call again completes it.
 */
export interface RecordWriter {
  /**
   * Stores or replaces records by their identity, each as `publishableRecord` gives it: without e-mail addresses. Keeps what is fixed when first stored (`News.listedAt` and `discoveredAt`, `Mission.createdAt`,
   * `Service.firstSeenAt`), lets the winner of duplicate checks stand, and derives `latestRelease` and `latestActivityAt`.
   */
  put(records: readonly StoredRecord[], context: PutContext): Promise<PutReport>;
  /** Removes records; resolves with how many were there. */
  remove(identities: readonly RecordIdentity[], context: ReadContext): Promise<number>;
  /** Changes nothing but the branch of stored commits, to what `publishableBranch` gives; resolves with how many changed. */
  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], context: ReadContext): Promise<number>;
  /**
   * Brings search into line with the allowlist, because the time that a search takes tells which words its index holds. Removes the search entries
   * of repositories that are not approved, and every trace of words that only they held; adds the entries that stored records of approved
   * repositories lack. From then on {@link put} adds entries for approved repositories and for no repository only. Also clears what sources have
   * remembered (`Sync.state`) about repositories that are not approved, so that those sources collect everything again after an approval. The
   * records stay. Until the first call, the records of every repository have entries.
   *
   * A call that was cut off is completed by the next one. A call that finds everything in line costs little.
   */
  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<IndexReport>;
}
