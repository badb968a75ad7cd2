import { IMAGE_NAME, imageFormatOf, NotFoundError } from '@vitrine/core';
import { articles } from './articles.js';
import { patternParameter } from './shared/path-parameters.js';
import { documentOf } from './shared/route.js';

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
