import { kindSchema } from './shared/kind-schema.js';
import { type Article, ARTICLE_KINDS, type UseCases, type WithOptionalRepository } from '@vitrine/core';
import { articleEntry } from '@vitrine/feeds';
import type { Endpoint } from '../serving/router.js';
import { optionalRepository, presentOptionalRepository, repositorySchema } from './repositories.js';
import type { ControllerContext } from './shared/endpoint.js';
import { type FeedContext, feedsOf, kindFeeds } from './shared/feed.js';
import { kindPages } from './shared/page-endpoints.js';
import { type PageContext, pageOf } from './shared/page.js';
import { filterValue, RepositoryFilter, ValuesFilter, WordFilter } from './shared/parameters.js';
import { idParameter } from './shared/path-parameters.js';
import { type Links, presentInstant, presentOptionalInstant, presentProvenance } from './shared/present.js';
import { From, RecordQuery, PageQuery, timeRange, To } from './shared/query.js';
import { kindControllers } from './shared/records.js';
import { listRoute, recordRoute } from './shared/route.js';
import { ownPath, provenanceSchema } from './shared/schema.js';

const articleSchema = kindSchema(
  ['Article', 'An article, a help page or a changelog.'],
  'article',
  { repository: optionalRepository, href: ownPath('/api/v1/articles/widget-2-1-changelog') },
  [repositorySchema, provenanceSchema],
);

class ListArticlesQuery extends PageQuery {
  @ValuesFilter('Only articles of this kind.', { values: ARTICLE_KINDS, example: 'article' }) readonly kind?: readonly string[];
  @WordFilter('Only articles with this tag.', 'api') readonly tag?: string;
  @WordFilter('Only articles in this language, as a BCP 47 tag.', 'en') readonly language?: string;
  @RepositoryFilter() readonly repository?: string;
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;

  override filters() {
    return {
      articleKind: filterValue(this.kind),
      tag: this.tag ?? null,
      language: this.language ?? null,
      repository: this.repository ?? null,
      ...timeRange(this),
    };
  }
}

export function presentArticle({ record, repository }: WithOptionalRepository<Article>, links: Links) {
  return {
    id: record.id,
    kind: record.articleKind,
    title: record.title,
    summary: record.summary,
    body: record.body,
    bodyFormat: record.bodyFormat,
    url: record.url,
    language: record.language,
    tags: record.tags,
    authorName: record.authorName,
    version: record.version,
    changes: record.changes.map(({ type, text }) => ({ type, text })),
    publishedAt: presentInstant(record.publishedAt),
    updatedAt: presentOptionalInstant(record.updatedAt),
    repository: presentOptionalRepository(repository, links),
    sourceUrl: record.sourceUrl,
    provenance: presentProvenance(record.provenance),
    href: links.record('article', record.id),
  };
}

export const listArticlesRoute = listRoute({
  id: 'listArticles',
  path: '/api/v1/articles',
  tag: 'Content',
  summary: 'List articles',
  description: 'Articles, help pages and changelogs, newest first by `publishedAt`.',
  query: ListArticlesQuery,
  schema: articleSchema,
  shows: ['article'],
});

export const getArticleRoute = recordRoute({
  id: 'getArticle',
  path: '/api/v1/articles/{id}',
  tag: 'Content',
  summary: 'Get an article',
  description: 'One article, help page or changelog.',
  query: RecordQuery,
  pathParameters: [idParameter('Id of the article.', 'widget-2-1-changelog')],
  schema: articleSchema,
  shows: ['article'],
});

/** The list of articles, and one article. */
export function articleViews(useCases: UseCases, context: ControllerContext): readonly Endpoint[] {
  return kindControllers(context, {
    list: [listArticlesRoute, useCases.listArticles],
    get: [getArticleRoute, useCases.getArticle],
    present: (view) => presentArticle(view, context.links),
  });
}

export const articlesPageRoute = pageOf(listArticlesRoute);
export const articlePageRoute = pageOf(getArticleRoute);

/** The page of the list of articles, and the page of each. */
export function articlePages(context: PageContext): readonly Endpoint[] {
  const { useCases, pages } = context;
  return kindPages(context, {
    list: [articlesPageRoute, useCases.listArticles, pages.articles],
    record: [articlePageRoute, useCases.getArticle, pages.article],
  });
}

export const articlesFeedRoutes = feedsOf('articles', articlesPageRoute);

/** The newest articles as feeds. */
export function articleFeeds(context: FeedContext): readonly Endpoint[] {
  return kindFeeds(context, { name: 'articles', routes: articlesFeedRoutes, list: context.useCases.listArticles, entryOf: articleEntry });
}
