import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampled } from '@vitrine/test-support';
import { PROBLEM_CODES } from '../src/serving/errors.js';
import { openApiDocument, openApiText } from '../src/openapi/document.js';
import { parametersOf } from '../src/views/shared/parameters.js';
import { badgeRoutes } from '../src/views/badges.js';
import { maintenanceRoute } from '../src/views/incidents.js';
import { feedRoutes, routeTable } from '../src/views/table.js';
import { Api } from './support/api.js';
import { breakingChanges } from './support/breaking-changes.js';
import { openApiFaults } from './support/openapi-faults.js';
import { smallWorld } from './support/small-world.js';

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly schema?: { readonly enum?: readonly string[] };
}

interface Described {
  readonly get: { readonly parameters?: readonly Parameter[] };
}

const document = openApiDocument();
const { parameters: shared = {} } = document['components'] as Readonly<Record<string, Readonly<Record<string, Parameter>>>>;
const committed = (name: string): string => readFileSync(join(__dirname, '../../../docs/api', name), 'utf8');

type Planted = Record<string, unknown> & {
  readonly paths: Record<string, { get: Record<string, unknown> & { responses: Record<string, unknown>; parameters?: unknown[] } }>;
  readonly components: Record<'schemas' | 'headers', Record<string, unknown>>;
};

const RELEASE = '/api/v1/development/releases/{id}';
const releaseOf = ({ paths }: Planted) => paths[RELEASE]?.get ?? { responses: {} };

/** Each makes a right document wrong in one way. */
const FAULTS: readonly (readonly [name: string, plant: (document: Planted) => void, fault: RegExp])[] = [
  ['a field that OpenAPI does not know', (planted) => Object.assign(releaseOf(planted), { answers: {} }), /no OpenAPI document/],
  ['a version that is none', (planted) => Object.assign(planted, { openapi: '3.x' }), /no OpenAPI document/],
  ['a parameter without a place', (planted) => releaseOf(planted).parameters?.push({ name: 'x', schema: {} }), /no OpenAPI document/],
  [
    'a reference to nothing',
    (planted) => Object.assign(planted.components.schemas, { X: { $ref: '#/components/schemas/Nothing' } }),
    /nothing stands at #.*Nothing/,
  ],
  ['a component that nothing uses', (planted) => Object.assign(planted.components.schemas, { Unused: { type: 'string' } }), /nothing uses #.*Unused/],
  ['an operation without an id', (planted) => delete releaseOf(planted)['operationId'], /releases.* no operationId/],
  ['an id with a space', (planted) => Object.assign(releaseOf(planted), { operationId: 'get release' }), /releases.* no operationId/],
  ['the id of another operation', (planted) => Object.assign(releaseOf(planted), { operationId: 'listReleases' }), /operationId of another/],
  ['an operation without a summary', (planted) => delete releaseOf(planted)['summary'], /no summary/],
  ['a tag that is not described', (planted) => Object.assign(releaseOf(planted), { tags: ['Other'] }), /no tag/],
  ['no answer of success', (planted) => delete releaseOf(planted).responses['200'], /no answer of success/],
  [
    'no answer of 4xx',
    (planted) => Object.assign(releaseOf(planted), { responses: { 200: releaseOf(planted).responses['200'] } }),
    /releases.* no answer of 4xx/,
  ],
  ['a path parameter that is not described', (planted) => Object.assign(releaseOf(planted), { parameters: [] }), /other path parameters/],
  [
    'an example of an answer that breaks its schema',
    (planted) => {
      const answer = releaseOf(planted).responses['200'] as { content: Record<string, { example: unknown }> };
      Object.assign(answer.content['application/json'] ?? {}, { example: { data: 1 } });
    },
    /example at .*releases.* breaks its schema/,
  ],
  [
    'an example of a parameter that breaks its schema',
    (planted) => Object.assign(releaseOf(planted).parameters?.[0] ?? {}, { example: 'two words' }),
    /example at .*parameters\/0 breaks its schema/,
  ],
];

/** Every field inside a value, with its path. */
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

  it('is the one that is committed (npm run docs writes it)', () => {
    expect(committed('openapi.json') === openApiText()).toBe(true);
  });

  it('is at most 160 kB, because people and programs read it whole', () => {
    expect(Buffer.byteLength(openApiText())).toBeLessThanOrEqual(160_000);
  });

  it('is what the service serves', async () => {
    expect((await api.get('/openapi.json')).body).toBe(openApiText());
  });

  it('describes the page that browsers get at /', () => {
    const [index] = Object.entries(document['paths'] as Readonly<Record<string, Described>>).flatMap(([path, { get }]) =>
      path === '/' ? [get] : [],
    );
    expect(index).toMatchObject({ responses: { 200: { content: { 'application/json': {}, 'text/html': {} } } } });
  });

  it('describes exactly the existing addresses', () => {
    const mounted = api.application.controllers.endpoints.map(({ path }) => path);
    const documents = [...feedRoutes.map(([, routes]) => routes), ...Object.values(badgeRoutes), [maintenanceRoute]].flat().map(({ path }) => path);
    const described = Object.entries(document['paths'] as Readonly<Record<string, Described>>).flatMap(([path, { get }]) => {
      const parameters = get.parameters?.map((one) => shared[one.$ref?.split('/').at(-1) ?? ''] ?? one) ?? [];
      const { enum: formats = [] } = parameters.find(({ name }) => name === 'format')?.schema ?? {};
      return formats.length === 0 ? [path] : formats.map((format) => path.replace('{format}', format));
    });
    expect([...mounted].sort()).toEqual(described.sort());
    expect([...mounted].sort()).toEqual([...routeTable.map(({ path }) => path), ...documents].sort());
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

  it('is a valid document whose references, operations and examples are right', async () => {
    expect(await openApiFaults(document)).toEqual([]);
  });

  it.each(sampled(FAULTS, 12))('is refused with %s', async (_name, plant, fault) => {
    const whole = JSON.parse(openApiText()) as Planted;
    // The examples of the other operations take long to check.
    const planted = { ...whole, paths: Object.fromEntries(Object.entries(whole.paths).filter(([path]) => RELEASE.startsWith(path))) };
    plant(planted);
    expect(await openApiFaults(planted)).toContainEqual(expect.stringMatching(fault));
  });

  it('has no breaking change compared with the released interface', () => {
    expect(breakingChanges(JSON.parse(committed('openapi-baseline.json')) as Json, document)).toEqual([]);
  });
});
