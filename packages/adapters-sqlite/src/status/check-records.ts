import { EARLIEST_INSTANT, LATEST_INSTANT, type Instant, type StoredRecord } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { rowParts, textAt } from '../readers/sqlite-reading.js';
import { CHECK_COLUMNS } from './check-rows.js';
import type { StatusStore } from './status-store.js';
import { DAY_COLUMNS } from './tally-columns.js';

const PART_SIZE = 500;
const DAYS_SQL = `select ${DAY_COLUMNS}, service, hex(service) from status_day
  where first_checked_at is not null and (frozen = 1 or day < ?) and (service, day) > (cast(unhex(?) as text), ?) order by service, day limit ?`;
const CHECKS_SQL = `select ${CHECK_COLUMNS}, hex(source), service from status_check
  where service = cast(unhex(?) as text) and time <= ? and (time < ? or source > cast(unhex(?) as text)) order by time desc, source limit ?`;
/** A name is hexadecimal digits, because one that is not UTF-8 has no other name. */
const NEXT_SERVICE_SQL = 'select hex(min(service)) from status_check where service > cast(unhex(?) as text)';

/**
 * All stored check data in parts, for an export: daily counts, and then the raw checks. Of a day that is too old by a clock in doubt, both are exported: an import
 * takes the one or the other.
 *
 * @param keptFrom days that start earlier are older than the retention
 */
export function* checkRecords(database: SqliteDatabase, store: StatusStore, keptFrom: Instant): Generator<readonly StoredRecord[]> {
  const days = rowParts(PART_SIZE, (last) =>
    database.rows(DAYS_SQL, keptFrom, textAt(last, -1), Number(last?.at(-5) ?? EARLIEST_INSTANT), PART_SIZE),
  );
  for (const rows of days) yield rows.flatMap((row) => store.dayOf(String(row.at(-2)), row) ?? []);
  for (let service = nextService(database, ''); service !== ''; service = nextService(database, service)) {
    const own = service;
    const checks = rowParts(PART_SIZE, (last) => {
      const time = Number(last?.[0] ?? LATEST_INSTANT);
      return database.rows(CHECKS_SQL, own, time, time, textAt(last, 4), PART_SIZE);
    });
    for (const rows of checks) yield store.rows.checks(String(rows[0]?.[5]), rows);
  }
}

/** Empty after the last one. */
function nextService(database: SqliteDatabase, service: string): string {
  const next = database.row(NEXT_SERVICE_SQL, service)?.[0];
  return typeof next === 'string' ? next : '';
}
