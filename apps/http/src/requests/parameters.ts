import { asciiLowerCase, MAX_QUERY_LENGTH, MIN_QUERY_LENGTH, nearest, normalizeQuery, parseRepositoryName, SEARCH_TYPES } from '@vitrine/core';
import { parameter } from './parameter.js';

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
export function OpenSet(description: string, example: string) {
  return parameter(
    { description, schema: { type: 'string', pattern: OPEN_SHAPE.source }, example, limits: { pattern: OPEN_SHAPE.source } },
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
    },
    {
      code: 'INVALID_PARAMETER',
      check: (value) => (values.includes(value) ? null : `must be one of ${values.join(', ')}${suggestion(value, values)}`),
    },
  );
}

/** `type` of search: one type or a comma list. */
export function TypeList() {
  return parameter(
    {
      description: `Only hits of these types: one of ${SEARCH_TYPES.map((type) => `\`${type}\``).join(', ')}, or several with commas between them.`,
      schema: { type: 'string', pattern: `^(${SEARCH_TYPES.join('|')})(,(${SEARCH_TYPES.join('|')}))*$` },
      example: 'commit,release',
      limits: { allowed: SEARCH_TYPES },
      canonical: (value) => SEARCH_TYPES.filter((type) => value.split(',').includes(type)).join(','),
    },
    { code: 'INVALID_PARAMETER', check: typeListDetail },
  );
}

function typeListDetail(value: string): string | null {
  const known: readonly string[] = SEARCH_TYPES;
  const stranger = value.split(',').find((type) => !known.includes(type));
  return stranger === undefined ? null : `must be one of ${known.join(', ')}, or several with commas between them${suggestion(stranger, known)}`;
}

function suggestion(value: string, values: readonly string[]): string {
  const near = nearest(value, values);
  return near === null ? '' : `; did you mean ${near}?`;
}

const QUERY = { minLength: MIN_QUERY_LENGTH, maxLength: MAX_QUERY_LENGTH } as const;

/** `q` of search. */
export function QueryText() {
  return parameter(
    {
      description:
        'Words that must all match; the last one matches as a prefix too. Plain text without operators. White space at the ends does not count, and inner white space counts once.',
      schema: { type: 'string', ...QUERY },
      example: 'widget',
      required: true,
      limits: QUERY,
      canonical: (value) => normalizeQuery(value) ?? value,
    },
    {
      code: 'INVALID_PARAMETER',
      check: (value) => (normalizeQuery(value) === null ? `must be ${String(QUERY.minLength)} to ${String(QUERY.maxLength)} characters long` : null),
    },
  );
}
