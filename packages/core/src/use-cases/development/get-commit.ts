import { parseShaPrefix, type Commit } from '../../kinds/commit.js';
import { InvalidInputError, NotFoundError } from '../../kinds/domain-error.js';
import type { WithRepository } from '../../kinds/repository.js';
import type { CommitReader } from '../../ports/readers.js';
import { isText } from '../../rules/rules-of-arguments.js';
import type { Answer, UseCaseContext } from '../shared/answer.js';
import { onlyNamed, type ScopedRecords } from '../shared/records.js';
import { needed, repository, withPermission } from '../shared/arguments.js';

export interface GetCommitInput {
  /** A whole sha or its first 7 digits or more, in lower case. */
  readonly sha: string;
  /** `owner/name` to look into; without it, of several repositories that hold the commit the one with the lowest name answers. */
  readonly repository: string | null;
}

const sha = needed('7 to 64 hexadecimal digits in lower case', (value) => isText(value) && parseShaPrefix(value) === value);

/** One commit by its sha. Throws an `InvalidInputError` when an abbreviation fits several commits. */
export class GetCommit {
  readonly takes = withPermission<GetCommitInput>({ sha, repository });

  constructor(
    private readonly commits: CommitReader,
    private readonly records: ScopedRecords,
  ) {}

  async execute(
    { sha, repository = null }: Pick<GetCommitInput, 'sha'> & Partial<GetCommitInput>,
    context: UseCaseContext,
  ): Promise<Answer<WithRepository<Commit>>> {
    const approved = onlyNamed(context.approved, repository);
    if (approved === null) throw new NotFoundError();
    // The gate comes first: that a hidden commit begins alike must not show.
    const [commit = null, another] = this.records.shown(await this.commits.bySha(approved, sha, context), context);
    if (another !== undefined) throw new InvalidInputError('sha', 'fits more than one commit; give more digits');
    return this.records.one('commit', commit, context);
  }
}
