import { statusJudgedAgain, type Answer, type Page } from '@vitrine/core';
import type { OverviewData } from '@vitrine/pages';
import type { Endpoint } from '../../serving/router.js';
import { pageRoutes } from '../../routes/page-routes.js';
import { documentEndpoint } from '../document-endpoint.js';
import type { Call } from '../api-endpoint.js';
import { ANY } from './any-filter.js';
import type { PageContext } from './page-context.js';
import { PageParts } from './page-parts.js';
import { shownRepositories } from './shown-repositories.js';
import { BAR_DAYS, readStrips } from './status-page-controllers.js';

const NEWEST = { from: null, to: null, after: null, repository: null } as const;
const COMMITS = 40;
const OTHERS = 6;
const REPOSITORIES = 50;

export function overviewController(context: PageContext): Endpoint {
  const { pages } = context;
  return documentEndpoint(pageRoutes.overview, context, async (call) => {
    const parts = new PageParts(context.deadlines, call.signal);
    const read = await readOverview(context, call, parts);
    parts.requireSome();
    const data: OverviewData = { ...read, ...parts.currency };
    return {
      ...parts.currency,
      changesAt: parts.changesAt,
      text: await pages.overview(data),
      repositories: shownRepositories([read.commits, read.releases, read.findings, read.repositories]),
      again: (now) => pages.again.overview({ ...data, status: data.status === null ? null : statusJudgedAgain(data.status, now) }),
    };
  });
}

async function readOverview({ useCases }: PageContext, call: Call<unknown>, parts: PageParts) {
  const list = <Item>(kind: string, read: (signal: AbortSignal) => Promise<Answer<Page<Item, unknown>>>) => parts.read(kind, read).then(itemsOf);
  const context = (signal: AbortSignal) => ({ ...call.context(), signal });
  const [status, strips, activity, commits, releases, findings, news, repositories] = await Promise.all([
    parts.read('status', (signal) => useCases.getStatus.execute({}, { signal })),
    readStrips({ useCases }, parts, BAR_DAYS),
    parts.read('activity', async (signal) => useCases.listActivity.execute({ from: null, to: null, repository: null }, context(signal))),
    parts.read('commit', async (signal) => useCases.listCommits.execute({ ...NEWEST, ...ANY, limit: COMMITS }, context(signal))),
    list('release', async (signal) => useCases.listReleases.execute({ ...NEWEST, ...ANY, limit: OTHERS }, context(signal))),
    list('finding', async (signal) => useCases.listFindings.execute({ ...NEWEST, ...ANY, limit: OTHERS }, context(signal))),
    list('news', async (signal) => useCases.listNews.execute({ ...NEWEST, ...ANY, limit: OTHERS }, { signal })),
    list('repository', async (signal) => useCases.listRepositories.execute({ limit: REPOSITORIES, after: null }, context(signal))),
  ]);
  const hasMoreCommits = commits !== null && commits.next !== null;
  return { status, ...strips, activity, commits: itemsOf(commits), hasMoreCommits, releases, findings, news, repositories };
}

function itemsOf<Item>(page: Page<Item, unknown> | null): readonly Item[] | null {
  return page?.items ?? null;
}
