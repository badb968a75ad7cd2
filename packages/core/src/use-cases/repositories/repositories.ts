import type { NamePosition, PageRequest } from '../../kinds/page.js';
import { nameOfRef, NO_REPOSITORY } from '../../kinds/repository-name.js';
import type { Repository } from '../../kinds/repository.js';
import { EVERY_SOURCE, type SourceScope } from '../../rules/freshness.js';
import { withLastSynced, withOwnRelease } from '../../rules/own-url.js';
import type { Answer, PageAnswer, UseCaseContext } from '../shared/answer.js';
import type { Parts, UseCaseParts } from '../shared/parts.js';
import { FIRST_PAGE, nextAfter } from '../shared/records.js';
import { byName, limit, positionOf, withPermission } from '../shared/arguments.js';

export interface RepositoryInput {
  /** `owner/name`, in any case. */
  readonly fullName: string;
}

/** One approved repository. */
export class GetRepository {
  readonly takes = withPermission<RepositoryInput>(byName);

  constructor(private readonly parts: Pick<UseCaseParts, 'gate' | 'freshness'>) {}

  async execute({ fullName }: RepositoryInput, context: UseCaseContext): Promise<Answer<Repository>> {
    const scope: SourceScope = { repositoryRef: context.approved.refOf(fullName) ?? NO_REPOSITORY };
    const [repository, { freshness, syncs }] = await Promise.all([
      this.parts.gate.named(fullName, context),
      this.parts.freshness.withSyncs('repository', scope, context),
    ]);
    return { data: withLastSynced(repository, syncs), ...freshness };
  }
}

export type ListRepositoriesInput = PageRequest<NamePosition>;

export class ListRepositories {
  readonly takes = withPermission<ListRepositoriesInput>({ limit, after: positionOf('fullName') });

  constructor(private readonly parts: Parts<'gate' | 'freshness', 'repositories'>) {}

  async execute(input: Partial<ListRepositoriesInput>, context: UseCaseContext): Promise<PageAnswer<Repository, NamePosition>> {
    const [found, { freshness, syncs }] = await Promise.all([
      this.parts.readers.repositories.list(context.approved, { ...FIRST_PAGE, ...input }, context),
      this.parts.freshness.withSyncs('repository', EVERY_SOURCE, context),
    ]);
    const items = this.parts.gate.admitted(found.items, context);
    const next = nextAfter(found, items, ({ repositoryRef }) => ({ fullName: nameOfRef(repositoryRef) }));
    return { data: { items: items.map((repository) => withLastSynced(withOwnRelease(repository), syncs)), next }, ...freshness };
  }
}
