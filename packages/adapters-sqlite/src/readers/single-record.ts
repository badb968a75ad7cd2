import { compareText, keyFor, nameOfRef, NO_REPOSITORY, type ListedKind, type RecordOf, type ScopeRef } from '@vitrine/core';
import { ROW_COLUMNS, rowOf } from '../records/record-row.js';
import type { PlainRecords } from '../records/record-shapes.js';
import type { SqliteReading } from './sqlite-reading.js';

/** Keys that are looked up with one statement. */
const KEYS_AT_ONCE = 500;

/** The record with this key within its kind; `null` if there is none. */
export function byKey<Kind extends keyof PlainRecords>({ database, decoder }: SqliteReading, kind: Kind, key: string): PlainRecords[Kind] | null {
  const row = database.row(`select ${ROW_COLUMNS} from record where kind = ? and key = ?`, kind, key);
  return row === null ? null : decoder.record(kind, rowOf(row));
}

/**
 * The record with this id in the scope whose name sorts first. Only the keys of the given scopes are looked up, so records of others cost no time.
 */
export function byIdKey<Kind extends ListedKind>(
  { database, decoder }: SqliteReading,
  kind: Kind,
  scopes: readonly ScopeRef[],
  idKey: string,
): RecordOf<Kind> | null {
  const sorted = [...scopes].sort((a, b) => compareText(nameOf(a), nameOf(b)));
  for (let start = 0; start < sorted.length; start += KEYS_AT_ONCE) {
    const keys = sorted.slice(start, start + KEYS_AT_ONCE).map((scope) => keyFor(idKey, scope));
    const rows = database.rows(`select ${ROW_COLUMNS} from record where kind = ? and key in (${keys.map(() => '?').join()})`, kind, ...keys);
    const found = rows.map(rowOf).sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
    for (const row of found) {
      const record = decoder.record(kind, row);
      if (record !== null) return record;
    }
  }
  return null;
}

function nameOf(scope: ScopeRef): string {
  return scope === NO_REPOSITORY ? scope : nameOfRef(scope);
}
