import { EARLIEST_INSTANT, LATEST_INSTANT, type Instant, type StoredRecord } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { CHECK_COLUMNS } from './check-rows.js';
import type { StatusStore } from './status-store.js';
import { DAY_COLUMNS } from './tally-columns.js';

/** Some of the stored check data. */
interface CheckPart {
  readonly records: readonly StoredRecord[];
  /** Where the next part starts; `null` after the last part. */
  readonly next: string | null;
}

/** Where a part starts: after a day of a service, or after a check. Names are hexadecimal digits, because one that is not UTF-8 has no other name. */
type Position = readonly [kind: 'day', service: string, day: number] | readonly [kind: 'check', service: string, time: number, source: string];

const PART_SIZE = 500;
const DAYS_SQL = `select ${DAY_COLUMNS}, service, hex(service) from status_day
  where first_checked_at is not null and (frozen = 1 or day < ?) and (service, day) > (cast(unhex(?) as text), ?) order by service, day limit ?`;
const CHECKS_SQL = `select ${CHECK_COLUMNS}, hex(source), service from status_check
  where service = cast(unhex(?) as text) and time <= ? and (time < ? or source > cast(unhex(?) as text)) order by time desc, source limit ?`;
const START: Position = ['day', '', EARLIEST_INSTANT];
const FIRST_CHECK: Position = ['check', '', 0, ''];

interface PartRequest {
  /** `null` for the first part. */
  readonly after: string | null;
  /** Days that start earlier are older than the retention. */
  readonly keptFrom: Instant;
}

/**
 * All stored check data, for an export: daily counts, and then the raw checks. Of a day that is too old by a clock in doubt, both are exported: an import
 * takes the one or the other.
 */
export function checkRecordsAfter(database: SqliteDatabase, store: StatusStore, { after, keptFrom }: PartRequest): CheckPart {
  const position = after === null ? START : (JSON.parse(after) as Position);
  if (position[0] === 'day') return daysAfter(database, store, keptFrom, position[1], position[2]);
  return checksAfter(database, store, position[1], position[2], position[3]);
}

function daysAfter(database: SqliteDatabase, store: StatusStore, keptFrom: Instant, service: string, day: number): CheckPart {
  const rows = database.rows(DAYS_SQL, keptFrom, service, day, PART_SIZE);
  const last = rows.at(-1);
  const isLast = rows.length < PART_SIZE || last === undefined;
  return {
    records: rows.flatMap((row) => store.dayOf(String(row.at(-2)), row) ?? []),
    next: textFor(isLast ? FIRST_CHECK : ['day', String(last.at(-1)), Number(last.at(-5))]),
  };
}

function checksAfter(database: SqliteDatabase, store: StatusStore, service: string, time: number, source: string): CheckPart {
  const rows = service === '' ? [] : database.rows(CHECKS_SQL, service, time, time, source, PART_SIZE);
  const records = store.rows.checks(String(rows[0]?.[5]), rows);
  const last = rows.at(-1);
  if (rows.length === PART_SIZE && last !== undefined) return { records, next: textFor(['check', service, Number(last[0]), String(last[4])]) };
  const following = database.row('select hex(min(service)) from status_check where service > cast(unhex(?) as text)', service)?.[0];
  return { records, next: typeof following === 'string' && following !== '' ? textFor(['check', following, LATEST_INSTANT, '']) : null };
}

function textFor(position: Position): string {
  return JSON.stringify(position);
}
