import { DAY, formatInstant, type Instant, parseDate, parseDateTime } from '@vitrine/core';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';
import { filtersIn, parameter, type ParameterValue, rule, Choice } from './parameters.js';

const FORMAT = 'must be a date (YYYY-MM-DD) or an RFC 3339 date-time with its offset, such as 2026-01-31T12:00:00Z';
const SCHEMA = { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] } as const;

/** The beginning of a range: a date begins at its first millisecond. */
function startOf(text: string): Instant | null {
  return parseDate(text) ?? parseDateTime(text);
}

/** The end of a range, which belongs to it: a date ends with its last millisecond. */
function endOf(text: string): Instant | null {
  const day = parseDate(text);
  return day === null ? parseDateTime(text) : day + DAY - 1;
}

function formatDetail(value: string): string | null {
  if (startOf(value) !== null) return null;
  return startOf(value.replace(' ', '+')) === null ? FORMAT : `${FORMAT}; write the + of the offset as %2B`;
}

/** `from`, closed; must not be later than `to`. */
export function From(field: string) {
  return beginning(`Only records whose \`${field}\` is at this moment or later; a date counts from its start in UTC.`);
}

export function To(field: string) {
  return ending(`Only records whose \`${field}\` is at this moment or earlier; a date counts to its end in UTC.`);
}

/** `from` of a list of whole UTC days. @param otherwise the first day without it */
export function FromDay(otherwise: string) {
  return beginning(`The first UTC day: a date, or any moment of the day. Without it, ${otherwise}.`);
}

/** `to` of a list of whole UTC days. */
export function ToDay() {
  return ending('The last UTC day: a date, or any moment of the day. Without it, and if it is in the future, the present day.');
}

function beginning(description: string) {
  const isAfterEnd = rule('INVALID_RANGE', (value, query) => (isAfter(startOf(value), endOfQuery(query)) ? 'must not be later than to' : null));
  return bound(description, '2026-01-01', startOf, isAfterEnd);
}

function ending(description: string) {
  return bound(description, '2026-12-31T23:59:59Z', endOf);
}

function bound(description: string, example: string, instantOf: (text: string) => Instant | null, ...rules: readonly PropertyDecorator[]) {
  const write = (value: ParameterValue): string => instantText(instantOf(String(value)), value);
  const means = (value: ParameterValue) => instantOf(String(value));
  return parameter({ description, schema: SCHEMA, example, write, means }, rule('INVALID_PARAMETER', formatDetail), ...rules);
}

function instantText(instant: Instant | null, text: ParameterValue): string {
  return instant === null ? String(text) : formatInstant(instant);
}

function endOfQuery(query: object): Instant | null {
  return 'to' in query && typeof query.to === 'string' ? endOf(query.to) : null;
}

function isAfter(from: Instant | null, to: Instant | null): boolean {
  return from !== null && to !== null && from > to;
}

/** Query parameters as validated text. Absent ones are `undefined`. */
export abstract class Query {
  /** What a request asks for, normalised, beside its page: cursors are bound to it. */
  filters(): object {
    return filtersIn(this);
  }
}

export class NoQuery extends Query {}

export class RecordQuery extends Query {
  @Choice('`neighbours`: also say which records are beside it in its list.', ['neighbours']) readonly include?: string;
}

const DEFAULT_LIMIT = 20;
const LIMIT = { minimum: 1, maximum: 100 } as const;

function Limit() {
  return parameter(
    {
      description: 'How many records a page holds at most.',
      schema: { type: 'integer', ...LIMIT, default: DEFAULT_LIMIT },
      example: 20,
      limits: LIMIT,
      filter: null,
    },
    Matches(/^([1-9]\d?|100)$/, { message: 'must be an integer from 1 to 100' }),
  );
}

const CURSOR_SHAPE = /^[A-Za-z0-9_-]{20,512}$/;

/** `cursor`: where the next page begins. What it holds is checked once the filters are known. */
function CursorText() {
  return parameter(
    {
      description:
        'Continues a list: `meta.nextCursor` of the page before, unchanged, with the filters of the first request. Only `limit` may differ.',
      schema: { type: 'string', minLength: 20, maxLength: 512, pattern: CURSOR_SHAPE.source },
      code: 'INVALID_CURSOR',
      filter: null,
    },
    Matches(CURSOR_SHAPE, { message: 'must be taken unchanged from meta.nextCursor of this endpoint' }),
  );
}

export abstract class PageQuery extends Query {
  @Limit() readonly limit?: string;
  @CursorText() readonly cursor?: string;

  pageSize(): number {
    return this.limit === undefined ? DEFAULT_LIMIT : Number(this.limit);
  }
}

export class PlainPageQuery extends PageQuery {}

export interface TimeRange {
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** The range of a query, both ends in it; `null` where it is open. */
export function timeRange(query: { readonly from?: string | undefined; readonly to?: string | undefined }): TimeRange {
  return { from: query.from === undefined ? null : startOf(query.from), to: query.to === undefined ? null : endOf(query.to) };
}
