import { parametersOf } from '../requests/parameter.js';
import type { JsonSchema } from '../schemas/schema.js';
import type { ApiRoute } from '../routes/route.js';

/** An operation with its parameters in full. */
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

/** The parameters that several operations have: each is described once, and referred to by its name. */
export class SharedParameters {
  readonly #names = new Map<string, string>();

  constructor(operations: readonly (readonly JsonSchema[])[]) {
    const texts = operations.flat().map((parameter) => JSON.stringify(parameter));
    for (const [index, text] of texts.entries()) {
      const name = String((JSON.parse(text) as JsonSchema)['name']);
      const isFirst = ![...this.#names.values()].includes(name);
      if (isFirst && texts.includes(text, index + 1)) this.#names.set(text, name);
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
