import { CANARY, type Random } from '@vitrine/core/testing';
import { openApiDocument } from '../../src/openapi/document.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: { readonly enum?: readonly string[]; readonly example?: unknown };
  readonly example?: unknown;
  readonly $ref?: string;
}

const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters?: readonly Parameter[] } }>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
};

interface RequestShape {
  readonly template: string;
  readonly parameters: readonly Parameter[];
}

/** Every documented path under `/api/v1`, with its parameters. */
const requestShapes: readonly RequestShape[] = Object.entries(document.paths)
  .filter(([template]) => template.startsWith('/api/v1'))
  .map(([template, { get }]) => ({
    template,
    parameters: (get.parameters ?? []).map((parameter) => document.components.parameters?.[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter),
  }));

/** Values that match records of the random test data. */
const MEANINGFUL = [
  'acme/widget',
  'acme/gadget',
  'acme/secret',
  'acme/aaa',
  'ada',
  'Bob',
  'main',
  'next',
  'fix',
  'stable',
  'active',
  'alpha',
  'en',
  '9f1c2d3',
  CANARY,
] as const;
const HOSTILE = [
  '',
  '%20',
  '%00',
  '%ZZ',
  '%C0%AE',
  '%ED%A0%80',
  '%u0061',
  '0',
  '-1',
  '101',
  '1e2',
  '%7B%22%24gt%22%3A%22%22%7D',
  '%27%3Bsleep(5000)%3B%27',
  '..%2f..%2fetc%2fpasswd',
  '__proto__',
  'constructor',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '%3Cscript%3E',
  '(a%2B)%2B%24',
  'a'.repeat(300),
  '2024-02-30',
  '2026-11-20',
  '2026-11-20T10:00:00Z',
  '2026-11-20T10:00:00+02:00',
  'NaN',
] as const;

/** A random address: often valid, often invalid, sometimes hostile. */
export function randomTarget(random: Random, cursors: readonly string[]): string {
  const { template, parameters } = requestShapes[random.int(requestShapes.length)] ?? { template: '/api/v1/overview', parameters: [] };
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    randomValue(
      parameters.find((parameter) => parameter.name === name),
      random,
      cursors,
    ).replaceAll('/', '%2F'),
  );
  const query = parameters
    .filter(({ in: place }) => place === 'query' && random.chance(0.35))
    .map((parameter) => `${parameter.name}=${randomValue(parameter, random, cursors)}`);
  if (random.chance(0.03)) query.push(`${random.pick(['x', 'limit', '__proto__', 'limit[]', 'q[$ne]'])}=${random.pick(HOSTILE)}`);
  return query.length === 0 ? path : `${path}?${random.shuffled(query).join('&')}`;
}

function randomValue(parameter: Parameter | undefined, random: Random, cursors: readonly string[]): string {
  if (random.chance(0.25)) return random.pick(HOSTILE);
  const { name, schema, example } = parameter ?? { name: '', schema: {}, example: 'x' };
  if (name === 'cursor') return cursors[random.int(cursors.length)] ?? 'none';
  if (name === 'limit') return String(1 + random.int(8));
  if (schema.enum !== undefined) return schema.enum[random.int(schema.enum.length)] ?? '';
  return random.chance(0.5) ? encodeURIComponent(String(example ?? schema.example ?? 'x')) : encodeURIComponent(random.pick(MEANINGFUL));
}
