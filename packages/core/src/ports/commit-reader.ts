import type { Commit } from '../domain/development/commit.js';
import type { ApprovedRepositories } from '../policies/allowlist.js';
import type { ReadContext } from './read-context.js';
import type { ListReader } from './record-reader.js';

/** The filter `author` is a login in any letter case, or an exact author name. */
export interface CommitReader extends ListReader<'commit'> {
  /**
   * The commits whose sha starts with the prefix, sorted by sha. If several repositories have the same sha, only the commit of the repository whose
   * name sorts first. At most two commits: two show the caller that the prefix is ambiguous.
   *
   * @param prefix 7 to 64 lower-case hexadecimal digits
   */
  bySha(approved: ApprovedRepositories, prefix: string, context: ReadContext): Promise<readonly Commit[]>;
}
