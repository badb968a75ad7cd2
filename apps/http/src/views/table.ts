import { KINDS, type SearchType } from '@vitrine/core';
import type { EntryLinks } from '@vitrine/feeds';
import type { SiteCopy } from '@vitrine/pages';
import type { Endpoint } from '../serving/router.js';
import { listActivityRoute } from './activity.js';
import { articles, imageRoute } from './articles.js';
import { badgeRoutes } from './badges.js';
import { listBuildsRoute } from './builds.js';
import { historyPage, incidentFeeds, incidents, listMaintenanceRoute, maintenanceRoute } from './incidents.js';
import { getRepositoryHubRoute, repositoryByFullNamePage, repositoryPage } from './hub.js';
import type { ViewedKind } from './kind-parts.js';
import { getOverviewRoute, overviewPage } from './overview.js';
import { getIndexRoute, getLivenessRoute, getOpenApiRoute, getProblemRoute, getReadinessRoute, indexSchema } from './plain.js';
import { getRepositoryByFullNameRoute, getRepositoryRoute, listRepositoriesRoute, repositoriesPage } from './repositories.js';
import { searchPage, searchRoute } from './search.js';
import { getServiceHistoryRoute, getServiceRoute, listServicesRoute, servicePage } from './services.js';
import { apiEndpoint, documentEndpoint } from './shared/endpoint.js';
import { recordRoute } from './shared/lists.js';
import { FRESH, type PageRoute } from './shared/page.js';
import { NoQuery } from './shared/parameters.js';
import { type Links, pageAddresses, type PagesAt, pathsOf } from './shared/schema.js';
import type { DocumentRoute, PageContext, Route, Tag, ViewContext } from './shared/route.js';
import { rootEndpoint, siteEndpoints } from './site.js';
import { aboutPage, listSourcesRoute } from './sources.js';
import { getStatusRoute, statusPage } from './status.js';
import { commits } from './commits.js';
import { findings } from './findings.js';
import { missions } from './missions.js';
import { news } from './news.js';
import { releases } from './releases.js';
import { videos } from './videos.js';

/** The view of each kind. Routes, endpoints, links, pages, feeds and the description of the API follow from it, in this order. */
const KIND_VIEWS = {
  commit: commits,
  release: releases,
  finding: findings,
  mission: missions,
  news,
  article: articles,
  video: videos,
  incident: incidents,
} as const satisfies { readonly [Kind in ViewedKind]: { readonly kind: Kind } };

export const kindViews = Object.values(KIND_VIEWS);

function kindViewsOf(tag: Tag) {
  return kindViews.filter(({ list }) => list.tag === tag);
}

/** How many kinds stand before builds and activity, which are made from them. */
const BEFORE_BUILDS = 2;
const [development, content, status] = [kindViewsOf('Development'), kindViewsOf('Content'), kindViewsOf('Status')];
const [first, others] = [development.slice(0, BEFORE_BUILDS), development.slice(BEFORE_BUILDS)];
const routesOf = (views: typeof kindViews): readonly Route[] => views.flatMap(({ list, get }) => [list, get]);

export const getApiIndexRoute = recordRoute({
  id: 'getApiIndex',
  path: '/api/v1',
  tag: 'Overview',
  summary: 'Get the index of the API',
  description: 'The same links as at `/`, inside the envelope.',
  query: NoQuery,
  schema: indexSchema,
  shows: [],
  holdsRepositories: false,
  execute: (_call, { basePath }) => Promise.resolve({ ...FRESH, data: indexBody(basePath) }),
});

export const routeTable: readonly Route[] = [
  ...routesOf(first),
  listBuildsRoute,
  listActivityRoute,
  ...routesOf(others),
  listRepositoriesRoute,
  getRepositoryRoute,
  getRepositoryByFullNameRoute,
  getRepositoryHubRoute,
  ...routesOf(content),
  getApiIndexRoute,
  getOverviewRoute,
  searchRoute,
  getStatusRoute,
  listServicesRoute,
  getServiceRoute,
  getServiceHistoryRoute,
  ...routesOf(status),
  listMaintenanceRoute,
  listSourcesRoute,
  getIndexRoute,
  getOpenApiRoute,
  getLivenessRoute,
  getReadinessRoute,
  getProblemRoute,
];

/** The route that answers with one record of each type. */
export const ROUTE_OF: Readonly<Record<SearchType, Route>> = {
  ...(Object.fromEntries(kindViews.map(({ kind, get }) => [kind, get])) as Record<ViewedKind, Route>),
  repository: getRepositoryByFullNameRoute,
  'status-service': getServiceRoute,
};

export function routeLinks(basePath: string, pages: PagesAt): Links {
  const paths = new Map(Object.entries(ROUTE_OF).map(([type, route]) => [type, pathsOf(route, basePath)]));
  return {
    publicUrl: pages.publicUrl,
    record: (type, id) => paths.get(type)?.(id) ?? '',
    page: pageAddresses(pages),
    hub: pathsOf(getRepositoryHubRoute, basePath),
    list: (path, fullName) => `${basePath}${path}?repository=${encodeURIComponent(fullName)}`,
  };
}

/** The addresses in the JSON of a copy. A record is included when its address is written, so no address is dead. */
export function copyLinks(copy: SiteCopy & { readonly include: Links['record'] }, basePath: string, pages: PagesAt): Links {
  const served = routeLinks('', pages);
  return {
    publicUrl: served.publicUrl,
    record: (type, id) => basePath + copy.include(type, id),
    page: (type, id) => {
      copy.include(type, id);
      return served.page(type, id);
    },
    hub: (owner, name) => {
      const json = copy.include('repository', `${owner}/${name}`);
      return basePath + (copy.addressOf(served.hub(owner, name)) ?? json);
    },
    list: () => null,
  };
}

const listsOf = (views: typeof kindViews) => views.map(({ kind, list }) => [KINDS[kind].plural, list] as const);

const LINKS: readonly (readonly [rel: string, route: Route])[] = [
  ['service-desc', getOpenApiRoute],
  ['overview', getOverviewRoute],
  ['status', getStatusRoute],
  ['search', searchRoute],
  ['repositories', listRepositoriesRoute],
  ...listsOf(first),
  ['builds', listBuildsRoute],
  ['activity', listActivityRoute],
  ...listsOf(others),
  ...listsOf(content),
  ...listsOf(status),
  ['maintenance', listMaintenanceRoute],
  ['services', listServicesRoute],
  ['sources', listSourcesRoute],
  ['liveness', getLivenessRoute],
  ['readiness', getReadinessRoute],
];

/** The body of `/` and `/api/v1`: links to all endpoints. */
export function indexBody(basePath: string) {
  return {
    name: 'vitrine',
    apiVersion: 'v1',
    description: 'The public window onto a team’s development: commits, releases, findings, news and service status, read-only.',
    links: LINKS.map(([rel, { path }]) => ({ rel, href: basePath + path })),
  };
}

export function allViews(context: ViewContext): readonly Endpoint[] {
  return routeTable.flatMap((route) => (route.kind === 'api' ? [apiEndpoint(route, context)] : []));
}

export function entryLinks(pages: PagesAt): EntryLinks {
  const { record, page } = routeLinks('', pages);
  // The address of the JSON also in a copy, where it is an id and leads nowhere: readers know the entries again.
  return { record: (type, id) => pages.publicUrl + record(type, id), page };
}

export const pageRoutes: readonly PageRoute[] = [
  overviewPage,
  statusPage,
  servicePage,
  historyPage,
  repositoriesPage,
  repositoryPage,
  ...kindViews.flatMap((view) => view.pages),
  searchPage,
  aboutPage,
];

export const feedRoutes: readonly (readonly [name: string, routes: readonly DocumentRoute[]])[] = [
  ...kindViews.flatMap(({ kind, feeds }) => (feeds.length === 0 ? [] : [[KINDS[kind].plural, feeds] as const])),
  ['incidents', incidentFeeds],
];

/** All pages with their assets. @param index the endpoint that answers `/` with JSON */
export function allPages(context: PageContext, index: Endpoint): readonly Endpoint[] {
  const [overview, ...others] = [...pageRoutes, repositoryByFullNamePage].map((route) => documentEndpoint(route, context));
  return [
    ...(overview === undefined ? [] : [rootEndpoint(index, overview)]),
    ...others,
    documentEndpoint(imageRoute, context),
    ...siteEndpoints(context),
  ];
}

export function allFeeds(context: ViewContext): readonly Endpoint[] {
  const routes = [...feedRoutes.flatMap(([, formats]) => formats), ...Object.values(badgeRoutes).flat(), maintenanceRoute];
  return routes.map((route) => documentEndpoint(route, context));
}
