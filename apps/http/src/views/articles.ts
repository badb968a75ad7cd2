import { ARTICLE_KINDS } from '@vitrine/core';
import { articleEntry } from '@vitrine/feeds';
import { KindView } from './kind-view.js';
import { RepositoryFilter, TextFilter, ValuesFilter, WordFilter } from './shared/parameters.js';
import { PageQuery } from './shared/lists.js';
import { From, To } from './shared/time-range.js';

class ListArticlesQuery extends PageQuery {
  @ValuesFilter('Only articles of this kind.', { values: ARTICLE_KINDS, example: 'article', filter: 'articleKind' })
  readonly kind?: readonly string[];
  @TextFilter('Only articles with this tag, by its exact text.', 'api') readonly tag?: string;
  @WordFilter('Only articles in this language, as a BCP 47 tag.', 'en') readonly language?: string;
  @RepositoryFilter() readonly repository?: string;
  @From('publishedAt') readonly from?: string;
  @To('publishedAt') readonly to?: string;
}

export const articles = new KindView({
  kind: 'article',
  path: '/api/v1/articles',
  tag: 'Content',
  description: 'An article, a help page or a changelog.',
  list: { description: 'Articles, help pages and changelogs, newest first by `publishedAt`.', query: ListArticlesQuery },
  get: {
    summary: 'Get an article',
    description: 'One article, help page or changelog.',
    example: 'widget-2-1-changelog',
  },
  pages: { list: (pages) => pages.articles, record: (pages) => pages.article },
  entryOf: articleEntry,
});
