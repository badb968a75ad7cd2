import { PlainPageQuery } from '../requests/query.js';
import { sourceSchema } from '../schemas/sources.js';
import { listRoute } from './route.js';

export const sourceRoutes = {
  listSources: listRoute({
    id: 'listSources',
    path: '/api/v1/sources',
    tag: 'Sources',
    summary: 'List sources',
    description:
      'The sources of approved repositories and of none, by `id`, each with its state. An answer is as fresh as the worst source that feeds it.',
    query: PlainPageQuery,
    schema: sourceSchema,
    shows: ['sync'],
    cache: 'live',
  }),
} as const;
