import { KINDS } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { badgeRoutes } from './badges.js';
import { historyPage, incidentFeeds, maintenanceRoute } from './history.js';
import { repositoryByFullNamePage, repositoryPage } from './hub.js';
import { imageRoute } from './images.js';
import { kindViews } from './kinds.js';
import { overviewPage } from './overview.js';
import { repositoriesPage } from './repositories.js';
import { searchPage } from './search.js';
import { servicePage } from './services.js';
import type { PageContext, ViewContext } from './shared/context.js';
import { documentEndpoint } from './shared/endpoint.js';
import type { PageRoute } from './shared/page.js';
import type { DocumentRoute } from './shared/route.js';
import { rootEndpoint, siteEndpoints } from './site.js';
import { aboutPage } from './sources.js';
import { statusPage } from './status.js';

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

/** Every feed by its name, in both formats. */
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
