import type { ListFilters, ListRecords, PlainKind, RecordOf, ScopedListInput, ViewOf } from '@vitrine/core';
import {
  articleEntry,
  commitEntry,
  findingEntry,
  incidentEntry,
  newsEntry,
  releaseEntry,
  videoEntry,
  type EntryLinks,
  type FeedEntry,
} from '@vitrine/feeds';
import type { Endpoint } from '../../serving/router.js';
import type { PageQuery, TimeRange } from '../../requests/query.js';
import { feedRoutes, type FeedRoute } from '../../routes/feed-routes.js';
import type { FeedContext } from './feed-context.js';
import { feedEndpoints } from './feed-endpoints.js';

/** The newest records of each kind as feeds. */
export function feedControllers(context: FeedContext): readonly Endpoint[] {
  const { useCases } = context;
  return [
    ...feedEndpoints(feedRoutes.commits, context, {
      name: 'commits',
      execute: (page, { query, context: own }) => useCases.listCommits.execute({ ...query.filters(), ...page }, own()),
      entryOf: commitEntry,
    }),
    ...feedEndpoints(feedRoutes.news, context, {
      name: 'news',
      execute: (page, { query, signal }) => useCases.listNews.execute({ ...query.filters(), ...page }, { signal }),
      entryOf: newsEntry,
    }),
    ...feedEndpoints(feedRoutes.incidents, context, {
      name: 'incidents',
      execute: (page, { query, signal }) => useCases.listIncidents.execute({ ...query.filters(), ...page }, { signal }),
      entryOf: incidentEntry,
    }),
    ...kindFeeds(context, { name: 'releases', routes: feedRoutes.releases, list: useCases.listReleases, entryOf: releaseEntry }),
    ...kindFeeds(context, { name: 'findings', routes: feedRoutes.findings, list: useCases.listFindings, entryOf: findingEntry }),
    ...kindFeeds(context, { name: 'articles', routes: feedRoutes.articles, list: useCases.listArticles, entryOf: articleEntry }),
    ...kindFeeds(context, { name: 'videos', routes: feedRoutes.videos, list: useCases.listVideos, entryOf: videoEntry }),
  ];
}

interface KindQuery<Kind extends PlainKind> extends PageQuery {
  filters(): Pick<ScopedListInput, 'repository'> & ListFilters<Kind> & Partial<TimeRange>;
}

interface KindFeeds<Kind extends PlainKind, Q extends KindQuery<Kind>> {
  readonly name: string;
  readonly routes: readonly FeedRoute<Q>[];
  readonly list: ListRecords<Kind>;
  readonly entryOf: (item: ViewOf<RecordOf<Kind>>, links: EntryLinks) => FeedEntry;
}

function kindFeeds<Kind extends PlainKind, Q extends KindQuery<Kind>>(
  context: FeedContext,
  { name, routes, list, entryOf }: KindFeeds<Kind, Q>,
): readonly Endpoint[] {
  return feedEndpoints(routes, context, {
    name,
    execute: (page, { query, context: own }) => list.execute({ from: null, to: null, ...query.filters(), ...page }, own()),
    entryOf,
  });
}
