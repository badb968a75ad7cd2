import { DAY, type Instant, type Overview, statusJudgedAgain } from '@vitrine/core';
import { REPOSITORY_WEEKS } from '@vitrine/pages';
import { commits } from './commits.js';
import { findings } from './findings.js';
import { news } from './news.js';
import { releases } from './releases.js';
import { BAR_DAYS, readNamed, statusWithDays, stripsOf } from './service-strips.js';
import { recordRoute } from './shared/lists.js';
import { pageOf, type PageParts } from './shared/page.js';
import { NoQuery } from './shared/parameters.js';
import { type Call, type PageContext, STATUS_KINDS } from './shared/route.js';
import { flag, list, named, nullable, ref } from './shared/schema.js';
import { observed, statusOverviewSchema } from './status.js';

export const overviewSchema = named('Overview', 'The newest of everything.', {
  status: nullable(ref(statusOverviewSchema, 'Health of all services; `null` when it cannot be read.')),
  latestCommit: nullable(ref(commits.schema, 'Newest public commit.')),
  latestRelease: nullable(ref(releases.schema, 'Newest public release.')),
  latestFinding: nullable(ref(findings.schema, 'Newest public finding.')),
  latestNews: list('The five newest records of the feeds.', ref(news.schema, 'A news record.')),
  partial: flag('Whether a source could not be read; its member is then `null` or empty.', false),
});

export function observedOverview(overview: Overview, generatedAt: Instant): Overview {
  return { ...overview, status: overview.status && observed(overview.status, generatedAt) };
}

export const getOverviewRoute = recordRoute({
  id: 'getOverview',
  path: '/api/v1/overview',
  tag: 'Overview',
  summary: 'Get the overview',
  description:
    'The status and the newest commit, release, finding and news. A source that cannot be read leaves its member empty and sets `partial`.',
  query: NoQuery,
  schema: overviewSchema,
  shows: ['commit', 'release', 'finding', 'news', ...STATUS_KINDS],
  isComposed: true,
  cache: 'live',
  isVital: true,
  execute: async ({ approvedOrNull, signal }, { useCases }) => {
    const answer = await useCases.getOverview.execute({}, { approved: approvedOrNull(), signal });
    return { ...answer, data: observedOverview(answer.data, answer.generatedAt) };
  },
  judgedAgain: (overview, now) => ({ ...overview, status: overview.status && statusJudgedAgain(overview.status, now) }),
});

const NEWEST = { from: null, to: null, after: null, repository: null } as const;
const COMMITS = 40;
const OTHERS = 6;
const REPOSITORIES = 50;
const MOST_ACTIVE = 4;
const ACTIVE_MS = REPOSITORY_WEEKS * 7 * DAY;

export const overviewPage = pageOf(
  getOverviewRoute,
  {
    read: readOverview,
    draw: (pages) => pages.overview,
    shows: ({ commits: own, releases: released, findings: found, repositories }) => [own, released, found, repositories],
    again: (pages, data, now) => pages.again.overview({ ...data, status: data.status && statusJudgedAgain(data.status, now) }),
  },
  { path: '/', vary: 'Accept', shows: [...getOverviewRoute.shows, 'repository'] },
);

async function readOverview(call: Call<unknown>, parts: PageParts, { useCases, clock }: PageContext) {
  const { context } = call;
  const activityOf = async (repository: string | null, from: Instant | null) =>
    parts.read('activity', async (signal) => useCases.listActivity.execute({ from, to: null, repository }, context(signal)));
  const mostActive = async () => {
    const all = await parts.readItems('repository', async (signal) =>
      useCases.listRepositories.execute({ limit: REPOSITORIES, after: null }, context(signal)),
    );
    const active = all && [...all].sort((a, b) => (b.latestActivityAt ?? 0) - (a.latestActivityAt ?? 0)).slice(0, MOST_ACTIVE);
    const since = clock.now() - ACTIVE_MS;
    // In their own time: slow activity hides no repository.
    return active && Promise.all(active.map(async (repository) => ({ repository, days: await activityOf(repository.fullName, since) })));
  };
  const [status, named, activity, commits, releases, findings, news, repositories] = await Promise.all([
    parts.read('status', statusWithDays({ useCases }, BAR_DAYS)),
    readNamed({ useCases }, parts),
    activityOf(null, null),
    parts.read('commit', async (signal) => useCases.listCommits.execute({ ...NEWEST, limit: COMMITS }, context(signal))),
    parts.readItems('release', async (signal) => useCases.listReleases.execute({ ...NEWEST, limit: OTHERS }, context(signal))),
    parts.readItems('finding', async (signal) => useCases.listFindings.execute({ ...NEWEST, limit: OTHERS }, context(signal))),
    parts.readItems('news', async (signal) => useCases.listNews.execute({ ...NEWEST, limit: OTHERS }, { signal })),
    mostActive(),
  ]);
  parts.requireSome();
  const hasMoreCommits = commits !== null && commits.next !== null;
  const shown = { status: status?.status ?? null, ...stripsOf(status, named) };
  return { ...shown, activity, commits: commits?.items ?? null, hasMoreCommits, releases, findings, news, repositories };
}
