import { NotFoundError } from '../../kinds/domain-error.js';
import type { RecordKind } from '../../kinds/identity.js';
import { KINDS, type OwnedKind, type RecordOf } from '../../kinds/kinds.js';
import type { Page } from '../../kinds/page.js';
import { NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '../../kinds/repository-name.js';
import type { Repository, WithOptionalRepository, WithRepository } from '../../kinds/repository.js';
import type { RepositoryReader } from '../../ports/readers.js';
import type { GateMonitor } from '../../ports/store.js';
import { repositoryWithoutRecord, withOwnAddresses, withOwnRelease, type ScopedRecord } from '../../rules/own-url.js';
import type { UseCaseContext } from './answer.js';

/** Kinds that always belong to a repository. A record without one has lost its scope, so its owner is unknown. */
const ALWAYS_OWNED: ReadonlySet<string> = new Set<string>([
  'repository',
  ...Object.entries(KINDS).flatMap(([kind, { ownership }]) => (ownership === 'always' ? [kind] : [])),
]);

/** A record beside its repository, which is `null` only for kinds whose records may belong to none. */
export type ViewOf<Item extends ScopedRecord> = [Item] extends [RecordOf<OwnedKind>] ? WithRepository<Item> : WithOptionalRepository<Item>;

/**
 * The second gate of every answer that holds repository data: only records that the allowlist approves pass, each with its
 * repository and with addresses below that of the repository. A refused record is a bug of the reader: it is dropped and reported.
 */
export class RepositoryGate {
  constructor(
    private readonly repositories: RepositoryReader,
    private readonly monitor: GateMonitor,
  ) {}

  admitted<Item extends { readonly kind: RecordKind; readonly repositoryRef: ScopeRef }>(
    items: readonly Item[],
    { approved }: UseCaseContext,
  ): readonly Item[] {
    return items.filter((item) => {
      const admitted = approved.admits(item.repositoryRef) && (item.repositoryRef !== NO_REPOSITORY || !ALWAYS_OWNED.has(item.kind));
      if (!admitted) this.monitor.refused(item.kind);
      return admitted;
    });
  }

  /** The admitted records, each beside its repository. */
  async views<Item extends ScopedRecord>(records: readonly Item[], context: UseCaseContext): Promise<readonly ViewOf<Item>[]> {
    const admitted = this.admitted(records, context);
    const repositories = await this.repositoriesOf(admitted, context);
    const views = admitted.map((record): WithOptionalRepository<Item> => {
      const ref = record.repositoryRef;
      return ref === NO_REPOSITORY ? { record, repository: null } : beside(record, repositoryOf(record, ref, repositories, context));
    });
    // Of a kind that is always owned, `admitted` has refused every record without a repository.
    return views as readonly unknown[] as readonly ViewOf<Item>[];
  }

  /** One repository by the name people call it. Throws a `NotFoundError`, for one that is not approved before anything is read. */
  async named(fullName: string, context: UseCaseContext): Promise<Repository> {
    const repositoryRef = context.approved.refOf(fullName);
    if (repositoryRef === null) throw new NotFoundError();
    const repository = (await this.repositoriesOf([{ repositoryRef }], context)).get(repositoryRef);
    if (repository === undefined) throw new NotFoundError();
    return repository;
  }

  /** The admitted repositories of records, by ref, in one read. */
  async repositoriesOf(
    records: readonly { readonly repositoryRef: ScopeRef }[],
    context: UseCaseContext,
  ): Promise<ReadonlyMap<ScopeRef, Repository>> {
    const refs = new Set<RepositoryRef>();
    for (const { repositoryRef } of records) if (repositoryRef !== NO_REPOSITORY) refs.add(repositoryRef);
    const found = refs.size === 0 ? [] : await this.repositories.byRefs(context.approved, [...refs], context);
    return new Map(this.admitted(found, context).map((repository) => [repository.repositoryRef, withOwnRelease(repository)]));
  }
}

/** Where the page after goes on. A position names the last record read: one that the gate refused must not be told either. */
export function nextAfter<Item, Position>(
  found: Page<unknown, Position>,
  admitted: readonly Item[],
  positionOf: (item: Item) => Position,
): Position | null {
  if (found.next === null || admitted.length === found.items.length) return found.next;
  const last = admitted.at(-1);
  return last === undefined ? null : positionOf(last);
}

function beside<Item extends ScopedRecord>(record: Item, repository: Repository): WithRepository<Item> {
  return { record: withOwnAddresses(record, repository), repository };
}

function repositoryOf(record: ScopedRecord, ref: RepositoryRef, found: ReadonlyMap<ScopeRef, Repository>, { approved }: UseCaseContext): Repository {
  return found.get(ref) ?? repositoryWithoutRecord(ref, approved, record.provenance);
}
