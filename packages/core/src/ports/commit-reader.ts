import type { Commit } from '../domain/development/commit.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { TimeListQuery, TimePage } from './time-list.js';

/** `null` means any. */
export interface CommitQuery extends TimeListQuery {
  readonly branch: string | null;
  /** A login in any case, or an exact author name. */
  readonly author: string | null;
  readonly changeType: string | null;
}

export interface CommitReader {
  list(approved: ApprovedRepositories, query: CommitQuery, context: ReadContext): Promise<TimePage<Commit>>;
  /**
   * The commits whose sha begins with the prefix: of each sha the one in the repository with the lowest name, ordered by sha, at most two, so
   * that a caller can tell whether the prefix is ambiguous.
   *
   * @param prefix 7 to 64 lower-case hexadecimal digits
   */
  bySha(approved: ApprovedRepositories, prefix: string, context: ReadContext): Promise<readonly Commit[]>;
}
