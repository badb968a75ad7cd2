import { earliestOf, type Instant } from '../../kinds/instant.js';
import { compareText, pageOf, type IdPosition, type PageRequest } from '../../kinds/page.js';
import { nameOfRef, NO_REPOSITORY } from '../../kinds/repository-name.js';
import { CONFIGURATION, publicSourceId, serviceOf, type SourceType, type SyncedKind, type SyncTimes } from '../../kinds/sync.js';
import type { ApprovedRepositories } from '../../rules/allowlist.js';
import { sourceStateChangesAt, sourceStateOf, type SourceState } from '../../rules/freshness.js';
import type { PageAnswer, UseCaseContext } from '../shared/answer.js';
import type { Parts } from '../shared/parts.js';
import { FIRST_PAGE } from '../shared/records.js';
import { limit, positionOf, withPermission } from '../shared/arguments.js';

/** Something that records come from, as it is published. */
export interface SourceStatus {
  readonly id: string;
  readonly sourceType: SourceType;
  readonly label: string;
  readonly feeds: readonly SyncedKind[];
  /** `owner/name`. The repository itself may not be stored yet. */
  readonly repository: string | null;
  /** The key of the service that the source checks. */
  readonly service: string | null;
  readonly state: SourceState;
  readonly lastSuccessAt: Instant | null;
  readonly lastAttemptAt: Instant | null;
  readonly intervalMs: number;
  /** When the state was judged. */
  readonly observedAt: Instant;
}

export type ListSourcesInput = PageRequest<IdPosition>;

/** The sources of approved repositories and of none, by id. */
export class ListSources {
  readonly takes = withPermission<ListSourcesInput>({ limit, after: positionOf('id') });

  constructor(private readonly parts: Parts<'gate' | 'clock', 'syncs'>) {}

  /** The list shows the present state of the sources, so it is `fresh` even if sources are late. */
  async execute(input: Partial<ListSourcesInput>, context: UseCaseContext): Promise<PageAnswer<SourceStatus, IdPosition>> {
    const { limit, after } = { ...FIRST_PAGE, ...input };
    const { readers, gate, clock } = this.parts;
    const syncs = gate.admitted(await readers.syncs.list(context.approved, context), context);
    const now = clock.now();
    const sources = byId(syncs.flatMap((sync) => sourceOf(sync, context.approved, now) ?? []));
    const rest = sources.filter(({ id }) => after === null || compareText(id, after.id) > 0);
    const changesAt = earliestOf(syncs.map((sync) => sourceStateChangesAt(sync, now)));
    return { data: pageOf(rest.slice(0, limit + 1), limit, ({ id }) => ({ id })), dataStatus: 'fresh', warnings: [], changesAt };
  }
}

function sourceOf(sync: SyncTimes, approved: ApprovedRepositories, now: Instant): SourceStatus | null {
  const { sourceType, label, feeds, repositoryRef, lastSuccessAt, lastAttemptAt, intervalMs } = sync;
  const id = publicSourceId(sync);
  if (id === null || sourceType === CONFIGURATION) return null;
  return {
    id,
    sourceType,
    label,
    feeds,
    repository: repositoryRef === NO_REPOSITORY ? null : (approved.nameOf(repositoryRef)?.fullName ?? nameOfRef(repositoryRef)),
    service: serviceOf(sync),
    state: sourceStateOf(sync, now),
    lastSuccessAt,
    lastAttemptAt,
    intervalMs,
    observedAt: now,
  };
}

/** In the order of their ids, each of which names one source. */
function byId(sources: readonly SourceStatus[]): readonly SourceStatus[] {
  return [...new Map(sources.map((source) => [source.id, source])).values()].sort((a, b) => compareText(a.id, b.id));
}
