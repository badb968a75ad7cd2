import { DAY, formatInstant, parseDate, parseDateTime, type Instant } from '@vitrine/core';
import { parameter } from './parameter.js';

const FORMAT = 'must be a date (YYYY-MM-DD) or an RFC 3339 date-time with its offset, such as 2026-01-31T12:00:00Z';
const SCHEMA = { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] } as const;

/** The beginning of a range: a date begins at its first millisecond. */
export function startOf(text: string): Instant | null {
  return parseDate(text) ?? parseDateTime(text);
}

/** The end of a range, which belongs to it: a date ends with its last millisecond. */
export function endOf(text: string): Instant | null {
  const day = parseDate(text);
  return day === null ? parseDateTime(text) : day + DAY - 1;
}

function formatDetail(value: string): string | null {
  if (startOf(value) !== null) return null;
  return startOf(value.replace(' ', '+')) === null ? FORMAT : `${FORMAT}; write the + of the offset as %2B`;
}

/** `from`, closed; must not be later than `to`. */
export function From(field: string) {
  return parameter(
    {
      description: `Only records whose \`${field}\` is at this moment or later; a date counts from its start in UTC.`,
      schema: SCHEMA,
      example: '2026-01-01',
      limits: {},
      canonical: (value) => instantText(startOf(value), value),
    },
    { code: 'INVALID_PARAMETER', check: formatDetail },
    { code: 'INVALID_RANGE', check: (value, query) => (isAfter(startOf(value), endOfQuery(query)) ? 'must not be later than to' : null) },
  );
}

/** `to`, closed. */
export function To(field: string) {
  return parameter(
    {
      description: `Only records whose \`${field}\` is at this moment or earlier; a date counts to its end in UTC.`,
      schema: SCHEMA,
      example: '2026-12-31T23:59:59Z',
      limits: {},
      canonical: (value) => instantText(endOf(value), value),
    },
    { code: 'INVALID_PARAMETER', check: formatDetail },
  );
}

function instantText(instant: Instant | null, text: string): string {
  return instant === null ? text : formatInstant(instant);
}

function endOfQuery(query: object): Instant | null {
  return 'to' in query && typeof query.to === 'string' ? endOf(query.to) : null;
}

function isAfter(from: Instant | null, to: Instant | null): boolean {
  return from !== null && to !== null && from > to;
}
