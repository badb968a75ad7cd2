import { asciiLowerCase, nearest, parseRepositoryName, type Warning } from '@vitrine/core';
import type { ValidationArguments } from 'class-validator';
import { registerDecorator } from 'class-validator/cjs/register-decorator.js';
import type { Limits } from '../../serving/errors.js';
import type { ParameterCode } from './raw-query.js';
import type { JsonSchema } from './schema.js';

/** What is known of one query parameter: the same facts validate it and document it. */
export interface ParameterDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** A value that works as it is; `null` where none can, because only the service makes values. */
  readonly example: string | number | null;
  readonly required: boolean;
  readonly limits: Limits;
  /** The documented values of a set that may grow. Another value is looked up all the same. */
  readonly known?: readonly string[];
  /** The value that a request means. It is what the rules and the view get; absent: the value itself. */
  readonly meant?: (value: string) => string;
  /** The one text for all spellings of a value; absent: the value itself. Values that select the same records have the same text. */
  readonly canonical?: (value: string) => string;
}

/** One rule over a value within the whole query: `null`, or the problem, which follows the name of the parameter. */
export interface Rule {
  readonly code: ParameterCode;
  readonly check: (value: string, query: object) => string | null;
}

type QueryClass = abstract new () => object;

const definitions = new Map<object, ParameterDefinition[]>();

/** A decorator that registers a query parameter: its rules with class-validator, its documentation here. The first broken rule counts. */
export function parameter(
  definition: Omit<ParameterDefinition, 'name' | 'required' | 'example'> & Partial<Pick<ParameterDefinition, 'required' | 'example'>>,
  ...rules: readonly Rule[]
) {
  return (prototype: object, name: string): void => {
    const own = definitions.get(prototype) ?? [];
    definitions.set(prototype, [...own, { required: false, example: null, ...definition, name }]);
    rules.forEach((rule, index) => {
      const earlier = rules.slice(0, index);
      const verdict = (value: unknown, query: object): string | null => {
        if (typeof value !== 'string' || earlier.some((other) => other.check(value, query) !== null)) return null;
        return rule.check(value, query);
      };
      registerDecorator({
        name: rule.code,
        target: prototype.constructor,
        propertyName: name,
        validator: {
          validate: (value: unknown, at?: ValidationArguments) => verdict(value, at?.object ?? {}) === null,
          defaultMessage: (at?: ValidationArguments) => verdict(at?.value, at?.object ?? {}) ?? '',
        },
      });
    });
  };
}

/** Warns of each value that is not documented. That depends on the request alone, so it tells nothing of stored records. @param source the kind that is listed */
export function unknownValuesIn(queryClass: QueryClass, source: string): (query: object) => readonly Warning[] {
  const parameters = parametersOf(queryClass).flatMap(({ name, known = [] }) => (known.length === 0 ? [] : [{ name, known }]));
  return (query) =>
    parameters.flatMap(({ name, known }) => {
      const value: unknown = Reflect.get(query, name);
      if (typeof value !== 'string' || known.includes(value)) return [];
      return [{ code: 'UNKNOWN_VALUE', source, detail: `${name} is none of the known values: ${known.join(', ')}.` }];
    });
}

/** The parameters of a query class, those of its base classes first. */
export function parametersOf(query: QueryClass): readonly ParameterDefinition[] {
  const prototypes: object[] = [];
  for (let at: object | null = prototypeOf(query); at !== null && at !== Object.prototype; at = parentOf(at)) prototypes.unshift(at);
  return prototypes.flatMap((prototype) => definitions.get(prototype) ?? []);
}

function prototypeOf(query: QueryClass): object {
  const prototype: unknown = query.prototype;
  return typeof prototype === 'object' && prototype !== null ? prototype : {};
}

function parentOf(prototype: object): object | null {
  const parent: unknown = Object.getPrototypeOf(prototype);
  return typeof parent === 'object' ? parent : null;
}

export const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const LIMIT = { minimum: 1, maximum: MAX_LIMIT } as const;

/** `limit`: the page size. */
export function Limit() {
  return parameter(
    {
      description: 'How many records a page holds at most.',
      schema: { type: 'integer', ...LIMIT, default: DEFAULT_LIMIT },
      example: 20,
      limits: LIMIT,
    },
    {
      code: 'INVALID_PARAMETER',
      check: (value) =>
        /^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_LIMIT
          ? null
          : `must be an integer from ${String(LIMIT.minimum)} to ${String(LIMIT.maximum)}`,
    },
  );
}

const CURSOR_SHAPE = /^[A-Za-z0-9_-]{20,512}$/;
const CURSOR = { minLength: 20, maxLength: 512, pattern: CURSOR_SHAPE.source } as const;

/** `cursor`: where the next page begins. What it holds is checked once the filters are known. */
export function CursorText() {
  return parameter(
    {
      description:
        'Continues a list: `meta.nextCursor` of the page before, unchanged, with the filters of the first request. Only `limit` may differ.',
      schema: { type: 'string', ...CURSOR },
      limits: {},
    },
    { code: 'INVALID_CURSOR', check: (value) => (CURSOR_SHAPE.test(value) ? null : 'must be taken unchanged from meta.nextCursor of this endpoint') },
  );
}

const REPOSITORY_PATTERN = '^[A-Za-z0-9._-]{1,100}/[A-Za-z0-9._-]{1,100}$';

/** `repository`: `owner/name`, in any letter case. */
export function RepositoryFilter(
  description = 'Only records of this repository, as `owner/name` in any letter case. One that is not public gives an empty list.',
) {
  return parameter(
    {
      description,
      schema: { type: 'string', pattern: REPOSITORY_PATTERN, maxLength: 201 },
      example: 'acme/widget',
      limits: { pattern: REPOSITORY_PATTERN },
      canonical: asciiLowerCase,
    },
    { code: 'INVALID_PARAMETER', check: (value) => (parseRepositoryName(value) === null ? 'must be owner/name' : null) },
  );
}

const TEXT = { minLength: 1, maxLength: 255 } as const;

/** A filter by exact text, such as a branch. */
export function TextFilter(description: string, example: string) {
  return parameter(
    { description, schema: { type: 'string', ...TEXT }, example, limits: TEXT },
    {
      code: 'INVALID_PARAMETER',
      check: (value) =>
        [...value].length <= TEXT.maxLength ? null : `must be ${String(TEXT.minLength)} to ${String(TEXT.maxLength)} characters long`,
    },
  );
}

const OPEN_SHAPE = /^[A-Za-z0-9_.:-]{1,64}$/;

/** A filter by a value of a set that may grow: any well-formed value is taken, and one that no record has gives an empty list. */
export function OpenSet(description: string, example: string, known: readonly string[] = []) {
  return parameter(
    {
      description,
      known,
      meant: (value) => knownSpelling(value, known),
      schema: { type: 'string', pattern: OPEN_SHAPE.source },
      example,
      limits: { pattern: OPEN_SHAPE.source },
    },
    { code: 'INVALID_PARAMETER', check: (value) => (OPEN_SHAPE.test(value) ? null : 'must be 1 to 64 of the characters A-Z a-z 0-9 _ . : -') },
  );
}

/** A filter by a value of a set that is known whole. */
export function ClosedSet(description: string, values: readonly string[], fallback?: string) {
  return parameter(
    {
      description,
      schema: { type: 'string', enum: values, ...(fallback === undefined ? {} : { default: fallback }) },
      example: fallback ?? values[0] ?? '',
      limits: { allowed: values },
      meant: (value) => knownSpelling(value, values),
    },
    {
      code: 'INVALID_PARAMETER',
      check: (value) => (values.includes(value) ? null : `must be one of ${values.join(', ')}${suggestion(value, values)}`),
    },
  );
}

/** The known value that a text names in any letter case, or the text itself. */
export function knownSpelling(text: string, known: readonly string[]): string {
  const lower = asciiLowerCase(text);
  return known.find((value) => asciiLowerCase(value) === lower) ?? text;
}

export function suggestion(value: string, values: readonly string[]): string {
  const near = nearest(value, values);
  return near === null ? '' : `; did you mean ${near}?`;
}

/** Names ignore letter case, so filters that differ in it are one filter. */
export function repositoryName(text: string | undefined): string | null {
  return text === undefined ? null : asciiLowerCase(text);
}
