import { kindSchema } from './shared/kind-schema.js';
import type { News, UseCases } from '@vitrine/core';
import { newsEntry } from '@vitrine/feeds';
import { timeCodec } from '../serving/cursor.js';
import type { Endpoint } from '../serving/router.js';
import type { ControllerContext } from './shared/endpoint.js';
import { type FeedContext, feedEndpoints, feedsOf } from './shared/feed.js';
import { listPageEndpoint, recordPageEndpoint } from './shared/page-endpoints.js';
import type { NeighbourList } from './shared/neighbours.js';
import { type PageContext, pageOf } from './shared/page.js';
import { TextFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { type Links, presentInstant, presentProvenance } from './shared/present.js';
import { From, RecordQuery, PageQuery, timeRange, To } from './shared/query.js';
import { listController, listedRecordController } from './shared/records.js';
import { listRoute, recordRoute } from './shared/route.js';
import { ownPath, provenanceSchema } from './shared/schema.js';

export const newsSchema = kindSchema(['News', 'A record of a public feed.'], 'news', { href: ownPath('/api/v1/news/nws_4d1x8c') }, [
  provenanceSchema,
]);

class ListNewsQuery extends PageQuery {
  @TextFilter('Only records of this feed, by the label in `source`.', 'Acme Blog') readonly source?: string;
  @From('publishedAt (else discoveredAt)') readonly from?: string;
  @To('publishedAt (else discoveredAt)') readonly to?: string;

  override filters() {
    return { source: this.source ?? null, ...timeRange(this) };
  }
}

export function presentNews(record: News, links: Links) {
  return {
    source: record.source,
    title: record.title,
    summary: record.summary,
    url: record.url,
    ...(record.publishedAt === undefined ? {} : { publishedAt: presentInstant(record.publishedAt) }),
    discoveredAt: presentInstant(record.discoveredAt),
    provenance: presentProvenance(record.provenance),
    id: record.id,
    href: links.record('news', record.id),
  };
}

export const listNewsRoute = listRoute({
  id: 'listNews',
  path: '/api/v1/news',
  tag: 'Content',
  summary: 'List news',
  description: 'Records of public feeds, newest first by `publishedAt`, or by `discoveredAt` where the publisher gives no time.',
  query: ListNewsQuery,
  schema: newsSchema,
  shows: ['news'],
  holdsRepositories: false,
});

export const getNewsRoute = recordRoute({
  id: 'getNews',
  path: '/api/v1/news/{id}',
  tag: 'Content',
  summary: 'Get a news record',
  description: 'One record of a public feed.',
  query: RecordQuery,
  pathParameters: [idParameter('Id of the record.', 'nws_4d1x8c')],
  schema: newsSchema,
  shows: ['news'],
  holdsRepositories: false,
});

function newsList({ listNews }: UseCases): NeighbourList<News> {
  return {
    recordIn: (record) => record,
    read:
      (_record, { signal }) =>
      (page) =>
        listNews.execute({ ...page, source: null }, { signal }),
  };
}

/** The list of news, and one record of it. */
export function newsViews(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  const present = (record: News) => presentNews(record, context.links);
  return [
    listController(listNewsRoute, context, {
      codec: timeCodec,
      execute: (page, { query, signal }) => useCases.listNews.execute({ ...query.filters(), ...page }, { signal }),
      present,
    }),
    listedRecordController(getNewsRoute, context, {
      execute: ({ id = '' }, { signal }) => useCases.getNews.execute({ id }, { signal }),
      list: newsList(useCases),
      present,
    }),
  ];
}

export const newsPageRoute = pageOf(listNewsRoute);
export const newsRecordPageRoute = pageOf(getNewsRoute);

/** The page of the list of news, and the page of each record. */
export function newsPages(context: PageContext): readonly Endpoint[] {
  const { listNews, getNews }: UseCases = context.useCases;
  return [
    listPageEndpoint(newsPageRoute, context, {
      codec: timeCodec,
      execute: (page, { query, signal }) => listNews.execute({ ...query.filters(), ...page }, { signal }),
      render: context.pages.news,
    }),
    recordPageEndpoint(newsRecordPageRoute, context, {
      execute: ({ params, signal }) => getNews.execute({ id: params['id'] ?? '' }, { signal }),
      list: newsList(context.useCases),
      render: context.pages.newsRecord,
    }),
  ];
}

export const newsFeedRoutes = feedsOf('news', newsPageRoute);

/** The newest news as feeds. */
export function newsFeeds(context: FeedContext): readonly Endpoint[] {
  return feedEndpoints(newsFeedRoutes, context, {
    name: 'news',
    execute: (page, { query, signal }) => context.useCases.listNews.execute({ ...query.filters(), ...page }, { signal }),
    entryOf: newsEntry,
  });
}
