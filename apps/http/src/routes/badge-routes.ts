import { BadgeQuery } from '../requests/badge-query.js';
import { documentOf, type DocumentRoute } from './document-route.js';
import type { ApiRoute } from './route.js';
import { routes } from './table.js';

/** How a badge is written: as an image, or as JSON for shields.io. */
export type BadgeFormat = 'svg' | 'json';

const TYPES: Readonly<Record<BadgeFormat, string>> = { svg: 'image/svg+xml; charset=utf-8', json: 'application/json; charset=utf-8' };

export interface BadgeRoute extends DocumentRoute<BadgeQuery> {
  readonly format: BadgeFormat;
}

/** Both formats of a badge, which shows a part of the answer of an endpoint. */
function badgesOf(path: string, endpoint: ApiRoute, differences: Partial<Pick<DocumentRoute, 'shows'>> = {}): readonly BadgeRoute[] {
  return (['svg', 'json'] as const).map((format) => ({
    ...documentOf(endpoint, differences),
    query: BadgeQuery,
    path: `/badges/${path}.${format}`,
    type: TYPES[format],
    format,
  }));
}

const SERVICE = 'services/{key}';
const REPOSITORY = 'repositories/{owner}/{name}';

/** Every badge, in both formats. */
export const badgeRoutes = {
  status: badgesOf('status', routes.getStatus),
  state: badgesOf(`${SERVICE}/state`, routes.getService),
  uptime: badgesOf(`${SERVICE}/uptime`, routes.getService),
  response: badgesOf(`${SERVICE}/response`, routes.getService),
  release: badgesOf(`${REPOSITORY}/release`, routes.getRepository, { shows: [...routes.getRepository.shows, 'release'] }),
  activity: badgesOf(`${REPOSITORY}/activity`, routes.getRepository, { shows: [...routes.getRepository.shows, 'commit', 'release'] }),
} as const;
