import { badgeRoutes } from '../views/badges.js';
import { feedRoutes } from '../views/table.js';
import { maintenanceRoute } from '../views/history.js';
import { parametersOf } from '../views/shared/parameters.js';
import type { ApiRoute, DocumentRoute } from '../views/shared/route.js';
import type { JsonSchema } from '../views/shared/schema.js';
import { documentResponses } from './responses.js';

export interface Operation extends JsonSchema {
  readonly parameters: readonly JsonSchema[];
}

/** The parameters of a route as OpenAPI writes them, those of the path first. */
export function parameterObjects(
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
export class SharedParameters {
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
export function documentOperations(): readonly (readonly [path: string, operation: Operation])[] {
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
