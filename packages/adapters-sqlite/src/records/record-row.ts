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
  type PlainRecord,
  type ScopeRef,
} from '@vitrine/core';
import { storedRecord, type PlainRecords } from './record-shapes.js';

/** Receives the stored records that cannot be published or decoded. Readers skip them and fill the page with the next ones. */
export interface QuarantineMonitor {
  /**
   * @param id the stored id in a form that may be logged
   * @param reason for example `unreadable` or `email-in-identifier`
   */
  quarantined(kind: string, id: string, reason: string): void;
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
  readonly #monitor: QuarantineMonitor | null;

  constructor(monitor: QuarantineMonitor | null) {
    this.#monitor = monitor;
  }

  record<Kind extends keyof PlainRecords>(kind: Kind, row: RecordRow): PlainRecords[Kind] | null {
    const stored = storedRecord(kind, row.json);
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
