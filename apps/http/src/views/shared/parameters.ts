import { asciiLowerCase, compareText, type FilterValue, type Instant, nearest, parseRepositoryName, type Warning } from '@vitrine/core';
import { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
import { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';
import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy.js';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';
import type { Limits, ProblemCode } from '../../serving/errors.js';
import type { JsonSchema } from './schema.js';

export type ParameterValue = string | readonly string[];

/** What is known of one query parameter: the same facts validate it and document it. */
export interface ParameterDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** A value that works as it is; `null` where none can, because only the service makes values. */
  readonly example: string | number | null;
  readonly required: boolean;
  readonly limits: Limits;
  /** The code of a broken rule that does not name one. */
  readonly code: ProblemCode;
  /** The documented values of a set that may grow. Another value is looked up all the same. */
  readonly known: readonly string[];
  /** The value that a text means. It is what the rules and the view get. */
  readonly read: (text: string) => ParameterValue;
  /** The one text for all spellings of a value. Values that select the same records have the same text. */
  readonly write: (value: ParameterValue) => string;
  /** The filter of the use case that it sets; `null` if it sets none. Default: that of its own name. */
  readonly filter: string | null;
  readonly means: (value: ParameterValue) => FilterValue | Instant;
}

type QueryClass = abstract new () => object;

const definitions = new Map<object, ParameterDefinition[]>();

const DEFAULTS: Omit<ParameterDefinition, 'name' | 'description' | 'schema' | 'filter'> = {
  ...{ required: false, example: null, limits: {}, known: [], read: String, write: String },
  code: 'INVALID_PARAMETER',
  // A text if there is only one value, so that cursors of such a filter stay as they are.
  means: (value: ParameterValue) => (typeof value !== 'string' && value.length === 1 ? (value[0] ?? null) : value),
};

/** A decorator that registers a query parameter: its documentation here, its rules with class-validator. The first broken rule counts. */
export function parameter(
  definition: Pick<ParameterDefinition, 'description' | 'schema'> & Partial<Omit<ParameterDefinition, 'name'>>,
  ...rules: readonly PropertyDecorator[]
) {
  return (prototype: object, name: string): void => {
    definitions.set(prototype, [...(definitions.get(prototype) ?? []), { ...DEFAULTS, filter: name, ...definition, name }]);
    for (const rule of rules) rule(prototype, name);
  };
}

/** A rule that class-validator does not have. @param check returns the problem, which follows the name of the parameter, or `null` */
export function rule(code: ProblemCode, check: (value: string, query: object) => string | null): PropertyDecorator {
  return ValidateBy({
    name: code,
    validator: {
      validate: (value, at) => check(String(value), at?.object ?? {}) === null,
      defaultMessage: (at) => check(String(at?.value), at?.object ?? {}) ?? '',
    },
  });
}

/** Warns of each value that is not documented. That depends on the request alone, so it tells nothing of stored records. @param source the kind that is listed */
export function unknownValuesIn(queryClass: QueryClass, source: string): (query: object) => readonly Warning[] {
  const parameters = parametersOf(queryClass).filter(({ known }) => known.length > 0);
  return (query) =>
    parameters.flatMap(({ name, known }) => {
      const values = [valueIn(query, name) ?? []].flat();
      if (values.every((value) => known.includes(value))) return [];
      return [{ code: 'UNKNOWN_VALUE', source, detail: `${name} has a value that is not known. The known values: ${known.join(', ')}.` }];
    });
}

export function valueIn(query: object, name: string): ParameterValue | null {
  return (Reflect.get(query, name) as ParameterValue | undefined) ?? null;
}

export function parametersOf(query: QueryClass): readonly ParameterDefinition[] {
  return parametersBelow(query.prototype as object);
}

const ofPrototypes = new Map<object, readonly ParameterDefinition[]>();

function parametersBelow(prototype: object): readonly ParameterDefinition[] {
  const known = ofPrototypes.get(prototype);
  if (known !== undefined || prototype === Object.prototype) return known ?? [];
  const all = [...parametersBelow(Object.getPrototypeOf(prototype) as object), ...(definitions.get(prototype) ?? [])];
  ofPrototypes.set(prototype, all);
  return all;
}

/** Query parameters as validated text. Absent ones are `undefined`. */
export abstract class Query {
  /** What a request asks for, normalised, beside its page: cursors are bound to it. The filters by their names; `null` for those that are not set. */
  filters(): object {
    const filters: Record<string, FilterValue | Instant> = {};
    for (const { name, filter, means } of parametersBelow(Object.getPrototypeOf(this) as object)) {
      if (filter === null) continue;
      const value = valueIn(this, name);
      filters[filter] = value === null ? null : means(value);
    }
    return filters;
  }
}

export class NoQuery extends Query {}

export const REPOSITORY_PATTERN = '^[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}$';

/** `repository`: `owner/name`. Letter case does not matter, so the view gets lower case. */
export function RepositoryFilter(
  description = 'Only records of this repository, as `owner/name` in any letter case. One that is not public gives an empty list.',
) {
  return parameter(
    {
      description,
      schema: { type: 'string', pattern: REPOSITORY_PATTERN, maxLength: 201 },
      example: 'acme/widget',
      limits: { pattern: REPOSITORY_PATTERN },
      read: asciiLowerCase,
    },
    rule('INVALID_PARAMETER', (value) => (parseRepositoryName(value) === null ? 'must be owner/name' : null)),
  );
}

const TEXT = { minLength: 1, maxLength: 255 } as const;

export function TextFilter(description: string, example: string) {
  return parameter(
    { description, schema: { type: 'string', ...TEXT }, example, limits: TEXT },
    Matches(/^.{1,255}$/su, { message: 'must be 1 to 255 characters long' }),
  );
}

const WORD_SHAPE = /^[A-Za-z0-9_.:-]{1,64}$/;
const OF_WORD_SHAPE = { message: 'must be 1 to 64 of the characters A-Z a-z 0-9 _ . : -' };

/** A filter by a word: any well-formed one is taken, and one that no record has gives an empty list. */
export function WordFilter(description: string, example: string) {
  const pattern = { pattern: WORD_SHAPE.source };
  return parameter({ description, schema: { type: 'string', ...pattern }, example, limits: pattern }, Matches(WORD_SHAPE, OF_WORD_SHAPE));
}

/** One of a set that is known whole. @param fallback what its absence means, if that is one of them */
export function Choice(description: string, values: readonly string[], fallback?: string) {
  return parameter(
    {
      description,
      schema: { type: 'string', enum: values, ...(fallback !== undefined && { default: fallback }) },
      example: fallback ?? values[0] ?? '',
      limits: { allowed: values },
      read: (text) => knownSpelling(text, values),
    },
    IsIn(values, { message: ({ value }) => `must be one of ${values.join(', ')}${suggestion([String(value)], values)}` }),
  );
}

const MOST_VALUES = 20;

interface DocumentedValues {
  readonly values: readonly string[];
  readonly example: string;
  /** Whether other values are looked up all the same. */
  readonly isOpen?: boolean;
  readonly short?: Readonly<Record<string, readonly string[]>>;
  readonly filter?: string;
}

/** A filter over a field with documented values: one of them, or several with commas between them, in any letter case. */
export function ValuesFilter(description: string, { values, example, isOpen = false, short = {}, ...named }: DocumentedValues) {
  const names = [...values, ...Object.keys(short)];
  const one = isOpen ? WORD_SHAPE.source.slice(1, -1) : `(${names.join('|')})`;
  const [some, theirs] = isOpen ? ['the known values ', 'the known ones '] : ['', ''];
  const pattern = `^${one}(,${one}){0,${String(MOST_VALUES - 1)}}$`;
  const inOrder = (found: ReadonlySet<string>) => [
    ...values.filter((value) => found.has(value)),
    ...[...found].filter((value) => !values.includes(value)).sort(compareText),
  ];
  return parameter(
    {
      description: `${description} One of ${some}${names.join(' ')}, or several with commas between them, ${theirs}in any letter case.`,
      known: isOpen ? values : [],
      schema: { type: 'string', pattern },
      example,
      limits: isOpen ? { pattern } : { allowed: names },
      read: (text) => inOrder(new Set(text.split(',').flatMap((part) => meantBy(knownSpelling(part, names), short)))),
      write: (found) => shortened(found, short).join(','),
      ...named,
    },
    ArrayMaxSize(MOST_VALUES, { message: `must have at most ${String(MOST_VALUES)} values` }),
    isOpen
      ? Matches(WORD_SHAPE, { each: true, ...OF_WORD_SHAPE })
      : IsIn(values, {
          each: true,
          message: ({ value }) =>
            `must be one of ${names.join(', ')}, or several with commas between them${suggestion([value as readonly string[]].flat(), names)}`,
        }),
  );
}

function meantBy(name: string, short: NonNullable<DocumentedValues['short']>): readonly string[] {
  return Object.hasOwn(short, name) ? (short[name] ?? []) : [name];
}

/** The same values, with a short name where one stands for several of them. */
function shortened(found: ParameterValue, short: NonNullable<DocumentedValues['short']>): readonly string[] {
  return Object.entries(short).reduce<readonly string[]>((values, [name, all]) => {
    const isWhole = all.length > 1 && all.every((value) => values.includes(value));
    return isWhole ? [name, ...values.filter((value) => !all.includes(value))] : values;
  }, [found].flat());
}

/** The known value that a text names in any letter case, or the text itself. */
function knownSpelling(text: string, known: readonly string[]): string {
  const lower = asciiLowerCase(text);
  return known.find((value) => asciiLowerCase(value) === lower) ?? text;
}

function suggestion(given: readonly string[], values: readonly string[]): string {
  const stranger = given.find((value) => !values.includes(value));
  const near = stranger === undefined ? null : nearest(stranger, values);
  return near === null ? '' : `; did you mean ${near}?`;
}
