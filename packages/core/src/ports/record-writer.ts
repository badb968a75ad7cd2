import type { Check } from '../kinds/check.js';
import { isOfDay, type PlainRecord, type RecordIdentity, type StoredRecord } from '../kinds/identity.js';
import type { Instant } from '../kinds/instant.js';
import type { RepositoryRef } from '../kinds/repository-name.js';
import type { StatusDay } from '../kinds/status-day.js';
import type { ApprovedRepositories } from '../rules/allowlist.js';
import { publishableRecord, type UnpublishableReason } from '../rules/publishable-record.js';
import type { ReadContext } from './readers.js';

export interface RefusedRecord {
  /** The index in the list that was passed to `put`. */
  readonly index: number;
  /**
   * `frozen-day`: the raw checks of that day may be deleted, so its counts can no longer be derived. `open-day`: they are still stored, so imported counts are not
   * accepted. `unknown-commit`: only a forge speaks of this commit, and can put it again later. The others: the record must not be published.
   */
  readonly reason: 'frozen-day' | 'open-day' | 'unknown-commit' | UnpublishableReason;
}

/** A record that was given to {@link RecordWriter.put}, as it may be published, and its index in the given list. */
export interface GivenRecord<Kept extends StoredRecord> {
  readonly index: number;
  readonly record: Kept;
}

/** The given records, for a store that keeps checks and daily counts apart from all other records. */
export interface GivenRecords {
  readonly plain: readonly GivenRecord<PlainRecord>[];
  readonly checks: readonly GivenRecord<Check | StatusDay>[];
  /** Those that must not be published. */
  readonly refused: readonly RefusedRecord[];
}

/** @param start the index of the first record in the list of the call */
export function givenRecords(records: readonly StoredRecord[], start = 0): GivenRecords {
  const plain: GivenRecord<PlainRecord>[] = [];
  const checks: GivenRecord<Check | StatusDay>[] = [];
  const refused: RefusedRecord[] = [];
  for (const [offset, given] of records.entries()) {
    const [index, record] = [start + offset, publishableRecord(given)];
    if (typeof record === 'string') refused.push({ index, reason: record });
    else if (isOfDay(record)) checks.push({ index, record });
    else plain.push({ index, record });
  }
  return { plain, checks, refused };
}

export interface PutReport {
  /** The number of new or changed records. */
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: readonly RefusedRecord[];
}

/** Passed to every call in which it matters which source makes it. */
export interface CallContext extends ReadContext {
  /** The id of the source's sync record (`Sync.id`). Absent or `null`: the caller is not a source, such as an import. */
  readonly source?: string | null;
}

/** What a {@link RecordWriter.put} gets beside the records. If it names a source, that source vouches for each record from now on. */
export interface PutContext extends CallContext {
  /**
   * The time that the caller wrote where it knew none, such as the time of an import. Where `provenance.observedAt`, or a field that the table of the kind lets be
   * left out as `now`, is this time, the stored version keeps its own, so that putting the record again changes nothing.
   */
  readonly filledAt?: Instant;
}

export interface BranchChange {
  readonly sha: string;
  readonly branch: string | null;
}

/**
 * A record stays as long as a source vouches for it. If several sources vouch for a repository, a release or a commit, what each of them said is stored,
 * and `mergedRecord` decides each field, so the order of their runs does not matter. Of other kinds, the version that was put last is shown. Nobody
 * vouches for checks, daily counts and sync records.
 *
 * Idempotent: a record that is stored twice is one record. A call resolves when everything is durable. If a call rejects, any part may have been
 * stored; the same call again completes it.
 */
export interface RecordWriter {
  /**
   * Stores or replaces records by their identity, as `publishableRecord` returns them: without email addresses. Fields that are `fixed` in the table of the kind keep
   * their values. Of duplicate checks, the one that `compareDuplicates` prefers is kept. Derives `latestRelease` and `latestActivityAt`.
   *
   * Without a source, a record keeps its vouchers, and is shown as it was put until one of them puts it again.
   */
  put(records: readonly StoredRecord[], context: PutContext): Promise<PutReport>;
  /**
   * Removes records. If the context names a source, it only withdraws that source: a record for which others vouch stays, as they say it. Resolves with the number of
   * records that are no longer stored because of this call.
   */
  remove(identities: readonly RecordIdentity[], context: CallContext): Promise<number>;
  /**
   * Withdraws a source from all records, as {@link remove} does. Checks, daily counts and sync records stay. Works in batches. Resolves with the number of
   * records that were removed. A call that was interrupted is completed by the next one.
   */
  withdraw(source: string, context: ReadContext): Promise<number>;
  /** Sets only the branch of stored commits, to the result of `publishableBranch`. Resolves with the number of changed commits. */
  moveCommits(ref: RepositoryRef, changes: readonly BranchChange[], context: ReadContext): Promise<number>;
  /**
   * Updates the search index to match the allowlist, because the response time of a search reveals which words the index contains. Removes the entries of repositories
   * that are not approved, and every trace of words that only they contained; adds the missing ones of approved repositories. From then on, {@link put} adds entries
   * only for approved repositories and for none; until the first call, for all. Also clears `Sync.state` of sources whose repository is not approved, so that they collect
   * everything again after an approval; a store with its index beside it does only that. The records stay. Cheap if nothing is to do; the next call completes an interrupted one.
   */
  indexFor(approved: ApprovedRepositories, context: ReadContext): Promise<void>;
}
