import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { tokens } from '../src/composition/tokens.js';
import { PROBLEM_CODES } from '../src/http/problem-codes.js';
import { openApiDocument, openApiText } from '../src/openapi/document.js';
import { parametersOf } from '../src/requests/parameter.js';
import { routeTable } from '../src/routes/table.js';
import { Api } from './support/api.js';
import { breakingChanges } from './support/breaking-changes.js';
import { smallWorld } from './support/small-world.js';

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument();
const committed = (name: string): string => readFileSync(join(__dirname, '../../../docs/api', name), 'utf8');

/** Every field inside a value, with the place it stands at. */
function fieldsIn(value: unknown, place = ''): readonly (readonly [place: string, field: Json])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const fields = key === 'properties' ? Object.entries(inner as Json).map(([name, field]) => [`${place}.${name}`, field as Json] as const) : [];
    return [...fields, ...fieldsIn(inner, `${place}/${key}`)];
  });
}

describe('the OpenAPI document', () => {
  let api: Api;

  beforeAll(async () => {
    api = await Api.open({ records: smallWorld });
  });

  afterAll(() => api.close());

  it('is the one that is committed (npm run openapi writes it)', () => {
    expect(committed('openapi.json') === openApiText()).toBe(true);
  });

  it('is what the service serves', async () => {
    expect((await api.get('/openapi.json')).body).toBe(openApiText());
  });

  it('describes exactly the existing addresses', () => {
    const mounted = api.container.get(tokens.endpoints).map(({ path }) => path);
    expect([...mounted].sort()).toEqual(Object.keys(document['paths'] as Json).sort());
    expect([...mounted].sort()).toEqual(routeTable.map(({ path }) => path).sort());
  });

  it('gives every parameter a description, its limits and an example that the service accepts', async () => {
    for (const route of routeTable) {
      if (route.kind === 'plain') continue;
      const path = route.pathParameters.reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example)), route.path);
      for (const { name, description, schema, example } of parametersOf(route.query)) {
        expect([route.id, name, description.length > 20, Object.keys(schema).length > 1]).toEqual([route.id, name, true, true]);
        expect([route.id, name, example === null]).toEqual([route.id, name, name === 'cursor']);
        if (example === null) continue;
        const q = route.id === 'search' && name !== 'q' ? '&q=widget' : '';
        const answer = await api.get(`${path}?${name}=${encodeURIComponent(example)}${q}`);
        expect([answer.target, answer.status]).toEqual([answer.target, 200]);
      }
    }
  });

  it('has the version of its package', () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
    expect((document['info'] as Json)['version']).toBe(version);
  });

  it('describes every field', () => {
    const silent = fieldsIn((document['components'] as Json)['schemas']).filter(
      ([, schema]) => typeof schema['description'] !== 'string' || schema['description'] === '',
    );
    expect(silent.map(([place]) => place)).toEqual([]);
  });

  it('lists every code that the service uses', () => {
    for (const code of PROBLEM_CODES)
      expect([code, JSON.stringify(document['paths']).includes(code) || JSON.stringify(document['components']).includes(code)]).toEqual([code, true]);
  });

  it('has examples that keep its own schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addSchema({ $id: 'https://vitrine.example/doc', ...document });
    for (const [path, { get }] of Object.entries(
      document['paths'] as Record<string, { get: { responses: Record<string, { content?: Record<string, { schema: Json; example?: unknown }> }> } }>,
    )) {
      for (const [status, { content = {} }] of Object.entries(get.responses)) {
        for (const [type, { example }] of Object.entries(content)) {
          if (example === undefined || !type.endsWith('json')) continue;
          const pointer = ['paths', path, 'get', 'responses', status, 'content', type, 'schema'].map((part) =>
            encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
          );
          const validate = ajv.compile({ $ref: `https://vitrine.example/doc#/${pointer.join('/')}` });
          expect([path, status, validate(example), validate.errors]).toEqual([path, status, true, null]);
        }
      }
    }
  });

  it('has no breaking change compared with the released interface', () => {
    expect(breakingChanges(JSON.parse(committed('openapi-baseline.json')) as Json, document)).toEqual([]);
  });
});
