import type { Commit } from '../../domain/development/commit.js';
import type { WithRepository } from '../../domain/repositories/repository.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { CommitReader } from '../../ports/commit-reader.js';
import type { PageAnswer } from '../shared/answer.js';
import type { ScopedListInput, ScopedRecords } from '../shared/scoped-records.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

/** `null` means any. */
export interface ListCommitsInput extends ScopedListInput {
  readonly branch: string | null;
  /** A login in any case, or an exact author name. */
  readonly author: string | null;
  readonly changeType: string | null;
}

/** The commits of approved repositories, newest first. */
export class ListCommits {
  readonly #commits: CommitReader;
  readonly #records: ScopedRecords;

  constructor(commits: CommitReader, records: ScopedRecords) {
    this.#commits = commits;
    this.#records = records;
  }

  execute(input: ListCommitsInput, context: UseCaseContext): Promise<PageAnswer<WithRepository<Commit>, TimePosition>> {
    const { branch, author, changeType } = input;
    return this.#records.ownedPage('commit', input, context, (approved, range) =>
      this.#commits.list(approved, { ...range, branch, author, changeType }, context),
    );
  }
}
