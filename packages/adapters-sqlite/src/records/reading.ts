import { byKind, isListedKind, isRepositoryRef, keyOfIdentity, NO_REPOSITORY, publishableRecord, quotable, timeOf } from '@vitrine/core';
import type {
  AnyField,
  AnyFields,
  Clock,
  DescribedRecords,
  Instant,
  ListedRecord,
  PlainRecord,
  QuarantineMonitor,
  ReadContext,
  ScopeRef,
} from '@vitrine/core';
import { NumberedNames, readFrom, type SqliteDatabase, type SqlRow } from '../database/sqlite-database.js';

/** What all readers of one connection share. */
export class SqliteReading {
  readonly scopes: ScopeIds;
  readonly decoder: RowDecoder;

  constructor(
    readonly database: SqliteDatabase,
    readonly clock: Pick<Clock, 'now'>,
    readonly monitor: QuarantineMonitor | null,
  ) {
    this.scopes = new ScopeIds(database);
    this.decoder = new RowDecoder(monitor);
  }

  /** Answers at once, on the calling thread. Rejects if the caller has gone, and with an `UnavailableError` if the file cannot be read. */
  answer<Result>({ signal }: ReadContext, read: () => Result): Promise<Result> {
    return new Promise((resolve) => {
      signal.throwIfAborted();
      resolve(readFrom(read));
    });
  }

  /** As {@link answer}, from one state of the file, without later writes. */
  snapshot<Result>(context: ReadContext, read: () => Result): Promise<Result> {
    return this.answer(context, () => {
      this.database.exec('begin');
      try {
        return read();
      } finally {
        this.database.exec('commit');
      }
    });
  }
}

/** The first `count` rows that can be decoded. Each read starts at the first row, because the last row may have a damaged key, and then no read can start there. */
export function firstDecoded<Row, Value>(
  count: number,
  read: (size: number) => readonly Row[],
  decode: (row: Row) => Value | null,
): readonly Value[] {
  const found: Value[] = [];
  for (let [size, done] = [count, 0]; ; size *= 2) {
    const rows = read(size);
    for (const row of rows.slice(done)) {
      const value = decode(row);
      if (value !== null) found.push(value);
    }
    done = rows.length;
    if (found.length >= count || done < size) return found.slice(0, count);
  }
}

/** Reads rows in parts, each when it is asked for. @param read reads at most `size` rows after the given one; `null` for the first part */
export function* rowParts(size: number, read: (last: SqlRow | null) => readonly SqlRow[]): Generator<readonly SqlRow[]> {
  for (let last: SqlRow | null = null; ;) {
    const rows = read(last);
    yield rows;
    const end = rows.at(-1);
    if (rows.length < size || end === undefined) return;
    last = end;
  }
}

/** A text of the row after which a part starts. The first part starts after the empty text. */
export function textAt(row: SqlRow | null, column: number): string {
  const value = row?.at(column);
  return typeof value === 'string' ? value : '';
}

/** The numbers that stand for repositories in indexes. Those without a record have none. All are kept, because a list of many repositories needs all of them each time. */
export class ScopeIds extends NumberedNames<ScopeRef> {
  constructor(database: SqliteDatabase) {
    super(database, 'scope', 'ref', Infinity);
  }

  ofAll(refs: readonly ScopeRef[]): readonly number[] {
    return refs.flatMap((ref) => this.find(ref) ?? []);
  }
}

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

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function storedJson<Value>(json: unknown, isIntact: (value: unknown) => value is Value): Value | null {
  try {
    const value: unknown = JSON.parse(String(json));
    return isIntact(value) ? value : null;
  } catch {
    return null;
  }
}

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

export function scopeOfPlain(record: PlainRecord): ScopeRef {
  return 'repositoryRef' in record ? record.repositoryRef : NO_REPOSITORY;
}

/** Decodes the stored records of one kind. Never throws: a record that cannot be decoded or published is reported and becomes `null`. */
export class RowDecoder {
  constructor(private readonly monitor: QuarantineMonitor | null) {}

  record<Kind extends keyof PlainRecords>(kind: Kind, row: RecordRow): PlainRecords[Kind] | null {
    const stored = storedJson(row.json, FITS[kind]);
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

const PLAIN_FITS = {
  text: isText,
  choice: isText,
  repository: isText,
  flag: isFlag,
  whole: isCount,
  seconds: isCount,
  percent: isNumber,
  time: isNumber,
} as const;

const FITS = byKind(({ fields }) => objectOf<PlainRecord>({ ...fitsOf(fields), kind: isText }));

function fitsOf(fields: AnyFields): Readonly<Record<string, Fits>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fitsField(field)]));
}

function fitsField(field: AnyField): Fits {
  const fits = fitsValue(field);
  return field.nullable === true || field.optional === true ? maybe(fits) : fits;
}

function fitsValue(field: AnyField): Fits {
  if (field.type === 'list') return listOf(fitsField(field.item));
  return field.type === 'object' ? objectOf(fitsOf(field.fields)) : PLAIN_FITS[field.type];
}
