import { vouchedRecord, type PlainRecord, type VouchedRecord, type Voucher } from '@vitrine/core';
import type { SqliteDatabase, SqlValue } from '../database/sqlite-database.js';
import { textOf } from './record-row.js';

/** The value of `record.source` if several sources vouch for a record. Each of them then has a row in `statement`. No source has this number. */
export const SEVERAL_SOURCES = 0;

/** Records for which a source vouches, or nobody. */
export const OF_SOURCE_SQL = `(r.source is null or r.source = ?1 or r.source = ${SEVERAL_SOURCES}
  and exists (select 1 from statement s where s.record = r.id and s.source = ?1))`;

const STATEMENTS_SQL = 'select cast(c.name as blob), s.says from statement s join source c on c.id = s.source where s.record = ?';

/** The number of a source; `null` if it has never vouched for a record. */
export function sourceNumber(database: SqliteDatabase, name: string): number | null {
  return database.number('select id from source where name = ?', name) || null;
}

/** A stored record with what its sources say. @param column its `record.source` */
export function withVouchers(database: SqliteDatabase, record: PlainRecord, id: number, column: unknown): VouchedRecord {
  return typeof column === 'number' ? vouchedRecord(record, vouchersOf(database, id, column)) : { record, statements: [] };
}

function vouchersOf(database: SqliteDatabase, id: number, column: number): readonly Voucher[] {
  if (column !== SEVERAL_SOURCES) return [{ source: nameOf(database, column), says: {} }];
  return database.rows(STATEMENTS_SQL, id).map(([name, says]) => ({ source: textOf(name), says: parsed(says) }));
}

function nameOf(database: SqliteDatabase, source: SqlValue): string {
  return textOf(database.row('select cast(name as blob) from source where id = ?', source)?.[0] ?? '');
}

/** A statement that cannot be read counts as one that agrees with the record, until its source says it again. */
function parsed(says: unknown): Voucher['says'] {
  try {
    const value: unknown = JSON.parse(String(says));
    return typeof value === 'object' && value !== null ? (value as Voucher['says']) : {};
  } catch {
    return {};
  }
}
