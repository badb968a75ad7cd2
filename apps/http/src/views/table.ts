import type { SearchType, UseCases } from '@vitrine/core';
import type { EntryLinks } from '@vitrine/feeds';
import type { SiteCopy } from '@vitrine/pages';
import type { Endpoint } from '../serving/router.js';
import { activityView, listActivityRoute } from './activity.js';
import { articles } from './articles.js';
import { buildsView, listBuildsRoute } from './builds.js';
import { commits } from './commits.js';
import { findings } from './findings.js';
import { getRepositoryHubRoute, hubView } from './hub.js';
import { incidents, listMaintenanceRoute, maintenanceView } from './incidents.js';
import { missions } from './missions.js';
import { news } from './news.js';
import { getOverviewRoute, overviewView } from './overview.js';
import { getApiIndexRoute, getIndexRoute, getLivenessRoute, getOpenApiRoute, getProblemRoute, getReadinessRoute } from './plain.js';
import { releases } from './releases.js';
import { getRepositoryByFullNameRoute, getRepositoryRoute, listRepositoriesRoute, repositoryViews } from './repositories.js';
import { searchRoute, searchView } from './search.js';
import { getServiceHistoryRoute, historyView } from './service-history.js';
import { getServiceRoute, listServicesRoute, servicesView, serviceView } from './services.js';
import { apiEndpoint, type ControllerContext, replyOf } from './shared/endpoint.js';
import { linksBy, type Links, type PagesAt, pathsOf } from './shared/present.js';
import type { Route } from './shared/route.js';
import { listSourcesRoute, sourcesView } from './sources.js';
import { getStatusRoute, statusView } from './status.js';
import { videos } from './videos.js';

/** Every address the service answers: the one place that names a route, a parameter or a limit. */
export const routes = {
  listCommits: commits.list,
  getCommit: commits.get,
  listReleases: releases.list,
  getRelease: releases.get,
  listBuilds: listBuildsRoute,
  listActivity: listActivityRoute,
  listFindings: findings.list,
  getFinding: findings.get,
  listMissions: missions.list,
  getMission: missions.get,
  listRepositories: listRepositoriesRoute,
  getRepository: getRepositoryRoute,
  getRepositoryByFullName: getRepositoryByFullNameRoute,
  getRepositoryHub: getRepositoryHubRoute,
  listNews: news.list,
  getNews: news.get,
  listArticles: articles.list,
  getArticle: articles.get,
  listVideos: videos.list,
  getVideo: videos.get,
  getApiIndex: getApiIndexRoute,
  getOverview: getOverviewRoute,
  search: searchRoute,
  getStatus: getStatusRoute,
  listServices: listServicesRoute,
  getService: getServiceRoute,
  getServiceHistory: getServiceHistoryRoute,
  listIncidents: incidents.list,
  getIncident: incidents.get,
  listMaintenance: listMaintenanceRoute,
  listSources: listSourcesRoute,
  getIndex: getIndexRoute,
  getOpenApi: getOpenApiRoute,
  getLiveness: getLivenessRoute,
  getReadiness: getReadinessRoute,
  getProblem: getProblemRoute,
} as const;

export const routeTable: readonly Route[] = Object.values(routes);

/** The route that answers with one record of each type. */
export const ROUTE_OF: Readonly<Record<SearchType, Route>> = {
  article: routes.getArticle,
  commit: routes.getCommit,
  finding: routes.getFinding,
  incident: routes.getIncident,
  mission: routes.getMission,
  news: routes.getNews,
  release: routes.getRelease,
  repository: routes.getRepositoryByFullName,
  'status-service': routes.getService,
  video: routes.getVideo,
};

/** The addresses of the route table. @param basePath the prefix of each, such as `/vitrine`; empty for none */
export function routeLinks(basePath: string, pages: PagesAt): Links {
  const records = Object.fromEntries(Object.entries(ROUTE_OF).map(([type, route]) => [type, pathsOf(route, basePath)])) as Readonly<
    Record<SearchType, (id: string) => string>
  >;
  const list = (route: Route) => pathsOf(route, basePath)();
  const lists = {
    commits: list(routes.listCommits),
    releases: list(routes.listReleases),
    findings: list(routes.listFindings),
    missions: list(routes.listMissions),
  };
  return linksBy(records, lists, pathsOf(routes.getRepositoryHub, basePath), pages);
}

/** A copy of the site, in which a record can be included. */
interface GrowingCopy extends SiteCopy {
  /** @returns the address of the JSON of the record */
  readonly include: (type: SearchType, id: string) => string;
}

const NO_LISTS = { commits: null, releases: null, findings: null, missions: null } as const;

/** The addresses in the JSON of a copy. A record is included when its address is written, so no address is dead. */
export function copyLinks(copy: GrowingCopy, basePath: string, pages: PagesAt): Links {
  const served = routeLinks('', pages);
  return {
    record: (type, id) => basePath + copy.include(type, id),
    page: served.page,
    hub: (owner, name) => {
      const json = copy.include('repository', `${owner}/${name}`);
      return basePath + (copy.addressOf(served.hub(owner, name)) ?? json);
    },
    lists: () => NO_LISTS,
  };
}

const LINKS = [
  ['service-desc', routes.getOpenApi],
  ['overview', routes.getOverview],
  ['status', routes.getStatus],
  ['search', routes.search],
  ['repositories', routes.listRepositories],
  ['commits', routes.listCommits],
  ['releases', routes.listReleases],
  ['builds', routes.listBuilds],
  ['activity', routes.listActivity],
  ['findings', routes.listFindings],
  ['missions', routes.listMissions],
  ['news', routes.listNews],
  ['articles', routes.listArticles],
  ['videos', routes.listVideos],
  ['incidents', routes.listIncidents],
  ['maintenance', routes.listMaintenance],
  ['services', routes.listServices],
  ['sources', routes.listSources],
  ['liveness', routes.getLiveness],
  ['readiness', routes.getReadiness],
] as const;

/** The body of `/` and `/api/v1`: links to all endpoints. */
export function indexBody(basePath: string) {
  return {
    name: 'vitrine',
    apiVersion: 'v1',
    description: 'The public window onto a team’s development: commits, releases, findings, news and service status, read-only.',
    links: LINKS.map(([rel, { path }]) => ({ rel, href: basePath + path })),
  };
}

/** The index of the API, in the envelope. */
function apiIndexView(context: ControllerContext): Endpoint {
  const index = indexBody(context.basePath);
  const reply = replyOf(routes.getApiIndex, { data: index, dataStatus: 'fresh', warnings: [], changesAt: null }, index);
  return apiEndpoint(routes.getApiIndex, context, () => Promise.resolve(reply));
}

/** Everything below `/api/v1`. */
export function allViews(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  return [
    ...commits.endpoints(useCases, context),
    ...releases.endpoints(useCases, context),
    buildsView(useCases, context),
    activityView(useCases, context),
    ...findings.endpoints(useCases, context),
    ...missions.endpoints(useCases, context),
    ...repositoryViews(useCases, context),
    hubView(useCases, context),
    ...news.endpoints(useCases, context),
    ...articles.endpoints(useCases, context),
    ...videos.endpoints(useCases, context),
    apiIndexView(context),
    overviewView(useCases, context),
    searchView(useCases, context),
    statusView(useCases, context),
    servicesView(useCases, context),
    serviceView(useCases, context),
    historyView(useCases, context),
    ...incidents.endpoints(useCases, context),
    maintenanceView(useCases, context),
    sourcesView(useCases, context),
  ];
}

/** The absolute addresses of records, at the public address of this moment. It has the base path at its end. */
export function entryLinks(pages: PagesAt): EntryLinks {
  const { record, page } = routeLinks('', pages);
  const origin = pages.publicUrl();
  // The address of the JSON also in a copy, where it is an id and leads nowhere: readers know the entries again.
  return { record: (type, id) => origin + record(type, id), page };
}
