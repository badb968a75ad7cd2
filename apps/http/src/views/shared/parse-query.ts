import type { ValidationError } from 'class-validator';
import { Validator } from 'class-validator/cjs/validation/Validator.js';
import { type ParameterDefinition, parametersOf, valueIn } from './parameters.js';
import type { Query } from './query.js';
import { knownPairs, type PlacedViolation, type RawQuery, readRawQuery, type ParameterViolation } from './raw-query.js';

const validator = new Validator();

export type ParsedQuery<Q> = { readonly query: Q } | { readonly violations: readonly [ParameterViolation, ...ParameterViolation[]] };

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
