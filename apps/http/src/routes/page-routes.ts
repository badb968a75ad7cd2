import { documentOf } from './document-route.js';
import { routes } from './table.js';

/** Every page: the path, and the endpoint of the API whose records it shows. */
export const pageRoutes = {
  overview: documentOf(routes.getOverview, {
    path: '/',
    vary: 'Accept',
    shows: [...new Set([...routes.getOverview.shows, ...routes.listCommits.shows, ...routes.getStatus.shows])],
  }),
} as const;
