import { PROBLEM_CODES } from '../serving/errors.js';
import { API_DESCRIPTION, TAGS } from '../routes/descriptions.js';
import type { Route } from '../routes/route.js';
import { routeTable } from '../routes/table.js';
import type { JsonSchema, NamedSchema } from '../schemas/schema.js';
import { composedMetaSchema, metaSchema, problemSchema } from '../schemas/shared.js';
import { parameterObjects } from './parameters.js';
import { apiResponses, headerObjects, plainResponses, sharedResponses } from './responses.js';

/** The version of this package. */
export const VERSION = '0.1.0';

/** The OpenAPI 3.1 document, made from the route table alone. @param basePath the prefix of every path, such as `/vitrine` */
export function openApiDocument(basePath = ''): JsonSchema {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Vitrine',
      version: VERSION,
      summary: 'The public window onto a team’s development.',
      description: API_DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: basePath === '' ? '/' : basePath, description: 'The host that serves this document.' }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(routeTable.map((route) => [route.path, { get: operation(route) }])),
    components: { schemas: schemaObjects(), responses: sharedResponses, headers: headerObjects },
  };
}

/** The document as it is served and committed. */
export function openApiText(basePath = ''): string {
  return `${JSON.stringify(openApiDocument(basePath), null, 2)}\n`;
}

function operation(route: Route): JsonSchema {
  const { id, tag, summary, description } = route;
  const parameters = parameterObjects(route);
  const responses = route.kind === 'api' ? apiResponses(route, parameters.length > route.pathParameters.length) : plainResponses(route);
  return { operationId: id, tags: [tag], summary, description, ...(parameters.length === 0 ? {} : { parameters }), responses };
}

function schemaObjects(): JsonSchema {
  const found = new Map<string, JsonSchema>();
  const add = (schema: NamedSchema): void => {
    if (found.has(schema.name)) return;
    found.set(schema.name, schema.schema);
    schema.uses.forEach(add);
  };
  [metaSchema, composedMetaSchema, problemSchema(PROBLEM_CODES)].forEach(add);
  for (const route of routeTable) {
    if (route.kind === 'api') route.schemas.forEach(add);
    else if (route.schema !== null) add(route.schema);
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
