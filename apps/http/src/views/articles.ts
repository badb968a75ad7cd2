import { ARTICLE_KINDS, IMAGE_NAME, imageFormatOf, NotFoundError } from '@vitrine/core';
import { articleEntry } from '@vitrine/feeds';
import { KindView } from './kind-view.js';
import { RepositoryFilter, TextFilter, ValuesFilter, WordFilter } from './shared/parameters.js';
import { PageQuery } from './shared/lists.js';
import { patternParameter } from './shared/path-parameters.js';
import { documentOf } from './shared/route.js';
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

/** The images of articles. They are served only while their article is. */
export const imageRoute = documentOf(articles.get, {
  id: 'getImage',
  path: '/images/{name}',
  pathParameters: [
    patternParameter(IMAGE_NAME, {
      name: 'name',
      description: 'Name of the image, as in the text of its article.',
      example: '9f1c2d3e4b5a69788796a5b4c3d2e1f0.png',
    }),
  ],
  shows: ['image', 'article', 'repository'],
  type: 'application/octet-stream',
  typeOf: (body) => imageFormatOf(body)?.type,
  cache: 'pinned',
  ignores: ['include'],
  answer: async ({ params, context }, { useCases }) => {
    const { data, ...freshness } = await useCases.getImage.execute({ id: params['name'] ?? '' }, context());
    const content = Buffer.from(data.record.data, 'base64');
    // A records file may hold any content.
    if (imageFormatOf(content) === null) throw new NotFoundError();
    // Images would take the memory of lists, and are read as fast.
    return { ...freshness, text: content, shows: data, isKept: false };
  },
});
