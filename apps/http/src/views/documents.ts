import { KINDS } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { badgeControllers } from './badges.js';
import { historyPageController, historyPageRoute, incidentFeeds, incidentsFeedRoutes, maintenanceController } from './history.js';
import { repositoryPageRoute, repositoryPages } from './hub.js';
import { imageEndpoint } from './images.js';
import { incidentPage, incidents } from './incidents.js';
import { kindViews } from './kinds.js';
import { overviewController, overviewPageRoute } from './overview.js';
import { repositoriesPage, repositoriesPageRoute } from './repositories.js';
import { searchPageController, searchPageRoute } from './search.js';
import { servicePage, servicePageRoute } from './services.js';
import type { ViewContext } from './shared/endpoint.js';
import type { FeedRoute } from './shared/feed.js';
import type { PageContext, PageRoute } from './shared/page.js';
import { rootEndpoint, siteControllers } from './site.js';
import { aboutPageController, aboutPageRoute } from './sources.js';
import { statusPage, statusPageRoute } from './status.js';

export const pageRoutes: readonly PageRoute[] = [
  overviewPageRoute,
  statusPageRoute,
  servicePageRoute,
  incidents.recordPage,
  historyPageRoute,
  repositoriesPageRoute,
  repositoryPageRoute,
  ...kindViews.flatMap((view) => view.pageRoutes),
  searchPageRoute,
  aboutPageRoute,
];

/** Every feed by its name, in both formats. */
export const feedRoutes: readonly (readonly [name: string, routes: readonly FeedRoute[]])[] = [
  ...kindViews.flatMap(({ kind, feedRoutes: routes }) => (routes.length === 0 ? [] : [[KINDS[kind].plural, routes] as const])),
  ['incidents', incidentsFeedRoutes],
];

/** All pages with their assets. @param index the endpoint that answers `/` with JSON */
export function allPages(context: PageContext, index: Endpoint): readonly Endpoint[] {
  return [
    rootEndpoint(index, overviewController(context)),
    statusPage(context),
    servicePage(context),
    incidentPage(context),
    historyPageController(context),
    repositoriesPage(context),
    ...repositoryPages(context),
    ...kindViews.flatMap((view) => view.pages(context)),
    imageEndpoint(context),
    searchPageController(context),
    aboutPageController(context),
    ...siteControllers(context),
  ];
}

export function allFeeds(context: ViewContext): readonly Endpoint[] {
  return [
    ...kindViews.flatMap((view) => view.feeds(context)),
    ...incidentFeeds(context),
    ...badgeControllers(context),
    maintenanceController(context),
  ];
}
