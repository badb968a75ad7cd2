import { copyLinks, routeLinks } from '../controllers/route-links.js';
import { createPresenters, type Presenters } from '../presenters/create-presenters.js';
import { pathOf, type Route } from '../routes/route.js';
import { routes } from '../routes/table.js';
import { pathOfUrl } from './handler-options.js';
import type { Settings } from './settings.js';

/**
 * Presenters for your own routes, with the JSON of the API: `vitrinePresenters({ publicUrl }).commit(item)`.
 *
 * @param publicUrl public address of the API, without a slash at its end; asked at each answer when it is a function
 * @param basePath the prefix of every path, such as `/vitrine`; by default the path of `publicUrl`, or nothing if `publicUrl` is a function
 */
export function vitrinePresenters({
  publicUrl,
  basePath = typeof publicUrl === 'string' ? pathOfUrl(publicUrl) : '',
}: {
  readonly publicUrl: string | (() => string);
  readonly basePath?: string;
}): Presenters {
  return presentersOf({ publicUrl: () => (typeof publicUrl === 'string' ? publicUrl : publicUrl()), basePath });
}

/** The presenters of a server, or of a copy of its site. */
export function presentersOf({ publicUrl, basePath, copy = null }: Pick<Settings, 'publicUrl' | 'basePath' | 'copy'>): Presenters {
  const address = (route: Route) => () => publicUrl() + pathOf(route);
  return createPresenters(copy === null ? routeLinks(basePath) : copyLinks(copy, basePath), address(routes.getStatus), address(routes.listSources));
}
