import { DAY, formatInstant, type Instant, parseDate, parseDateTime } from '@vitrine/core';
import { parameter, type ParameterValue, rule } from './parameters.js';

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

export function ToDay() {
  return ending('The last UTC day: a date, or any moment of the day. Without it, and if it is in the future, the present day.');
}

function beginning(description: string) {
  const isAfterEnd = rule('INVALID_RANGE', (value, query) => {
    const { from, to } = timeRange({ ...query, from: value });
    return from !== null && to !== null && from > to ? 'must not be later than to' : null;
  });
  return bound(description, '2026-01-01', startOf, isAfterEnd);
}

function ending(description: string) {
  return bound(description, '2026-12-31T23:59:59Z', endOf);
}

function bound(description: string, example: string, instantOf: (text: string) => Instant | null, ...rules: readonly PropertyDecorator[]) {
  const means = (value: ParameterValue) => instantOf(String(value));
  const write = (value: ParameterValue): string => {
    const instant = means(value);
    return instant === null ? String(value) : formatInstant(instant);
  };
  return parameter({ description, schema: SCHEMA, example, write, means }, rule('INVALID_PARAMETER', formatDetail), ...rules);
}

/** The range of a query, both ends in it; `null` where it is open. */
export function timeRange(query: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  return { from: query.from === undefined ? null : startOf(query.from), to: query.to === undefined ? null : endOf(query.to) };
}
