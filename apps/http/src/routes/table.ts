import { contentRoutes } from './content-routes.js';
import { developmentRoutes } from './development-routes.js';
import { serviceRoutes } from './service-routes.js';
import { sourceRoutes } from './source-routes.js';
import { statusRoutes } from './status-routes.js';
import type { Route } from './route.js';

/** Every address the service answers: the one place that names a route, a parameter or a limit. */
export const routes = { ...developmentRoutes, ...contentRoutes, ...statusRoutes, ...sourceRoutes, ...serviceRoutes } as const;

export const routeTable: readonly Route[] = Object.values(routes);
