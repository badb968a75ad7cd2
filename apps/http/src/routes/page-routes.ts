import type { Query } from '../requests/query.js';
import { documentOf, type DocumentRoute } from './document-route.js';
import type { ApiRoute } from './route.js';
import { routes } from './table.js';

/** A page, and the endpoint that answers the same as JSON. */
export interface PageRoute<Q extends Query = Query> extends DocumentRoute<Q> {
  readonly endpoint: ApiRoute<Q>;
}

function pageOf<Q extends Query>(endpoint: ApiRoute<Q>, differences: Partial<DocumentRoute<Q>> = {}): PageRoute<Q> {
  // The parts of a page have 1 s each, which is all that some endpoints have: without more time, the page would fail with one of its parts.
  return { ...documentOf(endpoint, differences), budgetMs: null, endpoint };
}

const ACTIVITY_KINDS = ['commit', 'release'] as const;

/** Every page. */
export const pageRoutes = {
  overview: pageOf(routes.getOverview, { path: '/', vary: 'Accept', shows: [...routes.getOverview.shows, 'repository'] }),
  status: pageOf(routes.getStatus),
  service: pageOf(routes.getService, { shows: [...routes.getService.shows, 'incident'] }),
  incident: pageOf(routes.getIncident),
  history: pageOf(routes.listIncidents, { path: '/status/history', shows: routes.getStatus.shows }),
  repositories: pageOf(routes.listRepositories),
  repository: pageOf(routes.getRepositoryHub, { path: '/repositories/{owner}/{name}', shows: [...routes.getRepositoryHub.shows, ...ACTIVITY_KINDS] }),
  commits: pageOf(routes.listCommits),
  commit: pageOf(routes.getCommit),
  releases: pageOf(routes.listReleases),
  release: pageOf(routes.getRelease, { shows: [...routes.getRelease.shows, 'commit'] }),
  findings: pageOf(routes.listFindings),
  finding: pageOf(routes.getFinding),
  missions: pageOf(routes.listMissions),
  mission: pageOf(routes.getMission),
  news: pageOf(routes.listNews),
  newsRecord: pageOf(routes.getNews),
  articles: pageOf(routes.listArticles),
  article: pageOf(routes.getArticle),
  videos: pageOf(routes.listVideos),
  video: pageOf(routes.getVideo),
  search: pageOf(routes.search),
  about: pageOf(routes.listSources, { path: '/about', shows: [...routes.listSources.shows, ...routes.getStatus.shows] }),
} as const;

/** Documents about all pages. */
export const siteRoutes = {
  favicon: documentOf(routes.getStatus, { path: '/favicon.svg', type: 'image/svg+xml' }),
  siteMap: documentOf(routes.listRepositories, {
    path: '/sitemap.xml',
    type: 'application/xml; charset=utf-8',
    shows: ['repository', 'service', 'release', 'article'],
  }),
} as const;
