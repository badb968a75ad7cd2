import { nameOfRef } from '../../domain/repositories/repository-name.js';
import type { Repository } from '../../domain/repositories/repository.js';
import type { NamePosition } from '../../domain/shared/page.js';
import { withOwnRelease } from '../../policies/own-addresses.js';
import { EVERY_SOURCE } from '../../policies/freshness.js';
import { withLastSynced } from '../../policies/last-synced.js';
import type { RepositoryReader } from '../../ports/repository-reader.js';
import type { PageAnswer } from '../shared/answer.js';
import type { FreshnessJudge } from '../shared/freshness-judge.js';
import { nextAfter, type RepositoryGate } from '../shared/repository-gate.js';
import type { UseCaseContext } from '../shared/use-case-context.js';

export interface ListRepositoriesInput {
  /** 1 to 100. */
  readonly limit: number;
  readonly after: NamePosition | null;
}

/** The approved repositories, by name. */
export class ListRepositories {
  readonly #repositories: RepositoryReader;
  readonly #gate: RepositoryGate;
  readonly #freshness: FreshnessJudge;

  constructor(repositories: RepositoryReader, gate: RepositoryGate, freshness: FreshnessJudge) {
    this.#repositories = repositories;
    this.#gate = gate;
    this.#freshness = freshness;
  }

  async execute(input: ListRepositoriesInput, context: UseCaseContext): Promise<PageAnswer<Repository, NamePosition>> {
    const [found, { freshness, syncs }] = await Promise.all([
      this.#repositories.list(context.approved, input, context),
      this.#freshness.withSyncs('repository', EVERY_SOURCE, context),
    ]);
    const items = this.#gate.admitted(found.items, context);
    const next = nextAfter(found, items, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
    return { data: { items: items.map((repository) => withLastSynced(withOwnRelease(repository), syncs)), next }, ...freshness };
  }
}
