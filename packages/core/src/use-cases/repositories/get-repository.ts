import { NO_REPOSITORY } from '../../domain/repositories/repository-name.js';
import type { Repository } from '../../domain/repositories/repository.js';
import type { SourceScope } from '../../policies/freshness.js';
import { withLastSynced } from '../../policies/last-synced.js';
import type { Answer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import type { RepositoryGate } from '../shared/repository-gate.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

export interface RepositoryInput {
  /** `owner/name`, in any case. */
  readonly fullName: string;
}

/** One approved repository. */
export class GetRepository {
  readonly #gate: RepositoryGate;
  readonly #freshness: FreshnessJudge;

  constructor(gate: RepositoryGate, freshness: FreshnessJudge) {
    this.#gate = gate;
    this.#freshness = freshness;
  }

  async execute({ fullName }: RepositoryInput, context: UseCaseContext): Promise<Answer<Repository>> {
    const scope: SourceScope = { repositoryRef: context.approved.refOf(fullName) ?? NO_REPOSITORY };
    const [repository, { freshness, syncs }] = await Promise.all([
      this.#gate.named(fullName, context),
      this.#freshness.withSyncs('repository', scope, context),
    ]);
    return { data: withLastSynced(repository, syncs), ...freshness };
  }
}
