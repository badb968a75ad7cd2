import type { Commit } from '../../kinds/commit.js';
import { UnavailableError } from '../../kinds/domain-error.js';
import type { Finding } from '../../kinds/finding.js';
import type { Instant } from '../../kinds/instant.js';
import type { News } from '../../kinds/news.js';
import type { Release } from '../../kinds/release.js';
import type { WithRepository } from '../../kinds/repository.js';
import type { StatusOverview } from '../../kinds/service-status.js';
import type { SyncedKind, SyncTimes } from '../../kinds/sync.js';
import type { ListReader } from '../../ports/readers.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { besideLastSynced } from '../../rules/own-url.js';
import { statusChangesAt } from '../../rules/service-status.js';
import { alsoChangingAt, BESIDE_DEADLINE_MS, latestVisible, Sources, withoutParts } from '../shared/answer.js';
import type { ComposedAnswer, PartialContext } from '../shared/answer.js';
import type { Takes } from '../shared/arguments.js';
import type { Parts } from '../shared/parts.js';
import { noFilters } from '../shared/records.js';

/** How many of the newest news records the overview shows. */
export const OVERVIEW_NEWS = 5;

const OVERVIEW_KINDS = ['check', 'commit', 'release', 'finding', 'news'] as const satisfies readonly SyncedKind[];

export interface Overview {
  readonly status: StatusOverview | null;
  readonly latestCommit: WithRepository<Commit> | null;
  readonly latestRelease: WithRepository<Release> | null;
  readonly latestFinding: WithRepository<Finding> | null;
  readonly latestNews: readonly News[];
  /** Whether a source could not be read; its field is then null or empty. */
  readonly partial: boolean;
}

type OwnedKind = 'commit' | 'release' | 'finding';
type Owned = Commit | Release | Finding;

/** The newest of everything, its sources read side by side, each with its own time limit. A failed source gives a warning and affects no other. */
export class GetOverview {
  readonly takes: Takes<object> = { input: {}, permission: 'or-null' };

  constructor(private readonly parts: Parts<'status' | 'gate' | 'freshness' | 'deadlines' | 'clock', 'commits' | 'releases' | 'findings' | 'news'>) {}

  async execute(_input: Readonly<Record<string, never>>, context: PartialContext): Promise<ComposedAnswer<Overview>> {
    const { freshness: judge, clock, deadlines } = this.parts;
    const now = clock.now();
    const sources = new Sources(deadlines, context.signal);
    const [found, records, latestNews, syncs] = await Promise.all([
      sources.read(['check'], null, (signal) => this.parts.status.overview(now, { signal })),
      this.#newest(sources, now, context),
      this.#news(sources, now),
      sources.read<readonly SyncTimes[]>([], [], (signal) => judge.syncs({ ...context, signal })),
    ]);
    const { overview: status = null, warnings = [] } = found ?? {};
    const owned = besideLastSynced(records, syncs);
    const kinds = new Set([...owned.map(({ record }) => record), ...latestNews].map(({ kind }) => kind));
    const shown = OVERVIEW_KINDS.filter((kind) => (kind === 'check' ? (status?.services.length ?? 0) > 0 : kinds.has(kind)));
    const freshness = judge.judge({ kinds: OVERVIEW_KINDS, shown, scope: EVERY_SOURCE }, syncs);
    const whole = withoutParts(freshness, [...sources.warnings, ...warnings]);
    return {
      data: {
        status,
        latestCommit: ofKind('commit', owned),
        latestRelease: ofKind('release', owned),
        latestFinding: ofKind('finding', owned),
        latestNews,
        partial: sources.partial || warnings.length > 0,
      },
      ...alsoChangingAt(whole, [status === null ? null : statusChangesAt(status, now)]),
      dataStatus: sources.statusWith(whole.dataStatus),
      generatedAt: now,
    };
  }

  async #news(sources: Sources, now: Instant): Promise<readonly News[]> {
    const query = { limit: OVERVIEW_NEWS, after: null, from: null, to: latestVisible(now), source: null };
    return sources.read<readonly News[]>(['news'], [], async (signal) => (await this.parts.readers.news.list(query, { signal })).items);
  }

  /** The newest record of each kind, and their repositories in one read; without a readable allowlist nothing of a repository can be read. */
  async #newest(sources: Sources, now: Instant, { approved }: PartialContext): Promise<readonly WithRepository<Owned>[]> {
    const newest = <Kind extends OwnedKind>(kind: Kind, reader: ListReader<Kind>) =>
      sources.read<readonly Owned[]>([kind], [], async (signal) => {
        if (approved === null) throw new UnavailableError();
        const range = { limit: 1, after: null, from: null, to: latestVisible(now) };
        return (await reader.list(approved, { ...range, ...noFilters(kind) }, { signal })).items;
      });
    const { commits, releases, findings } = this.parts.readers;
    const records = (await Promise.all([newest('commit', commits), newest('release', releases), newest('finding', findings)])).flat();
    if (approved === null || records.length === 0) return [];
    const kinds = records.map(({ kind }) => kind);
    return sources.read(kinds, [], (signal) => this.parts.gate.views<Owned>(records, { approved, signal }), BESIDE_DEADLINE_MS);
  }
}

function ofKind<Kind extends OwnedKind>(kind: Kind, owned: readonly WithRepository<Owned>[]) {
  type View = WithRepository<Extract<Owned, { readonly kind: Kind }>>;
  return owned.find((view): view is View => view.record.kind === kind) ?? null;
}
