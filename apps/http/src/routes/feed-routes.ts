import type { Query } from '../requests/query.js';
import { documentOf, type DocumentRoute } from './document-route.js';
import { pageRoutes, type PageRoute } from './page-routes.js';
import { routes } from './table.js';

/** How a feed is written. */
export type FeedFormat = 'atom' | 'json';

const TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};

/** A feed in one format, and the page of the same list. */
export interface FeedRoute<Q extends Query = Query> extends DocumentRoute<Q> {
  readonly format: FeedFormat;
  readonly page: PageRoute<Q>;
}

/** Both formats of a feed. It takes the filters of its list, but has no pages. */
function feedsOf<Q extends Query>(name: string, page: PageRoute<Q>): readonly FeedRoute<Q>[] {
  return (['atom', 'json'] as const).map((format) => ({
    ...documentOf(page.endpoint, { path: `/feeds/${name}.${format}`, type: TYPES[format], ignores: ['limit', 'cursor'] }),
    format,
    page,
  }));
}

/** Every feed, in both formats. */
export const feedRoutes = {
  commits: feedsOf('commits', pageRoutes.commits),
  releases: feedsOf('releases', pageRoutes.releases),
  findings: feedsOf('findings', pageRoutes.findings),
  news: feedsOf('news', pageRoutes.news),
  articles: feedsOf('articles', pageRoutes.articles),
  videos: feedsOf('videos', pageRoutes.videos),
  incidents: feedsOf('incidents', pageRoutes.history),
} as const;

/** Planned maintenance as a calendar. */
export const maintenanceRoute = documentOf(routes.listIncidents, {
  path: '/feeds/maintenance.ics',
  type: 'text/calendar; charset=utf-8',
  ignores: ['limit', 'cursor', 'state'],
});
