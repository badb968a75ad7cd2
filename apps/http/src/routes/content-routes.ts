import { SEARCH_TYPES } from '@vitrine/core';
import { ListArticlesQuery, ListNewsQuery, ListVideosQuery } from '../requests/content-queries.js';
import { idParameter } from '../requests/path-parameters.js';
import { NoQuery } from '../requests/query.js';
import { SearchQuery } from '../requests/search-query.js';
import { articleSchema, newsSchema, videoSchema } from '../schemas/content.js';
import { searchResultSchema } from '../schemas/search.js';
import { indexSchema } from '../schemas/service.js';
import { overviewSchema } from '../schemas/status.js';
import { listRoute, recordRoute, STATUS_KINDS } from './route.js';

/** The kinds that search finds, and the checks that tell the state of a service. */
const SEARCHED_KINDS = ['service', 'check', ...SEARCH_TYPES.filter((type) => type !== 'status-service')] as const;

export const contentRoutes = {
  listNews: listRoute({
    id: 'listNews',
    path: '/api/v1/news',
    tag: 'Content',
    summary: 'List news',
    description: 'Records of public feeds, newest first by `publishedAt`, or by `discoveredAt` where the publisher gives no time.',
    query: ListNewsQuery,
    schema: newsSchema,
    shows: ['news'],
    holdsRepositories: false,
  }),
  getNews: recordRoute({
    id: 'getNews',
    path: '/api/v1/news/{id}',
    tag: 'Content',
    summary: 'Get a news record',
    description: 'One record of a public feed.',
    query: NoQuery,
    pathParameters: [idParameter('Id of the record.', 'nws_4d1x8c')],
    schema: newsSchema,
    shows: ['news'],
    holdsRepositories: false,
  }),
  listArticles: listRoute({
    id: 'listArticles',
    path: '/api/v1/articles',
    tag: 'Content',
    summary: 'List articles',
    description: 'Articles, help pages and changelogs, newest first by `publishedAt`.',
    query: ListArticlesQuery,
    schema: articleSchema,
    shows: ['article'],
  }),
  getArticle: recordRoute({
    id: 'getArticle',
    path: '/api/v1/articles/{id}',
    tag: 'Content',
    summary: 'Get an article',
    description: 'One article, help page or changelog.',
    query: NoQuery,
    pathParameters: [idParameter('Id of the article.', 'widget-2-1-changelog')],
    schema: articleSchema,
    shows: ['article'],
  }),
  listVideos: listRoute({
    id: 'listVideos',
    path: '/api/v1/videos',
    tag: 'Content',
    summary: 'List videos',
    description: 'Public videos, newest first by `publishedAt`.',
    query: ListVideosQuery,
    schema: videoSchema,
    shows: ['video'],
  }),
  getVideo: recordRoute({
    id: 'getVideo',
    path: '/api/v1/videos/{id}',
    tag: 'Content',
    summary: 'Get a video',
    description: 'One public video.',
    query: NoQuery,
    pathParameters: [idParameter('Id of the video.', 'vid_8c3p0z')],
    schema: videoSchema,
    shows: ['video'],
  }),
  getApiIndex: recordRoute({
    id: 'getApiIndex',
    path: '/api/v1',
    tag: 'Overview',
    summary: 'Get the index of the API',
    description: 'The same links as at `/`, inside the envelope.',
    query: NoQuery,
    schema: indexSchema,
    shows: [],
    holdsRepositories: false,
  }),
  getOverview: recordRoute({
    id: 'getOverview',
    path: '/api/v1/overview',
    tag: 'Overview',
    summary: 'Get the overview',
    description:
      'The status and the newest commit, release, finding and news. A source that cannot be read leaves its member empty and sets `partial`.',
    query: NoQuery,
    schema: overviewSchema,
    shows: ['commit', 'release', 'finding', 'news', ...STATUS_KINDS],
    isComposed: true,
    cache: 'live',
    isVital: true,
  }),
  search: listRoute({
    id: 'search',
    path: '/api/v1/search',
    tag: 'Overview',
    summary: 'Search',
    description:
      'Public records in which every word of `q` matches. Those whose title holds every word come first; within each group repositories, then services, then the rest, newest first.',
    query: SearchQuery,
    schema: searchResultSchema,
    shows: SEARCHED_KINDS,
    isComposed: true,
    cache: 'live',
    isSearch: true,
  }),
} as const;
