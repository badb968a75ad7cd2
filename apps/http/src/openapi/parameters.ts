import { parametersOf } from '../requests/parameter.js';
import type { JsonSchema } from '../schemas/schema.js';
import type { Route } from '../routes/route.js';

/** The parameters of a route as OpenAPI writes them, those of the path first. */
export function parameterObjects(route: Route): readonly JsonSchema[] {
  const inPath = route.pathParameters.map(({ name, description, schema, example }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
    example,
  }));
  const inQuery = route.kind === 'api' ? parametersOf(route.query) : [];
  return [
    ...inPath,
    ...inQuery.map(({ name, description, required, schema, example }) => ({
      name,
      in: 'query',
      required,
      description,
      schema,
      ...(example === null ? {} : { example }),
      allowEmptyValue: false,
    })),
  ];
}
