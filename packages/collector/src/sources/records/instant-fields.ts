import { byKind, type AnyField, type AnyFields } from '@vitrine/core';

/** All fields, of any record or part of a record, that contain a time. The counts of a day have three of their own. */
export const INSTANT_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(byKind(({ fields }) => timesOf(fields))).flat(),
  'coveredUntil',
  'firstCheckedAt',
  'lastCheckedAt',
]);

function timesOf(fields: AnyFields): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => (field.type === 'time' ? [name] : partTimes(field)));
}

function partTimes(field: AnyField): readonly string[] {
  if (field.type === 'list') return partTimes(field.item);
  return field.type === 'object' ? timesOf(field.fields) : [];
}
