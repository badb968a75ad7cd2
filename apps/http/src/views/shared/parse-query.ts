import { asciiLowerCase, nearest } from '@vitrine/core';
import type { Question } from '../../serving/envelope.js';
import type { PathValues } from '../../serving/router.js';
import type { ApiRoute } from './route.js';
import { pathsOf } from './present.js';
import type { ValidationError } from 'class-validator';
import { Validator } from 'class-validator/cjs/validation/Validator.js';
import { parametersOf, valueIn, type ParameterDefinition } from './parameters.js';
import type { Violation } from '../../serving/errors.js';
import type { Query } from './query.js';

const validator = new Validator();

export type ParsedQuery<Q> = { readonly query: Q } | { readonly violations: readonly [Violation, ...Violation[]] };

/** Reads queries of one class. Everything that can be prepared is prepared once. */
export function queryParser<Q extends Query>(queryClass: new () => Q): (text: string) => ParsedQuery<Q> {
  const parameters = parametersOf(queryClass);
  return parserOf(
    queryClass,
    parameters,
    parameters.filter((known) => known.required),
  );
}

/**
 * Reads the queries of addresses that people share and that forms make: drops empty and unknown parameters and all but the first of the same name, and
 * requires none. Values have to be valid.
 *
 * @param ignored known parameters that are dropped, too
 */
export function lenientQueryParser<Q extends Query>(queryClass: new () => Q, ignored: readonly string[] = []): (text: string) => ParsedQuery<Q> {
  const parameters = parametersOf(queryClass);
  const names = parameters.map((known) => known.name).filter((name) => !ignored.includes(name));
  const parse = parserOf(queryClass, parameters, []);
  return (text) => parse(knownPairs(text, names));
}

function parserOf<Q extends Query>(
  queryClass: new () => Q,
  parameters: readonly ParameterDefinition[],
  required: readonly ParameterDefinition[],
): (text: string) => ParsedQuery<Q> {
  const names = parameters.map((known) => known.name);
  const readers = new Map(parameters.map(({ name, read }) => [name, read]));
  const none = Object.freeze(new queryClass());
  return (text) => {
    if (text === '' && required.length === 0) return { query: none };
    const raw = readRawQuery(text, names);
    const query = new queryClass();
    for (const [name, { value }] of raw.values) Reflect.set(query, name, readers.get(name)?.(value));
    const found = [...raw.violations, ...invalid(query, raw, parameters), ...missing(raw, required)].sort((a, b) => a.place - b.place);
    const [first, ...others] = found.map(({ violation }) => violation);
    return first === undefined ? { query } : { violations: [first, ...others] };
  };
}

function invalid(query: object, raw: RawQuery, parameters: readonly ParameterDefinition[]): PlacedViolation[] {
  if (raw.values.size === 0) return [];
  const errors = validator.validateSync(query, { skipMissingProperties: true, stopAtFirstError: true });
  return errors.flatMap((error) => Object.entries(error.constraints ?? {}).map(([code, detail]) => placed(error, code, detail, raw, parameters)));
}

function placed(error: ValidationError, rule: string, detail: string, raw: RawQuery, parameters: readonly ParameterDefinition[]): PlacedViolation {
  const parameter = error.property;
  const known = parameters.find(({ name }) => name === parameter);
  const code = rule === 'INVALID_RANGE' ? rule : (known?.code ?? 'INVALID_PARAMETER');
  const limits = code === 'INVALID_PARAMETER' ? known?.limits : undefined;
  return { place: raw.values.get(parameter)?.place ?? Infinity, violation: { parameter, in: 'query', code, detail, ...limits } };
}

function missing(raw: RawQuery, required: readonly ParameterDefinition[]): PlacedViolation[] {
  const named = new Set([...raw.values.keys(), ...raw.violations.map(({ violation }) => violation.parameter)]);
  return required
    .filter(({ name }) => !named.has(name))
    .map(({ name, limits }) => ({
      place: Infinity,
      violation: { parameter: name, in: 'query', code: 'MISSING_PARAMETER', detail: 'is required', ...limits },
    }));
}

export interface CanonicalQuery {
  /** The query without the cursor, which is the same for all pages of a list. */
  readonly filters: string;
  /** The whole query. */
  readonly whole: string;
}

/**
 * Writes queries of one class in one form: parameters in the order of their declaration, the cursor at the end, without default values. Two queries have the
 * same text exactly when they ask for the same.
 */
export function canonicalQuery<Q extends Query>(queryClass: new () => Q): (query: Q) => CanonicalQuery {
  const parameters = parametersOf(queryClass);
  return (query) => {
    const pairs: string[] = [];
    let cursor = '';
    for (const { name, schema, write } of parameters) {
      const value = valueIn(query, name);
      if (value === null) continue;
      const text = write(value);
      if ('default' in schema && text === String(schema['default'])) continue;
      if (name === CURSOR) cursor = text;
      else pairs.push(`${name}=${encodeURIComponent(text)}`);
    }
    const filters = pairs.join('&');
    return { filters, whole: cursor === '' ? filters : withCursor(filters, cursor) };
  };
}

const CURSOR = 'cursor';

/** The query of the page that begins at a cursor. */
export function withCursor(filters: string, cursor: string): string {
  return `${filters}${filters === '' ? '' : '&'}${CURSOR}=${cursor}`;
}

const MAX_ECHO = 64;

/** A client's text, short enough to be repeated in a message: at most 64 characters, without control characters and bidirectional marks. */
function cleaned(text: string): string {
  const points = [...text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  return points.length <= MAX_ECHO ? points.join('') : `${points.slice(0, MAX_ECHO - 1).join('')}…`;
}

/** A violation, and the place of its parameter in the request. */
export interface PlacedViolation {
  readonly place: number;
  readonly violation: Violation;
}

export interface RawParameter {
  readonly place: number;
  readonly value: string;
}

/** The known parameters that appear once and are not empty, and the problems of the others. */
export interface RawQuery {
  readonly values: ReadonlyMap<string, RawParameter>;
  readonly violations: readonly PlacedViolation[];
}

/** So many places are looked at; a target of 2,048 characters could hold a thousand. */
const MAX_VIOLATIONS = 100;

/** Reads a query as `URLSearchParams` does, but strictly: broken encoding, unknown, repeated and empty parameters and control characters are violations. */
export function readRawQuery(query: string, allowed: readonly string[]): RawQuery {
  const values = new Map<string, RawParameter>();
  const violations: PlacedViolation[] = [];
  const pairs = query.split('&').filter((pair) => pair !== '');
  for (const [place, pair] of pairs.entries()) {
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const value = decoded(equals < 0 ? '' : pair.slice(equals + 1));
    const violation = violationOf(pair, name, value, allowed, values);
    if (violation === null) values.set(name ?? '', { place, value: value ?? '' });
    else if (violations.length < MAX_VIOLATIONS) violations.push({ place, violation });
  }
  return { values, violations };
}

/** The first pair of each of these names that has a value. */
function knownPairs(query: string, names: readonly string[]): string {
  const kept = new Map<string, string>();
  for (const pair of query.split('&')) {
    const name = decoded(pair.split('=', 1)[0] ?? '') ?? '';
    if (names.includes(name) && !kept.has(name) && hasValue(pair)) kept.set(name, pair);
  }
  return [...kept.values()].join('&');
}

function hasValue(pair: string): boolean {
  const equals = pair.indexOf('=');
  return equals >= 0 && decoded(pair.slice(equals + 1))?.trim() !== '';
}

function violationOf(
  pair: string,
  name: string | null,
  value: string | null,
  allowed: readonly string[],
  values: ReadonlyMap<string, unknown>,
): Violation | null {
  if (name === null || value === null) {
    return {
      parameter: cleaned(name ?? pair.split('=', 1)[0] ?? ''),
      in: 'query',
      code: 'BAD_REQUEST',
      detail: 'must be valid percent-encoded UTF-8',
    };
  }
  const at = { parameter: cleaned(name), in: 'query' } as const;
  if (name.trim() === '') return { ...at, code: 'EMPTY_PARAMETER', detail: 'a parameter must have a name' };
  if (!allowed.includes(name)) return { ...at, code: 'UNKNOWN_PARAMETER', detail: unknownDetail(name, allowed), allowed };
  if (values.has(name)) return { ...at, code: 'DUPLICATE_PARAMETER', detail: 'must be given at most once' };
  return valueViolation(at, value);
}

function valueViolation(at: Pick<Violation, 'parameter' | 'in'>, value: string): Violation | null {
  if (value.trim() === '') return { ...at, code: 'EMPTY_PARAMETER', detail: 'must not be empty' };
  return /\p{Cc}/u.test(value) ? { ...at, code: 'INVALID_PARAMETER', detail: 'must not contain control characters' } : null;
}

function unknownDetail(name: string, allowed: readonly string[]): string {
  if (allowed.length === 0) return 'is not a parameter of this endpoint, which takes none';
  const near = nearest(name, allowed);
  return `is not a parameter of this endpoint, which takes ${allowed.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`;
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

/** The facts about a route with cached answers. */
export type AskedRoute<Q extends Query> = Pick<ApiRoute<Q>, 'path' | 'pathParameters' | 'query' | 'shows' | 'isKeptApart'>;

/** Reads the requests of a route. */
export function questionsOf<Q extends Query>(route: AskedRoute<Q>): (query: Q, params: PathValues) => Question {
  const canonical = canonicalQuery(route.query);
  const pathOf = pathsOf(route);
  const names = route.pathParameters.map(({ name }) => name);
  const kinds = new Set(route.shows);
  return (query, params) => {
    const path = pathOf(...names.map((name) => params[name] ?? ''));
    const { filters, whole } = canonical(query);
    return {
      address: { target: whole === '' ? path : `${path}?${whole}`, route: route.path, isKeptApart: route.isKeptApart },
      topics: { kinds, repository: repositoryOf(query, params) },
      pageAt: (cursor) => `${path}?${withCursor(filters, cursor)}`,
    };
  };
}

/** The repository filter of a request. */
function repositoryOf(query: Query, { owner, name, fullName }: PathValues): string | null {
  const filters = query.filters();
  if ('repository' in filters && typeof filters.repository === 'string') return filters.repository;
  if (owner !== undefined && name !== undefined) return asciiLowerCase(`${owner}/${name}`);
  return fullName === undefined ? null : asciiLowerCase(fullName);
}
