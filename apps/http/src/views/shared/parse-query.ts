import { asciiLowerCase, nearest } from '@vitrine/core';
import type { Question } from '../../serving/envelope.js';
import type { PathValues } from '../../serving/router.js';
import type { ApiRoute } from './route.js';
import { pathsOf } from './schema.js';
import { Validator } from 'class-validator/cjs/validation/Validator.js';
import { type ParameterDefinition, parametersOf, type Query, valueIn } from './parameters.js';
import type { ProblemCode, Violation } from '../../serving/errors.js';

const validator = new Validator();

export type ParsedQuery<Q> = { readonly query: Q } | { readonly violations: readonly [Violation, ...Violation[]] };

/** Reads queries of one class. Everything that can be prepared is prepared once. */
export function queryParser<Q extends Query>(queryClass: new () => Q): (text: string) => ParsedQuery<Q> {
  const names = parametersOf(queryClass).map(({ name }) => name);
  return parserOf(queryClass, names, () => true);
}

/** What is dropped from the queries of addresses that people share and that forms make, and from those of trackers. */
const DROPPED: ReadonlySet<ProblemCode> = new Set(['UNKNOWN_PARAMETER', 'DUPLICATE_PARAMETER', 'EMPTY_PARAMETER', 'MISSING_PARAMETER']);

/**
 * Reads the queries of pages, feeds and badges: drops empty and unknown parameters and all but the first of the same name, and requires none. Values have to be
 * valid.
 *
 * @param ignored known parameters that are dropped, too
 */
export function lenientQueryParser<Q extends Query>(queryClass: new () => Q, ignored: readonly string[] = []): (text: string) => ParsedQuery<Q> {
  const names = parametersOf(queryClass).flatMap(({ name }) => (ignored.includes(name) ? [] : name));
  return parserOf(queryClass, names, ({ code, parameter }) => !DROPPED.has(code) && names.includes(parameter));
}

function parserOf<Q extends Query>(
  queryClass: new () => Q,
  names: readonly string[],
  counts: (violation: Violation) => boolean,
): (text: string) => ParsedQuery<Q> {
  const parameters = parametersOf(queryClass);
  const required = parameters.filter((known) => known.required);
  const readers = new Map(parameters.map(({ name, read }) => [name, read]));
  const none = Object.freeze(new queryClass());
  return (text) => {
    if (text === '' && required.length === 0) return { query: none };
    const pairs = readRawQuery(text, names);
    const query = new queryClass();
    for (const pair of pairs) if ('value' in pair) Reflect.set(query, pair.parameter, readers.get(pair.parameter)?.(pair.value));
    const broken = brokenRules(query, parameters);
    const found = pairs.flatMap((pair) => ('value' in pair ? (broken.get(pair.parameter) ?? []) : pair));
    const [first, ...others] = [...found, ...missing(pairs, required)].filter(counts);
    return first === undefined ? { query } : { violations: [first, ...others] };
  };
}

/** The violations of the rules of a query class, by parameter. */
function brokenRules(query: object, parameters: readonly ParameterDefinition[]): ReadonlyMap<string, Violation> {
  const errors = validator.validateSync(query, { skipMissingProperties: true, stopAtFirstError: true });
  return new Map(
    errors.map(({ property, constraints = {} }) => {
      const [rule, detail] = Object.entries(constraints)[0] ?? ['', ''];
      const known = parameters.find(({ name }) => name === property);
      const code = rule === 'INVALID_RANGE' ? rule : (known?.code ?? 'INVALID_PARAMETER');
      const limits = code === 'INVALID_PARAMETER' ? known?.limits : undefined;
      return [property, { parameter: property, in: 'query', code, detail, ...limits }];
    }),
  );
}

function missing(pairs: readonly RawPair[], required: readonly ParameterDefinition[]): readonly Violation[] {
  const named = new Set(pairs.map(({ parameter }) => parameter));
  return required
    .filter(({ name }) => !named.has(name))
    .map(({ name, limits }) => ({ parameter: name, in: 'query', code: 'MISSING_PARAMETER', detail: 'is required', ...limits }));
}

/**
 * Writes queries of one class in one form: parameters in the order of their declaration, without the cursor and without default values. Two queries have the
 * same text exactly when they ask for pages of the same list.
 */
function canonicalFilters<Q extends Query>(queryClass: new () => Q): (query: Q) => string {
  const parameters = parametersOf(queryClass).filter(({ name }) => name !== CURSOR);
  return (query) => {
    const pairs: string[] = [];
    for (const { name, schema, write } of parameters) {
      const value = valueIn(query, name);
      if (value === null) continue;
      const text = write(value);
      if (!('default' in schema && text === String(schema['default']))) pairs.push(`${name}=${encodeURIComponent(text)}`);
    }
    return pairs.join('&');
  };
}

const CURSOR = 'cursor';

/** Where in its list the page of a query begins; `null`: it is the first one. */
export function cursorOf(query: Query): string | null {
  const cursor = valueIn(query, CURSOR);
  return cursor === null ? null : String(cursor);
}

const MAX_ECHO = 64;

/** A client's text, short enough to be repeated in a message: at most 64 characters, without control characters and bidirectional marks. */
function cleaned(text: string): string {
  const points = [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  return points.length <= MAX_ECHO ? points.join('') : `${points.slice(0, MAX_ECHO - 1).join('')}…`;
}

/** A pair of a query: a known parameter that appears for the first time and is not empty, or what is wrong with it. */
export type RawPair = { readonly parameter: string; readonly value: string } | Violation;

/** So many violations are told; a target of 2,048 characters could hold a thousand. */
const MAX_VIOLATIONS = 100;

/** Reads a query as `URLSearchParams` does, but strictly: broken encoding, unknown, repeated and empty parameters and control characters are violations. */
export function readRawQuery(query: string, allowed: readonly string[]): readonly RawPair[] {
  const pairs: RawPair[] = [];
  const taken = new Set<string>();
  let violations = 0;
  for (const text of query.split('&')) {
    if (text === '') continue;
    const pair = readPair(text, allowed, taken);
    if ('value' in pair) taken.add(pair.parameter);
    else violations += 1;
    if ('value' in pair || violations <= MAX_VIOLATIONS) pairs.push(pair);
  }
  return pairs;
}

function readPair(pair: string, allowed: readonly string[], taken: ReadonlySet<string>): RawPair {
  const [written = ''] = pair.split('=', 1);
  const [name, value] = [decoded(written), decoded(pair.slice(written.length + 1))];
  const at = { parameter: cleaned(name ?? written), in: 'query' } as const;
  if (name === null || value === null) return { ...at, code: 'BAD_REQUEST', detail: 'must be valid percent-encoded UTF-8' };
  if (!allowed.includes(name)) return { ...at, ...unknown(name, allowed) };
  if (taken.has(name)) return { ...at, code: 'DUPLICATE_PARAMETER', detail: 'must be given at most once' };
  const problem = problemOfValue(value);
  return problem === null ? { parameter: name, value } : { ...at, ...problem };
}

type Problem = Pick<Violation, 'code' | 'detail' | 'allowed'>;

function problemOfValue(value: string): Problem | null {
  if (value.trim() === '') return { code: 'EMPTY_PARAMETER', detail: 'must not be empty' };
  return /\p{Cc}/u.test(value) ? { code: 'INVALID_PARAMETER', detail: 'must not contain control characters' } : null;
}

function unknown(name: string, allowed: readonly string[]): Problem {
  if (name.trim() === '') return { code: 'EMPTY_PARAMETER', detail: 'a parameter must have a name' };
  if (allowed.length === 0) return { code: 'UNKNOWN_PARAMETER', detail: 'is not a parameter of this endpoint, which takes none', allowed };
  const near = nearest(name, allowed);
  const meant = near === null ? '' : `; did you mean ${near}?`;
  return { code: 'UNKNOWN_PARAMETER', detail: `is not a parameter of this endpoint, which takes ${allowed.join(', ')}${meant}`, allowed };
}

/** `null` for anything but percent-encoded UTF-8: overlong forms and surrogates are refused too. */
function decoded(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

export type AskedRoute<Q extends Query> = Pick<ApiRoute<Q>, 'path' | 'pathParameters' | 'query' | 'shows' | 'isKeptApart'>;

export function questionsOf<Q extends Query>(route: AskedRoute<Q>): (query: Q, params: PathValues) => Question {
  const filtersOf = canonicalFilters(route.query);
  const pathOf = pathsOf(route);
  const names = route.pathParameters.map(({ name }) => name);
  const kinds = new Set(route.shows);
  return (query, params) => {
    const path = pathOf(...names.map((name) => params[name] ?? ''));
    const filters = filtersOf(query);
    const pageAt = (cursor: string | null): string => {
      const pairs = [filters, cursor === null ? '' : `${CURSOR}=${cursor}`].filter((text) => text !== '');
      return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
    };
    return {
      address: { target: pageAt(cursorOf(query)), route: route.path, isKeptApart: route.isKeptApart },
      topics: { kinds, repository: repositoryOf(query, params) },
      pageAt,
    };
  };
}

function repositoryOf(query: Query, { owner, name, fullName }: PathValues): string | null {
  const filters = query.filters();
  if ('repository' in filters && typeof filters.repository === 'string') return filters.repository;
  if (owner !== undefined && name !== undefined) return asciiLowerCase(`${owner}/${name}`);
  return fullName === undefined ? null : asciiLowerCase(fullName);
}
