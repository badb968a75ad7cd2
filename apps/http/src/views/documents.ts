import type { Endpoint } from '../serving/router.js';
import { articleFeeds, articlePageRoute, articlePages, articlesFeedRoutes, articlesPageRoute } from './articles.js';
import { badgeControllers } from './badges.js';
import { commitFeeds, commitPageRoute, commitPages, commitsFeedRoutes, commitsPageRoute } from './commits.js';
import { findingFeeds, findingPageRoute, findingPages, findingsFeedRoutes, findingsPageRoute } from './findings.js';
import { historyPageController, historyPageRoute, incidentFeeds, incidentsFeedRoutes, maintenanceController } from './history.js';
import { repositoryPageRoute, repositoryPages } from './hub.js';
import { incidentPage, incidentPageRoute } from './incidents.js';
import { missionPageRoute, missionPages, missionsPageRoute } from './missions.js';
import { newsFeedRoutes, newsFeeds, newsPageRoute, newsPages, newsRecordPageRoute } from './news.js';
import { overviewController, overviewPageRoute } from './overview.js';
import { releaseFeeds, releasePageRoute, releasePages, releasesFeedRoutes, releasesPageRoute } from './releases.js';
import { repositoriesPage, repositoriesPageRoute } from './repositories.js';
import { searchPageController, searchPageRoute } from './search.js';
import { servicePage, servicePageRoute } from './services.js';
import type { FeedContext } from './shared/feed.js';
import type { PageContext } from './shared/page.js';
import { rootEndpoint, siteControllers } from './site.js';
import { aboutPageController, aboutPageRoute } from './sources.js';
import { statusPage, statusPageRoute } from './status.js';
import { videoFeeds, videoPageRoute, videoPages, videosFeedRoutes, videosPageRoute } from './videos.js';

/** Every page. */
export const pageRoutes = {
  overview: overviewPageRoute,
  status: statusPageRoute,
  service: servicePageRoute,
  incident: incidentPageRoute,
  history: historyPageRoute,
  repositories: repositoriesPageRoute,
  repository: repositoryPageRoute,
  commits: commitsPageRoute,
  commit: commitPageRoute,
  releases: releasesPageRoute,
  release: releasePageRoute,
  findings: findingsPageRoute,
  finding: findingPageRoute,
  missions: missionsPageRoute,
  mission: missionPageRoute,
  news: newsPageRoute,
  newsRecord: newsRecordPageRoute,
  articles: articlesPageRoute,
  article: articlePageRoute,
  videos: videosPageRoute,
  video: videoPageRoute,
  search: searchPageRoute,
  about: aboutPageRoute,
} as const;

/** Every feed, in both formats. */
export const feedRoutes = {
  commits: commitsFeedRoutes,
  releases: releasesFeedRoutes,
  findings: findingsFeedRoutes,
  news: newsFeedRoutes,
  articles: articlesFeedRoutes,
  videos: videosFeedRoutes,
  incidents: incidentsFeedRoutes,
} as const;

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
    ...commitPages(context),
    ...newsPages(context),
    ...releasePages(context),
    ...findingPages(context),
    ...missionPages(context),
    ...articlePages(context),
    ...videoPages(context),
    searchPageController(context),
    aboutPageController(context),
    ...siteControllers(context),
  ];
}

/** All feeds, badges and the calendar. */
export function allFeeds(context: FeedContext): readonly Endpoint[] {
  return [
    ...commitFeeds(context),
    ...newsFeeds(context),
    ...incidentFeeds(context),
    ...releaseFeeds(context),
    ...findingFeeds(context),
    ...articleFeeds(context),
    ...videoFeeds(context),
    ...badgeControllers(context),
    maintenanceController(context),
  ];
}
