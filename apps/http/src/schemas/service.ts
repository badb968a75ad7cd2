import { closed, list, named, optional, record, text } from './schema.js';

export const indexSchema = named('ServiceIndex', 'Where to go from here.', {
  name: text('Name of the service.', 'vitrine'),
  apiVersion: text('Version of the API.', 'v1', { const: 'v1' }),
  description: text('What the service does.', 'The public window onto a team’s development.'),
  links: list(
    'Addresses to read next.',
    record({ rel: text('What stands there.', 'overview'), href: text('Its path.', '/api/v1/overview', { format: 'uri-reference' }) }, 'One address.'),
  ),
});

export const livenessSchema = named('Liveness', 'Whether the process runs.', {
  status: text('Always `alive`.', 'alive', { const: 'alive' }),
});

export const readinessSchema = named('Readiness', 'Whether the process may be sent traffic.', {
  status: closed(
    '`ready` and `degraded` with status 200, the others with 503. `degraded`: the store, or a part of it, cannot be read, and the last good answers serve in its place; or nothing new is collected, because the store cannot be written or the collector is started again. `degraded` with 503: the data folder was removed or replaced.',
    ['starting', 'ready', 'degraded', 'stopping'],
    'ready',
  ),
  collector: optional(
    closed(
      'The process that collects for this server. `restarting`: it has ended, and is started again. Left out if this server has none.',
      ['starting', 'running', 'restarting'],
      'running',
    ),
  ),
  search: optional(closed('There while search finds only a part of the records, because its index is being built.', ['building'], 'building')),
});

export const openApiSchema = named('OpenApiDocument', 'The description of the service, as OpenAPI 3.1.', {
  openapi: text('Version of the format.', '3.1.1'),
  jsonSchemaDialect: text('Dialect of the schemas.', 'https://json-schema.org/draft/2020-12/schema', { format: 'uri' }),
  info: { schema: { type: 'object', description: 'About the service.' }, example: { title: 'Vitrine', version: '0.1.0' } },
  servers: { schema: { type: 'array', description: 'Where it answers.', items: { type: 'object' } }, example: [{ url: '/' }] },
  tags: { schema: { type: 'array', description: 'Groups of operations.', items: { type: 'object' } }, example: [] },
  security: { schema: { type: 'array', description: 'Empty: everything is public.', items: { type: 'object' } }, example: [] },
  paths: { schema: { type: 'object', description: 'Every operation.' }, example: {} },
  components: { schema: { type: 'object', description: 'Shared shapes.' }, example: {} },
});
