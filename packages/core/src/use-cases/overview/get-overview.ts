import type { Commit } from '../../kinds/commit.js';
import { UnavailableError } from '../../kinds/domain-error.js';
import type { Finding } from '../../kinds/finding.js';
import type { Instant } from '../../kinds/instant.js';
import type { News } from '../../kinds/news.js';
import type { Release } from '../../kinds/release.js';
import type { WithRepository } from '../../kinds/repository.js';
import type { StatusOverview } from '../../kinds/service-status.js';
import type { SyncedKind, SyncTimes } from '../../kinds/sync.js';
import type { CommitReader, ListReader, NewsReader, TimeListQuery, TimePage } from '../../ports/readers.js';
import type { Clock, Deadlines } from '../../ports/store.js';
import { EVERY_SOURCE } from '../../rules/freshness.js';
import { besideLastSynced } from '../../rules/own-url.js';
import { statusChangesAt } from '../../rules/service-status.js';
import {
  alsoChangingAt,
  latestVisible,
  Sources,
  withoutParts,
  type ComposedAnswer,
  type FreshnessJudge,
  type PartialContext,
  type UseCaseContext,
  type Warning,
} from '../shared/answer.js';
import type { RepositoryGate } from '../shared/records.js';
import type { StatusBoard } from '../status/services.js';
import { type Takes } from '../shared/arguments.js';

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

export interface OverviewReaders {
  readonly commits: CommitReader;
  readonly releases: ListReader<'release'>;
  readonly findings: ListReader<'finding'>;
  readonly news: NewsReader;
}

type Owned = Commit | Release | Finding;
type ListOwned = (context: UseCaseContext) => Promise<TimePage<Owned>>;
type Latest = Pick<Overview, 'latestCommit' | 'latestRelease' | 'latestFinding'>;

/** The newest of everything, its sources read side by side, each with its own time limit. A failed source gives a warning and affects no other. */
export class GetOverview {
  readonly takes: Takes<object> = { input: {}, permission: 'or-null' };

  constructor(
    private readonly readers: OverviewReaders,
    private readonly board: StatusBoard,
    private readonly gate: RepositoryGate,
    private readonly freshness: FreshnessJudge,
    private readonly deadlines: Deadlines,
    private readonly clock: Clock,
  ) {}

  async execute(_input: Readonly<Record<string, never>>, context: PartialContext): Promise<ComposedAnswer<Overview>> {
    const now = this.clock.now();
    const sources = new Sources(this.deadlines, context.signal);
    const statusWarnings: Warning[] = [];
    const [parts, syncs] = await Promise.all([
      this.#parts(sources, context, now, statusWarnings),
      sources.readQuietly<readonly SyncTimes[]>([], (signal) => this.freshness.syncs({ ...context, signal })),
    ]);
    const freshness = this.freshness.judge({ kinds: OVERVIEW_KINDS, shown: shownKinds(parts), scope: EVERY_SOURCE }, syncs);
    const whole = withoutParts(freshness, [...sources.warnings, ...statusWarnings]);
    return {
      data: { ...parts, ...latestSynced(parts, syncs), partial: sources.partial || statusWarnings.length > 0 },
      ...alsoChangingAt(whole, [parts.status === null ? null : statusChangesAt(parts.status, now)]),
      dataStatus: sources.statusWith(whole.dataStatus),
      generatedAt: now,
    };
  }

  async #parts(sources: Sources, context: PartialContext, now: Instant, statusWarnings: Warning[]): Promise<Omit<Overview, 'partial'>> {
    const { commits, releases, findings, news } = this.readers;
    const to = latestVisible(now);
    const newest: TimeListQuery = { limit: 1, after: null, from: null, to };
    const [status, latest, latestNews] = await Promise.all([
      sources.read('check', null, async (signal) => {
        const { overview, warnings } = await this.board.overview(now, { signal });
        statusWarnings.push(...warnings);
        return overview;
      }),
      this.#latest(sources, context, [
        ['commit', (own) => commits.list(own.approved, { ...newest, branch: null, author: null, changeType: null }, own)],
        ['release', (own) => releases.list(own.approved, { ...newest, platform: null, releaseType: null }, own)],
        ['finding', (own) => findings.list(own.approved, { ...newest, status: null, changeType: null }, own)],
      ]),
      sources.read<readonly News[]>(
        'news',
        [],
        async (signal) => (await news.list({ ...newest, limit: OVERVIEW_NEWS, source: null }, { signal })).items,
      ),
    ]);
    return { status, ...latest, latestNews };
  }

  /** The newest record of each kind, and their repositories in one read; without a readable allowlist nothing of a repository can be read. */
  async #latest(sources: Sources, { approved }: PartialContext, lists: readonly (readonly [Owned['kind'], ListOwned])[]): Promise<Latest> {
    const found = await Promise.all(
      lists.map(([kind, list]) =>
        sources.read<readonly Owned[]>(kind, [], async (own) => {
          if (approved === null) throw new UnavailableError();
          return (await list({ approved, signal: own })).items;
        }),
      ),
    );
    const records = found.flat();
    if (approved === null || records.length === 0) return NONE;
    const kinds = records.map(({ kind }) => kind);
    const owned = await sources.readBeside(kinds, [], (own) => this.gate.views<Owned>(records, { approved, signal: own }));
    return owned.reduce(withLatest, NONE);
  }
}

const NONE: Latest = { latestCommit: null, latestRelease: null, latestFinding: null };

function withLatest(latest: Latest, { record, repository }: WithRepository<Owned>): Latest {
  switch (record.kind) {
    case 'commit':
      return { ...latest, latestCommit: { record, repository } };
    case 'release':
      return { ...latest, latestRelease: { record, repository } };
    case 'finding':
      return { ...latest, latestFinding: { record, repository } };
  }
}

function latestSynced({ latestCommit, latestRelease, latestFinding }: Latest, syncs: readonly SyncTimes[]): Latest {
  const shown = [latestCommit, latestRelease, latestFinding].filter((one) => one !== null);
  return besideLastSynced<WithRepository<Owned>>(shown, syncs).reduce(withLatest, NONE);
}

function shownKinds({ status, latestCommit, latestRelease, latestFinding, latestNews }: Omit<Overview, 'partial'>): SyncedKind[] {
  const shown: [SyncedKind, boolean][] = [
    ['check', status !== null && status.services.length > 0],
    ['commit', latestCommit !== null],
    ['release', latestRelease !== null],
    ['finding', latestFinding !== null],
    ['news', latestNews.length > 0],
  ];
  return shown.filter(([, isShown]) => isShown).map(([kind]) => kind);
}
