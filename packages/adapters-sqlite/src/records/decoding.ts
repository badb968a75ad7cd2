import {
  type AnyField,
  type AnyFields,
  byKind,
  type DescribedRecords,
  type Instant,
  isListedKind,
  isRepositoryRef,
  keyOfIdentity,
  type ListedRecord,
  NO_REPOSITORY,
  type PlainRecord,
  publishableRecord,
  type QuarantineMonitor,
  quotable,
  type ScopeRef,
  timeOf,
} from '@vitrine/core';

/** The shape of a value: the JSON type of each field. With `?`, it may also be `null` or missing. A field that a type gets does not compile until it has a shape. */
export type Shape<Value> = [NonNullable<Value>] extends [string]
  ? Leaf<'string', Value>
  : [NonNullable<Value>] extends [number]
    ? Leaf<'number', Value>
    : [NonNullable<Value>] extends [boolean]
      ? Leaf<'boolean', Value>
      : [NonNullable<Value>] extends [readonly (infer Item)[]]
        ? [Value] extends [NonNullable<Value>]
          ? readonly [Shape<Item>]
          : readonly [Shape<Item>, '?']
        : ObjectShape<Value>;
type ObjectShape<Value> = { readonly [Name in keyof Value]-?: Shape<Value[Name]> };
type Leaf<Type extends string, Value> = [Value] extends [NonNullable<Value>] ? Type : `${Type}?`;

type ListShape = readonly [AnyShape] | readonly [AnyShape, '?'];
type AnyShape = string | ListShape | { readonly [name: string]: AnyShape };
type Fits = (value: unknown) => boolean;

/** No number of a stored value is beyond the times that a `Date` knows. */
const MAX_NUMBER = 8.64e15;

const LEAVES: Readonly<Record<string, Fits>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Math.abs(value) <= MAX_NUMBER,
  boolean: (value) => typeof value === 'boolean',
};

/** What JSON of a stored row says; `null` if it is damaged. */
export function storedJson<Value>(json: unknown, isIntact: (value: unknown) => value is Value): Value | null {
  try {
    const value: unknown = JSON.parse(String(json));
    return isIntact(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value has a shape. Damage can change the name of a field, and the rest of the program trusts the types of stored records. */
export function fitsOf<Value>(shape: Shape<Value>): (value: unknown) => value is Value {
  return fits(shape) as (value: unknown) => value is Value;
}

function fits(shape: AnyShape): Fits {
  if (typeof shape === 'string') return leaf(shape);
  if (isList(shape)) return list(shape);
  const fields = Object.entries(shape).map(([name, field]) => [name, fits(field)] as const);
  return (value) => isObject(value) && fields.every(([name, field]) => field(value[name]));
}

function leaf(shape: string): Fits {
  const type = LEAVES[shape.replace('?', '')] ?? (() => false);
  return shape.endsWith('?') ? optional(type) : type;
}

function list([item, mark]: ListShape): Fits {
  const fitsItem = fits(item);
  const type: Fits = (value) => Array.isArray(value) && value.every((one) => fitsItem(one));
  return mark === '?' ? optional(type) : type;
}

function optional(type: Fits): Fits {
  return (value) => value === null || value === undefined || type(value);
}

function isList(shape: AnyShape): shape is ListShape {
  return Array.isArray(shape);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A stored record as SQLite returns it. */
export interface RecordRow {
  readonly json: string;
  readonly key: string;
  readonly time: Instant | null;
}

/** The columns of {@link rowOf}, in its order. */
export const ROW_COLUMNS = 'json, key, time';

export function rowOf([json, key, time]: readonly unknown[]): RecordRow {
  return { json: String(json), key: String(key), time: typeof time === 'number' ? time : null };
}

/** The time of a record in the list of its kind; `null` for kinds without a list. */
export function listTimeOf(record: PlainRecord): Instant | null {
  return isListed(record) ? timeOf(record) : null;
}

export function isListed(record: PlainRecord): record is ListedRecord {
  return isListedKind(record.kind);
}

/** The repository of a record; `-` for none. */
export function scopeOfPlain(record: PlainRecord): ScopeRef {
  return 'repositoryRef' in record ? record.repositoryRef : NO_REPOSITORY;
}

/** Decodes the stored records of one kind. Never throws: a record that cannot be decoded or published is reported and becomes `null`. */
export class RowDecoder {
  constructor(private readonly monitor: QuarantineMonitor | null) {}

  record<Kind extends keyof PlainRecords>(kind: Kind, row: RecordRow): PlainRecords[Kind] | null {
    const stored = storedRecord(kind, row.json);
    if (stored === null || !agrees(stored, kind, row)) {
      this.monitor?.quarantined(kind, quotable(row.key), 'unreadable');
      return null;
    }
    const record = publishableRecord(stored);
    if (typeof record !== 'string') return record as PlainRecords[Kind];
    // An id that names another repository would reveal it, so the log gets only the record's own scope.
    this.monitor?.quarantined(kind, record === 'foreign-id' ? `one of ${quotable(scopeOfPlain(stored))}` : quotable(row.key), record);
    return null;
  }
}

/** The columns were derived from the record when it was stored. If they differ now, the record is damaged. */
function agrees(record: PlainRecord, kind: string, { key, time }: RecordRow): boolean {
  try {
    const scope: unknown = scopeOfPlain(record);
    const isScope = scope === NO_REPOSITORY || isRepositoryRef(scope);
    return record.kind === kind && isScope && keyOfIdentity(record) === key && listTimeOf(record) === time;
  } catch {
    return false;
  }
}

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
function storedRecord(kind: keyof PlainRecords, json: string): PlainRecord | null {
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
