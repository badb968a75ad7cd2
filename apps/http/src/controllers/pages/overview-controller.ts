import { statusJudgedAgain, type Answer, type Page } from '@vitrine/core';
import type { OverviewData } from '@vitrine/pages';
import type { Endpoint } from '../../http/endpoint.js';
import { pageRoutes } from '../../routes/page-routes.js';
import { documentEndpoint } from '../document-endpoint.js';
import type { Call } from '../api-endpoint.js';
import type { PageContext } from './page-context.js';
import { PageParts } from './page-parts.js';
import { shownRepositories } from './shown-repositories.js';
import { BAR_DAYS, daysByService } from './status-page-controllers.js';

const NEWEST = { from: null, to: null, after: null, repository: null } as const;
const COMMITS = 8;
const OTHERS = 4;

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
      text: pages.overview(data),
      repositories: shownRepositories([read.commits, read.releases, read.findings]),
      again: (now) => pages.overview({ ...data, status: data.status === null ? null : statusJudgedAgain(data.status, now) }),
    };
  });
}

async function readOverview({ useCases }: PageContext, call: Call<unknown>, parts: PageParts) {
  const list = <Item>(kind: string, read: (signal: AbortSignal) => Promise<Answer<Page<Item, unknown>>>) => parts.read(kind, read).then(itemsOf);
  const context = (signal: AbortSignal) => ({ ...call.context(), signal });
  const any = { branch: null, author: null, changeType: null, platform: null, releaseType: null, status: null, source: null } as const;
  const [status, days, activity, commits, releases, findings, news] = await Promise.all([
    parts.read('status', (signal) => useCases.getStatus.execute({}, { signal })),
    parts.read('check', (signal) => useCases.listAllServiceDays.execute({ days: BAR_DAYS }, { signal })),
    parts.read('activity', async (signal) => useCases.listActivity.execute({ from: null, to: null, repository: null }, context(signal))),
    list('commit', async (signal) => useCases.listCommits.execute({ ...NEWEST, ...any, limit: COMMITS }, context(signal))),
    list('release', async (signal) => useCases.listReleases.execute({ ...NEWEST, ...any, limit: OTHERS }, context(signal))),
    list('finding', async (signal) => useCases.listFindings.execute({ ...NEWEST, ...any, limit: OTHERS }, context(signal))),
    list('news', async (signal) => useCases.listNews.execute({ ...NEWEST, ...any, limit: OTHERS }, { signal })),
  ]);
  return { status, days: daysByService(days), activity, commits, releases, findings, news };
}

function itemsOf<Item>(page: Page<Item, unknown> | null): readonly Item[] | null {
  return page?.items ?? null;
}
