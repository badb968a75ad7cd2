import { MINUTE, OVERVIEW_NEWS, SOURCE_DEADLINE_MS, UnavailableError, type Deadlines } from '@vitrine/core';
import {
  aCheck,
  aCommit,
  aFinding,
  anIncident,
  aRelease,
  aRepositoryRecord,
  aService,
  aSync,
  NOW,
  someNews,
  StandingClock,
} from '@vitrine/core/testing';
import { type FakeReaders, context, failing, fakeReaders, hanging } from '../../../test/fake-readers.js';
import { useCasesOver, widgetOnly } from '../../../test/fake-use-cases.js';

const sync = aSync({ feeds: ['repository', 'commit', 'release', 'finding', 'news', 'check'] });
const world = [
  aRepositoryRecord(),
  aCommit(),
  aRelease(),
  aFinding(),
  ...Array.from({ length: 7 }, (_, index) => someNews({ id: `n${index}`, listedAt: NOW - index })),
  aService(),
  aCheck(),
  anIncident({ id: 'inc_open', state: 'identified' }),
  sync,
];

const overviewOver = (over: Partial<FakeReaders> = {}) => useCasesOver({ ...fakeReaders(world), ...over });
const sourcesOf = (warnings: readonly { source: string }[]) => warnings.map(({ source }) => source);

describe('GetOverview', () => {
  it('shows the newest of everything', async () => {
    const answer = await overviewOver().getOverview.execute({}, widgetOnly);
    expect(answer).toMatchObject({
      dataStatus: 'fresh',
      warnings: [],
      generatedAt: NOW,
      data: {
        partial: false,
        status: { overallState: 'operational', incidents: { current: [{ id: 'inc_open' }], historicalAvailable: true } },
        latestCommit: { record: { sha: aCommit().sha }, repository: { fullName: 'acme/widget' } },
        latestRelease: { record: { tagName: 'v2.1.0' } },
        latestFinding: { record: { id: 'fnd_1' } },
      },
    });
    expect(answer.data.latestNews.map(({ id }) => id)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
    expect(OVERVIEW_NEWS).toBe(5);
  });

  it('is empty over an empty store, and knows nothing of its freshness', async () => {
    const answer = await useCasesOver(fakeReaders([])).getOverview.execute({}, widgetOnly);
    expect(answer).toMatchObject({ dataStatus: 'unknown', warnings: [] });
    expect(answer.data).toMatchObject({ latestCommit: null, latestRelease: null, latestFinding: null, latestNews: [], partial: false });
    expect(answer.data.status).toMatchObject({ overallState: 'unknown', services: [], observedAt: null });
  });

  const parts = {
    commit: { reader: 'commits', field: 'latestCommit', source: 'commit' },
    release: { reader: 'releases', field: 'latestRelease', source: 'release' },
    finding: { reader: 'findings', field: 'latestFinding', source: 'finding' },
    news: { reader: 'news', field: 'latestNews', source: 'news' },
  } as const;

  it.each(Object.values(parts).flatMap((part) => [failing, hanging].map((call) => ({ ...part, call, name: call.name }))))(
    'does without $reader that is $name, and says so',
    async ({ reader, field, source, call }) => {
      const readers = fakeReaders(world);
      const { getOverview } = useCasesOver({ ...readers, [reader]: { ...readers[reader], list: call } });
      const { data, dataStatus, warnings } = await getOverview.execute({}, widgetOnly);
      expect(data[field]).toEqual(reader === 'news' ? [] : null);
      expect([data.partial, dataStatus, sourcesOf(warnings)]).toEqual([true, 'partial', [source]]);
      const others = Object.values(parts).filter((part) => part.field !== field);
      for (const other of others) expect(data[other.field]).not.toEqual(other.field === 'latestNews' ? [] : null);
    },
  );

  it.each([failing, hanging])('does without checks that are %p', async (present) => {
    const readers = fakeReaders(world);
    const { data, warnings } = await overviewOver({ checks: { ...readers.checks, present } }).getOverview.execute({}, widgetOnly);
    expect([data.status, data.partial, sourcesOf(warnings)]).toEqual([null, true, ['status']]);
    expect(data.latestCommit).not.toBeNull();
  });

  it('reads the repositories of all that it shows at once', async () => {
    const readers = fakeReaders(world);
    await useCasesOver(readers).getOverview.execute({}, widgetOnly);
    expect(readers.calls.filter((call) => call.startsWith('repository'))).toEqual(['repository.byRefs']);
  });

  it.each([failing, hanging])('does without repositories that are %p', async (byRefs) => {
    const repositories = { ...fakeReaders(world).repositories, byRefs };
    const { data, dataStatus, warnings } = await overviewOver({ repositories }).getOverview.execute({}, widgetOnly);
    expect([data.latestCommit, data.latestRelease, data.latestFinding, data.latestNews.length]).toEqual([null, null, null, OVERVIEW_NEWS]);
    expect([data.partial, dataStatus, sourcesOf(warnings)]).toEqual([true, 'partial', ['commit', 'finding', 'release']]);
  });

  it('shows the services when only the incidents cannot be read', async () => {
    const incidents = { ...fakeReaders(world).incidents, unresolved: failing };
    const { data, dataStatus, warnings } = await overviewOver({ incidents }).getOverview.execute({}, widgetOnly);
    expect(data.status?.services).toHaveLength(1);
    expect(data.status?.incidents).toEqual({ current: [], historicalAvailable: false });
    expect([data.partial, dataStatus, sourcesOf(warnings)]).toEqual([true, 'partial', ['incident']]);
  });

  it.each([failing, hanging])('does without sync records that are %p', async (list) => {
    const answer = await overviewOver({ syncs: { list } }).getOverview.execute({}, widgetOnly);
    expect(answer).toMatchObject({ dataStatus: 'unknown', warnings: [], data: { partial: false } });
    expect(answer.data.latestCommit).not.toBeNull();
  });

  it('reads its sources side by side, each in a time of its own', async () => {
    const readers = fakeReaders(world);
    const all = {
      ...readers,
      commits: { ...readers.commits, list: hanging },
      releases: { ...readers.releases, list: hanging },
      findings: { ...readers.findings, list: hanging },
      news: { ...readers.news, list: hanging },
      services: { ...readers.services, list: hanging },
      syncs: { list: hanging },
    };
    // All six run out together, and only when all six were begun: one after the other they would never end.
    const granted: number[] = [];
    const giveUp: (() => void)[] = [];
    const deadlines: Deadlines = {
      run: (milliseconds) =>
        new Promise((_, reject) => {
          granted.push(milliseconds);
          giveUp.push(() => reject(new UnavailableError()));
          if (giveUp.length === 6) for (const give of giveUp) give();
        }),
    };
    const answer = await useCasesOver(all, new StandingClock(NOW), deadlines).getOverview.execute({}, widgetOnly);
    expect(granted).toEqual(Array.from({ length: 6 }, () => SOURCE_DEADLINE_MS));
    expect(answer.dataStatus).toBe('unavailable');
    expect(answer.data).toEqual({ status: null, latestCommit: null, latestRelease: null, latestFinding: null, latestNews: [], partial: true });
    expect(sourcesOf(answer.warnings)).toEqual(['status', 'commit', 'finding', 'news', 'release']);
  });

  it('shows what belongs to no repository when the allowlist cannot be read', async () => {
    const readers = fakeReaders(world);
    const { data, dataStatus, warnings } = await useCasesOver(readers).getOverview.execute({}, { ...context, approved: null });
    expect([data.latestCommit, data.latestRelease, data.latestFinding, data.partial]).toEqual([null, null, null, true]);
    expect(data.status?.services).toHaveLength(1);
    expect(data.latestNews).toHaveLength(5);
    expect([dataStatus, sourcesOf(warnings)]).toEqual(['partial', ['commit', 'finding', 'release']]);
    expect(readers.calls.filter((call) => /^(commit|release|finding|repository)/.test(call))).toEqual([]);
  });

  it.each([
    ['commit', aCommit()],
    ['release', aRelease()],
    ['finding', aFinding()],
    ['news', someNews()],
    ['check', aService()],
  ] as const)('cannot tell how fresh it is when it shows a %s that no run is recorded for', async (kind, record) => {
    const others = aSync({ feeds: sync.feeds.filter((fed) => fed !== kind) });
    const statusOf = async (...records: Parameters<typeof fakeReaders>[0]) =>
      (await useCasesOver(fakeReaders(records)).getOverview.execute({}, widgetOnly)).dataStatus;
    expect([await statusOf(others, record), await statusOf(others)]).toEqual(['unknown', 'fresh']);
  });

  it('is stale when what it shows was not collected for long', async () => {
    const old = fakeReaders([...world.filter((record) => record !== sync), { ...sync, lastSuccessAt: NOW - 60 * MINUTE }]);
    expect((await useCasesOver(old).getOverview.execute({}, widgetOnly)).dataStatus).toBe('stale');
  });

  it('shows nothing that is dated in the future', async () => {
    const later = NOW + 5 * MINUTE + 1;
    const future = [
      aCommit({ sha: 'f'.repeat(40), committedAt: later }),
      aRelease({ id: 'f', publishedAt: later }),
      aFinding({ id: 'f', detectedAt: later }),
      someNews({ id: 'f', listedAt: later }),
    ];
    const { data } = await useCasesOver(fakeReaders(future)).getOverview.execute({}, widgetOnly);
    expect(data).toMatchObject({ latestCommit: null, latestRelease: null, latestFinding: null, latestNews: [] });
  });
});
