import { EARLIEST_INSTANT, pageOf, type Check, type TimeListQuery, type TimePage } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { textOf } from '../records/record-row.js';
import { CHECK_COLUMNS, type CheckRow } from './check-rows.js';
import type { StatusStore } from './status-store.js';

const PAGE_SQL = `select ${CHECK_COLUMNS}, cast(source as blob) from status_check
  where service = ? and time >= ? and time <= ? and (time < ? or source > ?) order by time desc, source limit ?`;

/** A page of raw checks, newest first and then by source. Checks that cannot be decoded are skipped. Only the last page may be shorter. */
export function listChecks(database: SqliteDatabase, store: StatusStore, serviceKey: string, query: TimeListQuery): TimePage<Check> {
  const limit = query.limit + 1;
  const checks: Check[] = [];
  let after = { time: query.to + 1, id: '' };
  if (query.after !== null && query.after.time <= query.to) after = query.after;
  for (;;) {
    const rows = database.rows(PAGE_SQL, serviceKey, query.from ?? EARLIEST_INSTANT, Math.min(after.time, query.to), after.time, after.id, limit);
    checks.push(...rows.flatMap((row) => store.rows.check(serviceKey, row as unknown as CheckRow) ?? []));
    const last = rows.at(-1);
    if (checks.length >= limit || rows.length < limit || last === undefined)
      return pageOf(checks.slice(0, limit), query.limit, ({ checkedAt, provenance }) => ({ time: checkedAt, id: provenance.source }));
    after = { time: Number(last[0]), id: textOf(last[4]) };
  }
}
