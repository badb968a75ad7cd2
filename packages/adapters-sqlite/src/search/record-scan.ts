import { isSearchable, SEARCHED_KINDS, type SearchableRecord } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { ROW_COLUMNS, RowDecoder, rowOf } from '../records/record-row.js';

/** A record that search can find, and its number. */
export interface ScannedRecord {
  readonly id: number;
  readonly record: SearchableRecord;
}

export interface Scanned {
  readonly records: readonly ScannedRecord[];
  /** The number of the last record that was read; `null` if there was none. */
  readonly last: number | null;
}

const SEARCHED = SEARCHED_KINDS.map((kind) => `'${kind}'`).join();
const HAS_ENTRY = 'exists (select 1 from search_entry where record = record.id)';
const scanSql = (condition: string): string =>
  `select ${ROW_COLUMNS}, kind, id from record where scope = ? and id > ? and ${condition} and kind in (${SEARCHED}) order by id limit ?`;
const SCAN_SQL = { found: scanSql(HAS_ENTRY), missing: scanSql(`not ${HAS_ENTRY}`) };

/** Reads the searchable records of a repository in the order of their numbers: those that have an entry, or those that have none. */
export class RecordScan {
  readonly #database: SqliteDatabase;
  readonly #decoder = new RowDecoder(null);

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  after(scope: number, id: number, which: keyof typeof SCAN_SQL, limit: number): Scanned {
    const rows = this.#database.rows(SCAN_SQL[which], scope, id, limit);
    const records = rows.flatMap((row) => {
      const record = this.#decoder.record(String(row[3]) as SearchableRecord['kind'], rowOf(row));
      return record !== null && isSearchable(record) ? [{ id: Number(row[4]), record }] : [];
    });
    return { records, last: rows.length === 0 ? null : Number(rows.at(-1)?.[4]) };
  }
}
