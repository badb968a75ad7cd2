import { NotFoundError } from '../../kinds/domain-error.js';
import { idKeyOfPublicId, positionOf, type RecordKind } from '../../kinds/identity.js';
import type { Instant } from '../../kinds/instant.js';
import { KINDS, type OwnedKind, type RecordOf, type ShownKind } from '../../kinds/kinds.js';
import type { Page, PageRequest, TimePosition } from '../../kinds/page.js';
import { NO_REPOSITORY, type RepositoryRef, type ScopeRef } from '../../kinds/repository-name.js';
import type { Repository, WithOptionalRepository, WithRepository } from '../../kinds/repository.js';
import type { ListFilters, ListReader, RecordReader, RepositoryReader, TimeListQuery, TimePage } from '../../ports/readers.js';
import type { Clock, GateMonitor } from '../../ports/store.js';
import type { ApprovedRepositories } from '../../rules/allowlist.js';
import type { RulesOf } from '../../rules/rules-of-arguments.js';
import { EVERY_SOURCE, type SourceScope } from '../../rules/freshness.js';
import { besideLastSynced, repositoryWithoutRecord, withOwnAddresses, withOwnRelease, type ScopedRecord } from '../../rules/own-url.js';
import { isVisible, latestVisible, type Answer, type FreshnessJudge, type PageAnswer, type UseCaseContext } from './answer.js';
import { byId, filtersOf, repository, timeList, withPermission, type Takes } from './arguments.js';

/** The first page of a list, which an input without a page gets. */
export const FIRST_PAGE = { limit: 20, after: null } as const;

/** The first page of a list in time order, from any time. */
export const NEWEST_PAGE = { ...FIRST_PAGE, from: null, to: null } as const;

export interface TimeListInput extends PageRequest<TimePosition> {
  /** Closed at both ends; `null` means open. */
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** The same, with a repository to stay in: `owner/name` in any case. One that is not approved gives an empty list, as one that does not exist. */
export interface ScopedListInput extends TimeListInput {
  readonly repository: string | null;
}

export interface IdInput {
  readonly id: string;
}

type ReadPage<Item> = (approved: ApprovedRepositories, range: TimeListQuery) => Promise<TimePage<Item>>;

/** What all use cases on repository records share: the request's range and scope, the gate, the freshness. */
export class ScopedRecords {
  constructor(
    private readonly gate: RepositoryGate,
    private readonly freshness: FreshnessJudge,
    private readonly clock: Clock,
  ) {}

  async page<Item extends ScopedRecord>(
    kind: Item['kind'],
    input: ScopedListInput,
    context: UseCaseContext,
    read: ReadPage<Item>,
  ): Promise<PageAnswer<ViewOf<Item>, TimePosition>> {
    const scope = scopeOfList(input, context);
    const [found, { freshness, syncs }] = await Promise.all([this.#read(input, context, read), this.freshness.withSyncs(kind, scope, context)]);
    const items = besideLastSynced(await this.gate.views(found.items, context), syncs);
    return { data: { items, next: nextAfter(found, items, ({ record }) => positionOf(record)) }, ...freshness };
  }

  async one<Item extends ScopedRecord>(kind: Item['kind'], record: Item | null, context: UseCaseContext): Promise<Answer<ViewOf<Item>>> {
    const [found, { freshness, syncs }] = await Promise.all([
      this.gate.views(this.shown(record === null ? [] : [record], context), context),
      this.freshness.withSyncs(kind, { repositoryRef: record?.repositoryRef ?? NO_REPOSITORY }, context),
    ]);
    const [shown] = besideLastSynced(found, syncs);
    if (shown === undefined) throw new NotFoundError();
    return { data: shown, ...freshness };
  }

  /** Of records that were looked up, those that may be shown now. */
  shown<Item extends ScopedRecord>(records: readonly Item[], context: UseCaseContext): readonly Item[] {
    return this.gate.admitted(records, context).filter((record) => isVisible(record, this.clock.now()));
  }

  async #read<Item>(input: ScopedListInput, { approved }: UseCaseContext, read: ReadPage<Item>): Promise<TimePage<Item>> {
    const scope = onlyNamed(approved, input.repository);
    return scope === null ? { items: [], next: null } : read(scope, rangeOf(input, latestVisible(this.clock.now())));
  }
}

/** A repository that is not approved has the same sources as one that does not exist: those of no repository. */
export function scopeOfList({ repository }: Pick<ScopedListInput, 'repository'>, { approved }: UseCaseContext): SourceScope {
  return repository === null ? EVERY_SOURCE : { repositoryRef: approved.refOf(repository) ?? NO_REPOSITORY };
}

/** The permission for the repository of a request, or the whole one if it names none; `null` if the repository is not approved. */
export function onlyNamed(approved: ApprovedRepositories, fullName: string | null): ApprovedRepositories | null {
  if (fullName === null) return approved;
  const ref = approved.refOf(fullName);
  return ref === null ? null : approved.only(ref);
}

/** The reader's range of a request, without the future. */
export function rangeOf({ limit, after, from, to }: TimeListInput, latest: Instant): TimeListQuery {
  return { limit, after, from, to: Math.min(to ?? latest, latest) };
}

export class GetRecord<Kind extends ShownKind> {
  readonly takes = withPermission<IdInput>(byId);

  constructor(
    private readonly kind: Kind,
    private readonly reader: RecordReader<Kind>,
    private readonly records: ScopedRecords,
  ) {}

  async execute({ id }: IdInput, context: UseCaseContext): Promise<Answer<ViewOf<RecordOf<Kind>>>> {
    const record = await this.reader.byId(context.approved, idKeyOfPublicId(this.kind, id), context);
    return this.records.one<RecordOf<Kind>>(this.kind, record, context);
  }
}

/** The filters of a kind's list, none of which is set. */
export function noFilters<Kind extends ShownKind>(kind: Kind): ListFilters<Kind> {
  return Object.fromEntries(Object.keys(KINDS[kind].filters).map((name) => [name, null])) as ListFilters<Kind>;
}

/** The input of a kind's list: its range, its repository, and the filters that `KINDS` names. */
export type ListRecordsInput<Kind extends ShownKind> = ScopedListInput & ListFilters<Kind>;

/** The records of one kind, newest first, each beside its repository. */
export class ListRecords<Kind extends ShownKind> {
  readonly takes: Takes<ListRecordsInput<Kind>>;

  constructor(
    private readonly kind: Kind,
    private readonly reader: ListReader<Kind>,
    private readonly records: ScopedRecords,
  ) {
    this.takes = withPermission({ ...timeList, repository, ...filtersOf(kind) } as RulesOf<ListRecordsInput<Kind>>);
  }

  /** What the input leaves out is as in `{ limit: 20, after: null, from: null, to: null, repository: null }`, and no filter. */
  execute(input: Partial<ListRecordsInput<Kind>>, context: UseCaseContext): Promise<PageAnswer<ViewOf<RecordOf<Kind>>, TimePosition>> {
    const query = { ...noFilters(this.kind), ...NEWEST_PAGE, repository: null, ...input };
    return this.records.page<RecordOf<Kind>>(this.kind, query, context, (approved, range) =>
      this.reader.list(approved, { ...query, ...range }, context),
    );
  }
}

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
      if (ref === NO_REPOSITORY) return { record, repository: null };
      const repository = repositories.get(ref) ?? repositoryWithoutRecord(ref, context.approved, record.provenance);
      return { record: withOwnAddresses(record, repository), repository };
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
