import { LISTED_KINDS, type PlainRecord, type RepositoryRef, type StoredRecord } from '@vitrine/core';
import { ROW_COLUMNS, rowOf } from '../records/record-row.js';
import type { SqliteCheckReader } from '../status/sqlite-check-reader.js';
import type { SqliteReading } from './sqlite-reading.js';

/** Some of the records of a store. */
export interface RecordPart {
  readonly records: readonly StoredRecord[];
  /** Where the next part starts; `null` after the last part. */
  readonly next: string | null;
}

const PART_SIZE = 500;
/** Repositories first and checks last: the order that an import needs. */
const KINDS_IN_ORDER: readonly PlainRecord['kind'][] = ['repository', 'service', ...LISTED_KINDS, 'sync'];
const CHECKS = 'checks';
const PART_SQL = `select ${ROW_COLUMNS} from record where kind = ? and key > ? order by kind, key limit ?`;

/** What a collector reads: all repositories, approved or not. */
export class StoredRecords {
  readonly #reading: SqliteReading;
  readonly #checks: SqliteCheckReader;

  constructor(reading: SqliteReading, checks: SqliteCheckReader) {
    this.#reading = reading;
    this.#checks = checks;
  }

  commitBranches(ref: RepositoryRef): ReadonlyMap<string, string | null> {
    return new Map(this.#ofScope('commit', ref).flatMap((record) => (record.kind === 'commit' ? [[record.sha, record.branch]] : [])));
  }

  releaseIds(ref: RepositoryRef): ReadonlySet<string> {
    return new Set(this.#ofScope('release', ref).flatMap((record) => (record.kind === 'release' ? [record.id] : [])));
  }

  /** @param after what the part before returned as `next`; `null` for the first part */
  after(after: string | null): RecordPart {
    const [kind, key] = after === null ? (['repository', ''] as const) : splitAt(after);
    if (kind === CHECKS) {
      const { records, next } = this.#checks.recordsAfter(key === '' ? null : key);
      return { records, next: next === null ? null : `${CHECKS} ${next}` };
    }
    return this.#plainAfter(kind as PlainRecord['kind'], key);
  }

  #plainAfter(kind: PlainRecord['kind'], key: string): RecordPart {
    const rows = this.#reading.database.rows(PART_SQL, kind, key, PART_SIZE).map(rowOf);
    const records = rows.flatMap((row) => this.#reading.decoder.record(kind, row) ?? []);
    const last = rows.at(-1);
    if (rows.length === PART_SIZE && last !== undefined) return { records, next: `${kind} ${last.key}` };
    return { records, next: `${KINDS_IN_ORDER[KINDS_IN_ORDER.indexOf(kind) + 1] ?? CHECKS} ` };
  }

  #ofScope(kind: 'commit' | 'release', ref: RepositoryRef): readonly PlainRecord[] {
    const { database, decoder, scopes } = this.#reading;
    const sql = `select r.json, cast(r.key as blob), r.time from listing l join record r on r.id = l.record
      where l.list = (select id from list where name = ?) and l.scope = ?`;
    return database.rows(sql, kind, scopes.find(ref) ?? 0).flatMap((row) => decoder.record(kind, rowOf(row)) ?? []);
  }
}

function splitAt(text: string): readonly [string, string] {
  const at = text.indexOf(' ');
  return [text.slice(0, at), text.slice(at + 1)];
}
