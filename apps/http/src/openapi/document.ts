import { PROBLEM_CODES } from '../serving/errors.js';
import type { ApiRoute, DocumentRoute, Route, Tag } from '../views/shared/route.js';
import type { JsonSchema, NamedSchema } from '../views/shared/schema.js';
import { feedRoutes, routeTable } from '../views/table.js';
import {
  apiResponses,
  composedMetaSchema,
  documentResponses,
  headerObjects,
  metaSchema,
  plainResponses,
  problemSchema,
  sharedResponses,
} from './responses.js';
import { badgeRoutes } from '../views/badges.js';
import { maintenanceRoute } from '../views/incidents.js';
import { parametersOf } from '../views/shared/parameters.js';

const DESCRIPTION =
  'A read-only API over public development activity and the status of services, with one overview and one search. Every body below `/api/v1` carries the same envelope. Version 1 grows by addition only: ignore members that you do not know. The number of requests that a client may send in a minute is limited; the header `RateLimit` says how many are left, and health checks are not counted.';

const TAGS: Readonly<Record<Tag, string>> = {
  Development: 'Development of approved repositories.',
  Repositories: 'Repositories that are approved for public display.',
  Content: 'What is published for readers.',
  Overview: 'The newest of everything, and search over it.',
  Status: 'Health of public services, from stored checks only.',
  Sources: 'Where records come from, and how current each source is.',
  'Feeds and badges': 'The same records as feeds (Atom, JSON Feed), a calendar and badges (SVG, JSON for shields.io).',
  Service: 'The service itself.',
};

export const VERSION = '0.1.0';

/** The OpenAPI 3.1 document, made from the route table alone. @param basePath the prefix of every path, such as `/vitrine` */
export function openApiDocument(basePath = ''): JsonSchema {
  const operations = [...routeTable.map((route) => [route.path, operation(route)] as const), ...documentOperations()];
  const shared = new SharedParameters(operations.map(([, { parameters }]) => parameters));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Vitrine',
      version: VERSION,
      summary: 'The public window onto a team’s development.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: basePath === '' ? '/' : basePath, description: 'The host that serves this document.' }],
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(operations.map(([path, { parameters, ...get }]) => [path, { get: { ...get, ...shared.referredTo(parameters) } }])),
    components: { schemas: schemaObjects(), responses: sharedResponses, parameters: shared.components(), headers: headerObjects },
  };
}

export function openApiText(basePath = ''): string {
  return `${inLines(openApiDocument(basePath), 3)}\n`;
}

/** JSON with line breaks between the members of the outermost levels only. */
function inLines(value: unknown, levels: number): string {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${inLines(member, levels - 1)}`);
  return `{\n${members.join(',\n')}\n}`;
}

function operation(route: Route): Operation {
  const { id, tag, summary, description } = route;
  const parameters = parameterObjects(route);
  const responses = route.kind === 'api' ? apiResponses(route, parameters.length > route.pathParameters.length) : plainResponses(route);
  return { operationId: id, tags: [tag], summary, description, parameters, responses };
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

export interface Operation extends JsonSchema {
  readonly parameters: readonly JsonSchema[];
}

/** The parameters of a route as OpenAPI writes them, those of the path first. */
function parameterObjects(
  route: Pick<ApiRoute, 'pathParameters'> & Partial<Pick<ApiRoute, 'query'>>,
  ignored: readonly string[] = [],
): readonly JsonSchema[] {
  const inPath = route.pathParameters.map(({ name, description, schema, example }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
    example,
  }));
  const inQuery = route.query === undefined ? [] : parametersOf(route.query).filter(({ name }) => !ignored.includes(name));
  return [
    ...inPath,
    ...inQuery.map(({ name, description, required, schema, example }) => ({
      name,
      in: 'query',
      ...(required ? { required } : {}),
      description,
      schema,
      ...(example === null ? {} : { example }),
    })),
  ];
}

/** The parameters that several operations have: each is described once, and referred to by its name. Different ones of the same name are numbered. */
class SharedParameters {
  readonly #names = new Map<string, string>();

  constructor(operations: readonly (readonly JsonSchema[])[]) {
    const texts = operations.flat().map((parameter) => JSON.stringify(parameter));
    for (const text of new Set(texts.filter((one, index) => texts.includes(one, index + 1)))) {
      const name = String((JSON.parse(text) as JsonSchema)['name']);
      const known = [...this.#names.values()].filter((other) => other.split('.', 1)[0] === name).length;
      this.#names.set(text, known === 0 ? name : `${name}.${String(known + 1)}`);
    }
  }

  referredTo(parameters: readonly JsonSchema[]): { readonly parameters?: readonly JsonSchema[] } {
    if (parameters.length === 0) return {};
    return {
      parameters: parameters.map((parameter) => {
        const name = this.#names.get(JSON.stringify(parameter));
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
      }),
    };
  }

  components(): JsonSchema {
    return Object.fromEntries([...this.#names].map(([text, name]) => [name, JSON.parse(text) as JsonSchema]));
  }
}

/** Feeds, badges and the calendar: one operation for all formats of a document, by its path. */
function documentOperations(): readonly (readonly [path: string, operation: Operation])[] {
  return [
    ...feedRoutes.map(([name, routes]) => documentOperation(`feed-${name}`, `Get the newest ${name} as a feed`, routes)),
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
