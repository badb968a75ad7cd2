import type { RecordIdentity, StoredRecord } from '../domain/record.js';
import type { Instant } from '../domain/shared/instant.js';
import type { RepositoryRef } from '../domain/repositories/repository-name.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { UnpublishableReason } from '../policies/publishable-record.js';
import type { ReadContext } from './read-context.js';

export interface RefusedRecord {
  /** The index in the list that was passed to `put`. */
  readonly index: number;
  /**
   * `frozen-day`: the raw checks of that day may be deleted, so its counts can no longer be derived. `open-day`: the raw checks of that day are still
   * stored, so imported counts are not accepted. The others: the record must not be published.
   */
  readonly reason: 'frozen-day' | 'open-day' | UnpublishableReason;
}

export interface PutReport {
  /** The number of new or changed records. */
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: readonly RefusedRecord[];
}

/** What a {@link RecordWriter.put} gets beside the records. */
export interface PutContext extends ReadContext {
  /**
   * The time that the caller wrote where it knew none, such as the time of an import. Where a version of a record is stored, each such time of the record
   * (`provenance.observedAt`, `Repository.lastSyncedAt`, and the `filledTimes` of its kind in `KINDS`) keeps its stored value, so that putting the record again changes nothing.
   */
  readonly filledAt?: Instant;
}

export interface BranchChange {
  readonly sha: string;
  readonly branch: string | null;
}

/** The number of search entries that {@link RecordWriter.indexFor} changed. */
export interface IndexReport {
  readonly added: number;
  readonly removed: number;
}

/**
 * Idempotent: a record that is stored twice is one record. A call resolves when everything is durable. If a call rejects, any part may have been
 * stored; the same call again completes it.
 */
export interface RecordWriter {
  /**
   * Stores or replaces records by their identity. Each record is stored as `publishableRecord` returns it, without email addresses. Fields that never
   * change once stored keep their values (the `fixedTimes` of its kind in `KINDS`, and `Service.firstSeenAt`). Of duplicate checks, the one
   * that `compareDuplicates` prefers is kept. Derives `latestRelease` and `latestActivityAt`.
   */
  put(records: readonly StoredRecord[], context: PutContext): Promise<PutReport>;
  /** Removes records. Resolves with the number of records that existed. */
  remove(identities: readonly RecordIdentity[], context: ReadContext): Promise<number>;
  /** Sets only the branch of stored commits, to the result of `publishableBranch`. Resolves with the number of changed commits. */
  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], context: ReadContext): Promise<number>;
  /**
   * Updates the search index to match the allowlist, because the response time of a search reveals which words the index contains. Removes the search
   * entries of repositories that are not approved, and every trace of words that only they contained. Adds the missing entries of stored records of
   * approved repositories. After that, {@link put} adds entries only for records of approved repositories and of no repository. Also clears the state
   * of sources (`Sync.state`) for repositories that are not approved, so that those sources collect everything again after an approval. The records
   * stay. Until the first call, records of every repository have entries.
   *
   * The next call completes a call that was interrupted. A call is cheap if the index already matches.
   */
  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<IndexReport>;
}
