import { badgeRoutes } from '../routes/badge-routes.js';
import type { DocumentRoute } from '../routes/document-route.js';
import { feedRoutes, maintenanceRoute } from '../routes/feed-routes.js';
import { parameterObjects, type Operation } from './parameters.js';
import { documentResponses } from './responses.js';

/** Feeds, badges and the calendar: one operation for all formats of a document, by its path. */
export function documentOperations(): readonly (readonly [path: string, operation: Operation])[] {
  return [
    ...Object.entries(feedRoutes).map(([name, routes]) => documentOperation(`feed-${name}`, `Get the newest ${name} as a feed`, routes)),
    ...Object.entries(badgeRoutes).map(([name, routes]) => documentOperation(`badge-${name}`, `Get the badge "${name}"`, routes)),
    documentOperation('feed-maintenance', 'Get planned maintenance as a calendar', [maintenanceRoute]),
  ];
}

function documentOperation(id: string, summary: string, routes: readonly DocumentRoute[]): readonly [string, Operation] {
  const [first] = routes;
  if (first === undefined) throw new Error(`${id} has no route`);
  const formats = routes.map(({ path }) => path.slice(path.lastIndexOf('.') + 1));
  const format = {
    name: 'format',
    in: 'path',
    required: true,
    description: 'The format of the document.',
    schema: { type: 'string', enum: formats },
    example: formats[0],
  };
  const parameters = parameterObjects(first, first.ignores);
  const path = formats.length === 1 ? first.path : `${first.path.slice(0, first.path.lastIndexOf('.'))}.{format}`;
  return [
    path,
    {
      operationId: id,
      tags: ['Feeds and badges'],
      summary,
      description: 'Parameters that are not known are ignored.',
      parameters: formats.length === 1 ? parameters : [...parameters, format],
      responses: documentResponses(routes),
    },
  ];
}
