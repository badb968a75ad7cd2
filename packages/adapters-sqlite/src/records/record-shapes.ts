import { byKind, type AnyField, type AnyFields, type DescribedRecords, type PlainRecord } from '@vitrine/core';
import { fits, storedJson, type AnyShape } from './shape.js';

/** The record of each kind that is stored as a row of its own. */
export type PlainRecords = Omit<DescribedRecords, 'check'>;

const JSON_TYPES = {
  text: 'string',
  choice: 'string',
  repository: 'string',
  whole: 'number',
  seconds: 'number',
  percent: 'number',
  time: 'number',
  flag: 'boolean',
} as const;

/** What JSON of each kind looks like. */
const FITS = byKind(({ fields }) => fits({ kind: 'string', ...shapesOf(fields) }));

/** The record of the kind in a stored JSON; `null` if it is damaged. */
export function storedRecord(kind: keyof PlainRecords, json: string): PlainRecord | null {
  return storedJson(json, FITS[kind] as (value: unknown) => value is PlainRecord);
}

function shapesOf(fields: AnyFields): Readonly<Record<string, AnyShape>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, shapeOf(field)]));
}

function shapeOf(field: AnyField): AnyShape {
  const mayLack = field.nullable === true || field.optional === true;
  switch (field.type) {
    case 'list':
      return mayLack ? [shapeOf(field.item), '?'] : [shapeOf(field.item)];
    case 'object':
      return shapesOf(field.fields);
    default:
      return JSON_TYPES[field.type] + (mayLack ? '?' : '');
  }
}
