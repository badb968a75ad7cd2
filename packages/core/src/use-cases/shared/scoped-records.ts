import { NO_REPOSITORY } from '../../domain/repositories/repository-name.js';
import { positionOf } from '../../domain/record-key.js';
import { NotFoundError } from '../../domain/shared/domain-error.js';
import type { Instant } from '../../domain/shared/instant.js';
import type { TimePosition } from '../../domain/shared/page.js';
import type { ApprovedRepositories } from '../../policies/allowlist.js';
import { EVERY_SOURCE, type SourceScope } from '../../policies/freshness.js';
import { besideLastSynced } from '../../policies/last-synced.js';
import type { ScopedRecord } from '../../policies/own-addresses.js';
import type { Clock } from '../../ports/clock.js';
import type { TimeListQuery, TimePage } from '../../ports/time-list.js';
import type { Answer, PageAnswer } from './answer.js';
import type { FreshnessJudge } from './freshness-judge.js';
import { nextAfter, type RepositoryGate, type ViewOf } from './repository-gate.js';
import type { UseCaseContext } from './use-case-context.js';
import { isVisible, latestVisible } from './visibility.js';

/** What every list in time order takes. */
export interface TimeListInput {
  /** 1 to 100. */
  readonly limit: number;
  readonly after: TimePosition | null;
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
  readonly #gate: RepositoryGate;
  readonly #freshness: FreshnessJudge;
  readonly #clock: Clock;

  constructor(gate: RepositoryGate, freshness: FreshnessJudge, clock: Clock) {
    this.#gate = gate;
    this.#freshness = freshness;
    this.#clock = clock;
  }

  async page<Item extends ScopedRecord>(
    kind: Item['kind'],
    input: ScopedListInput,
    context: UseCaseContext,
    read: ReadPage<Item>,
  ): Promise<PageAnswer<ViewOf<Item>, TimePosition>> {
    const scope = scopeOfList(input, context);
    const [found, { freshness, syncs }] = await Promise.all([this.#read(input, context, read), this.#freshness.withSyncs(kind, scope, context)]);
    const items = besideLastSynced(await this.#gate.views(found.items, context), syncs);
    return { data: { items, next: nextAfter(found, items, ({ record }) => positionOf(record)) }, ...freshness };
  }

  async one<Item extends ScopedRecord>(kind: Item['kind'], record: Item | null, context: UseCaseContext): Promise<Answer<ViewOf<Item>>> {
    const scope = scopeOfRecord(record);
    const [found, { freshness, syncs }] = await Promise.all([
      this.#gate.views(this.#visible(record), context),
      this.#freshness.withSyncs(kind, scope, context),
    ]);
    const [shown] = besideLastSynced(found, syncs);
    if (shown === undefined) throw new NotFoundError();
    return { data: shown, ...freshness };
  }

  /** Of records that were looked up, those that may be shown now. */
  shown<Item extends ScopedRecord>(records: readonly Item[], context: UseCaseContext): readonly Item[] {
    return this.#gate.admitted(records, context).filter((record) => isVisible(record, this.#clock.now()));
  }

  #visible<Item extends ScopedRecord>(record: Item | null): readonly Item[] {
    return record !== null && isVisible(record, this.#clock.now()) ? [record] : [];
  }

  async #read<Item>(input: ScopedListInput, { approved }: UseCaseContext, read: ReadPage<Item>): Promise<TimePage<Item>> {
    const scope = input.repository === null ? approved : onlyNamed(approved, input.repository);
    return scope === null ? { items: [], next: null } : read(scope, rangeOf(input, latestVisible(this.#clock.now())));
  }
}

/** A repository that is not approved has the same sources as one that does not exist: those of no repository. */
export function scopeOfList({ repository }: Pick<ScopedListInput, 'repository'>, { approved }: UseCaseContext): SourceScope {
  return repository === null ? EVERY_SOURCE : { repositoryRef: approved.refOf(repository) ?? NO_REPOSITORY };
}

function scopeOfRecord(record: ScopedRecord | null): SourceScope {
  return { repositoryRef: record?.repositoryRef ?? NO_REPOSITORY };
}

export function onlyNamed(approved: ApprovedRepositories, fullName: string): ApprovedRepositories | null {
  const ref = approved.refOf(fullName);
  return ref === null ? null : approved.only(ref);
}

/** The reader's range of a request, without the future. */
export function rangeOf({ limit, after, from, to }: TimeListInput, latest: Instant): TimeListQuery {
  return { limit, after, from, to: Math.min(to ?? latest, latest) };
}
