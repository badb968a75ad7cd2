import { EARLIEST_INSTANT, pageOf, type Check, type TimeListQuery, type TimePage } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { CHECK_COLUMNS } from './check-rows.js';
import type { StatusStore } from './status-store.js';

const PAGE_SQL = `select ${CHECK_COLUMNS} from status_check
  where service = ? and time >= ? and time <= ? and (time < ? or source > ?) order by time desc, source limit ?`;

/** A page of raw checks, newest first and then by source. Checks that cannot be decoded are skipped. Only the last page may be shorter. */
export function listChecks(database: SqliteDatabase, store: StatusStore, serviceKey: string, query: TimeListQuery): TimePage<Check> {
  const { after, from, limit } = query;
  const isLater = after !== null && after.time <= query.to;
  const { time, id } = isLater ? after : { time: query.to + 1, id: '' };
  const checks: Check[] = [];
  let read = 0;
  // Not from the last row on: its source may be damaged, and then it is no position.
  for (let size = limit + 1; ; size *= 2) {
    const rows = database.rows(PAGE_SQL, serviceKey, from ?? EARLIEST_INSTANT, Math.min(time, query.to), time, id, size);
    checks.push(...store.rows.checks(serviceKey, rows.slice(read)));
    read = rows.length;
    if (checks.length > limit || read < size) break;
  }
  return pageOf(checks.slice(0, limit + 1), limit, ({ checkedAt, provenance }) => ({ time: checkedAt, id: provenance.source }));
}
