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

/** Whether a part of a stored value is intact. Damage can change the name of a field, and the rest of the program trusts the types of stored records. */
export type Fits = (value: unknown) => boolean;

/** The times that a `Date` knows. Most numbers of stored values are times, and the others are smaller. */
const MAX_TIME = 8.64e15;

export const isText: Fits = (value) => typeof value === 'string';
export const isNumber: Fits = (value) => typeof value === 'number' && Math.abs(value) <= MAX_TIME;
/** A count or a length of a record can be larger than every time. */
const isCount: Fits = (value) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
export const isFlag: Fits = (value) => typeof value === 'boolean';

export function maybe(fits: Fits): Fits {
  return (value) => value === null || value === undefined || fits(value);
}

export function listOf<Item>(fits: Fits | ((value: unknown) => value is Item)) {
  return (value: unknown): value is readonly Item[] => Array.isArray(value) && value.every((item) => fits(item));
}

/** A field that the type gets does not compile until it is named here. */
export function objectOf<Value>(fields: Readonly<Record<keyof Value, Fits>>) {
  const entries = Object.entries<Fits>(fields);
  return (value: unknown): value is Value => isObject(value) && entries.every(([name, fits]) => fits(value[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** What JSON of a stored row says; `null` if it is damaged. */
export function storedJson<Value>(json: unknown, isIntact: (value: unknown) => value is Value): Value | null {
  try {
    const value: unknown = JSON.parse(String(json));
    return isIntact(value) ? value : null;
  } catch {
    return null;
  }
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

/** What JSON of each kind looks like. */
const FITS = byKind(({ fields }) => objectOf<PlainRecord>({ ...fitsOf(fields), kind: isText }));

/** The record of the kind in a stored JSON; `null` if it is damaged. */
function storedRecord(kind: keyof PlainRecords, json: string): PlainRecord | null {
  return storedJson(json, FITS[kind]);
}

function fitsOf(fields: AnyFields): Readonly<Record<string, Fits>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fitsField(field)]));
}

function fitsField(field: AnyField): Fits {
  const fits = fitsValue(field);
  return field.nullable === true || field.optional === true ? maybe(fits) : fits;
}

function fitsValue(field: AnyField): Fits {
  switch (field.type) {
    case 'list':
      return listOf(fitsField(field.item));
    case 'object':
      return objectOf(fitsOf(field.fields));
    case 'text':
    case 'choice':
    case 'repository':
      return isText;
    case 'flag':
      return isFlag;
    case 'whole':
    case 'seconds':
      return isCount;
    default:
      return isNumber;
  }
}
