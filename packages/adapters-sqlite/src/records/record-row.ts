import {
  isListedKind,
  isRepositoryRef,
  keyOfIdentity,
  NO_REPOSITORY,
  publishableRecord,
  quotable,
  timeOf,
  type Instant,
  type ListedRecord,
  type ListedRecords,
  type PlainRecord,
  type RepositoryRecord,
  type ScopeRef,
  type Service,
  type Sync,
} from '@vitrine/core';

/** The record of each kind that is stored as a row of its own. */
export interface PlainRecords extends ListedRecords {
  readonly repository: RepositoryRecord;
  readonly service: Service;
  readonly sync: Sync;
}

/** Receives the stored records that cannot be published or decoded. Readers skip them and fill the page with the next ones. */
export interface QuarantineMonitor {
  /**
   * @param id the stored id in a form that may be logged
   * @param reason for example `unreadable` or `email-in-identifier`
   */
  quarantined(kind: string, id: string, reason: string): void;
}

/** A stored record as SQLite returns it. The key is a blob, because text would end at its first U+0000. */
export interface RecordRow {
  readonly json: string;
  readonly key: string;
  readonly time: Instant | null;
}

/** The columns of {@link rowOf}, in its order. */
export const ROW_COLUMNS = 'json, cast(key as blob), time';

export function rowOf([json, key, time]: readonly unknown[]): RecordRow {
  return { json: String(json), key: textOf(key), time: typeof time === 'number' ? time : null };
}

export function textOf(blob: unknown): string {
  return Buffer.from(blob as Uint8Array).toString('utf8');
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
  readonly #monitor: QuarantineMonitor | null;

  constructor(monitor: QuarantineMonitor | null) {
    this.#monitor = monitor;
  }

  record<Kind extends keyof PlainRecords>(kind: Kind, row: RecordRow): PlainRecords[Kind] | null {
    const stored = parsed(row.json);
    if (stored === null || !agrees(stored, kind, row)) {
      this.#monitor?.quarantined(kind, quotable(row.key), 'unreadable');
      return null;
    }
    const record = publishableRecord(stored);
    if (typeof record !== 'string') return record as PlainRecords[Kind];
    // An id that names another repository would reveal it, so the log gets only the record's own scope.
    this.#monitor?.quarantined(kind, record === 'foreign-id' ? `one of ${quotable(scopeOfPlain(stored))}` : quotable(row.key), record);
    return null;
  }
}

function parsed(json: string): PlainRecord | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && 'kind' in value ? (value as PlainRecord) : null;
  } catch {
    return null;
  }
}

/** The columns were derived from the record when it was stored. If they differ now, the record is damaged. */
function agrees(record: PlainRecord, kind: string, { key, time }: RecordRow): boolean {
  try {
    const scope: unknown = scopeOfPlain(record);
    const isScope = scope === NO_REPOSITORY || isRepositoryRef(scope);
    return record.kind === kind && isScope && hasProvenance(record) && keyOfIdentity(record) === key && listTimeOf(record) === time;
  } catch {
    return false;
  }
}

function hasProvenance(record: PlainRecord): boolean {
  if (record.kind === 'sync') return true;
  const provenance: unknown = record.provenance;
  return typeof provenance === 'object' && provenance !== null;
}
