import {
  CHECK_CLOCK_TOLERANCE_MS,
  EARLIEST_INSTANT,
  grouped,
  LATEST_INSTANT,
  pageOf,
  presentByService,
  presentRange,
  rangeParts,
  recentHours,
  sumsOfParts,
} from '@vitrine/core';
import type { CheckReader, Instant, LatestState, PresentChecks, RangePart, StoredRecord, Tally, Window } from '@vitrine/core';
import type { SqliteDatabase, SqlRow } from '../database/sqlite-database.js';
import { firstDecoded, rowParts, type SqliteReading, textAt } from '../records/reading.js';
import { CHECK_COLUMNS } from './check-rows.js';
import { StatusStore } from './status-store.js';
import { DAY_COLUMNS, HOUR_COLUMNS, LATENCY_COLUMNS, SUM_COLUMNS, tallyOfSum } from './status-tables.js';

const PAGE_SQL = `select ${CHECK_COLUMNS} from status_check
  where service = ? and time >= ? and time <= ? and (time < ? or source > ?) order by time desc, source limit ?`;
const CHECKS_SQL = `select ${CHECK_COLUMNS}, s.key from json_each(?) s cross join status_check on service = s.value and time between ? and ?
  order by s.key, time, source desc`;
const DAYS_SQL = `select ${DAY_COLUMNS}, s.key from json_each(?) s cross join status_day on service = s.value and day >= ? and day < ?
  order by s.key, day`;
const HOURS_SQL = `select ${HOUR_COLUMNS}, s.key from json_each(?) s cross join status_hour on service = s.value and hour >= ? and hour < ?
  order by s.key, hour`;
const WITHOUT_LATENCY = /latency_max, latency,/;

export function sqliteCheckReader(reading: SqliteReading): CheckReader {
  const { database } = reading;
  const store = new StatusStore(database, reading.monitor);
  const keysOf = (serviceKeys: readonly string[] | null): readonly string[] => latestOf(store, serviceKeys).map(({ serviceKey }) => serviceKey);
  return {
    sums: ({ serviceKeys, ranges }, context) =>
      reading.snapshot(context, () => {
        const [keys, parts] = [keysOf(serviceKeys), rangeParts(ranges)];
        const columns = parts.map((part) => added(database, keys, part));
        const own = (index: number) => columns.map((column) => column[index]);
        return new Map(keys.map((key, index) => [key, sumsOfParts(ranges, parts, own(index))]));
      }),
    present: ({ serviceKeys, now }, context) => reading.snapshot(context, () => presentOf(database, store, latestOf(store, serviceKeys), now)),
    days: ({ serviceKeys, window }, context) =>
      reading.snapshot(context, () => {
        const sql = window.withoutLatency === true ? DAYS_SQL.replace(WITHOUT_LATENCY, '0, null,') : DAYS_SQL;
        return found(database, sql, keysOf(serviceKeys), window, (key, row) => store.dayOf(key, row));
      }),
    hours: (serviceKey, window, context) => reading.answer(context, () => store.hours(serviceKey, window)),
    list: (serviceKey, { after, from, to, limit }, context) =>
      reading.snapshot(context, () => {
        const { time, id } = after !== null && after.time <= to ? after : { time: to + 1, id: '' };
        const checks = firstDecoded(
          limit + 1,
          (size) => database.rows(PAGE_SQL, serviceKey, from ?? EARLIEST_INSTANT, Math.min(time, to), time, id, size),
          (row) => store.rows.check(serviceKey, row),
        );
        return pageOf(checks, limit, ({ checkedAt, provenance }) => ({ time: checkedAt, id: provenance.source }));
      }),
  };
}

function latestOf(store: StatusStore, serviceKeys: readonly string[] | null): readonly LatestState[] {
  return serviceKeys === null ? store.allLatest() : [...new Set(serviceKeys)].flatMap((key) => store.latest(key) ?? []);
}

function presentOf(database: SqliteDatabase, store: StatusStore, states: readonly LatestState[], now: Instant): ReadonlyMap<string, PresentChecks> {
  const keys = states.map(({ serviceKey }) => serviceKey);
  const hours = found(database, HOURS_SQL, keys, recentHours(now), (key, row) => store.hourOf(key, row));
  const checks = found(database, CHECKS_SQL, keys, presentRange(now), (key, row) => store.rows.check(key, row));
  const present = states.map((state) => stateUntil(store, state, now + CHECK_CLOCK_TOLERANCE_MS));
  return presentByService(present, hours, checks);
}

/** The database adds up the stored days or hours of each service. */
function added(
  database: SqliteDatabase,
  keys: readonly string[],
  { kind, from, to, withoutLatency = false }: RangePart,
): readonly (Tally | undefined)[] {
  const sums: Tally[] = [];
  const columns = withoutLatency ? SUM_COLUMNS : `${SUM_COLUMNS}, ${LATENCY_COLUMNS}`;
  const [table, start] = kind === 'days' ? ['status_day', 'day'] : ['status_hour', 'hour'];
  const sql = `select ${columns}, s.key from json_each(?) s cross join ${table} on service = s.value and ${start} >= ? and ${start} < ? group by s.key`;
  for (const row of database.rows(sql, JSON.stringify(keys), from, to)) {
    const sum = tallyOfSum(row.slice(0, -1));
    if (sum !== null) sums[Number(row.at(-1))] = sum;
  }
  return sums;
}

/** One query for all services: each row ends with the place of its service in the list. What cannot be decoded is skipped. */
function found<Value>(
  database: SqliteDatabase,
  sql: string,
  keys: readonly string[],
  { from, to }: Window,
  valueOf: (key: string, row: SqlRow) => Value | null,
): ReadonlyMap<string, readonly Value[]> {
  const rows = grouped(database.rows(sql, JSON.stringify(keys), from, to), (row) => keys[Number(row.at(-1))] ?? '');
  const values = [...rows].map(([key, own]) => [key, own.flatMap((row) => valueOf(key, row) ?? [])] as const);
  return new Map(values.filter(([, own]) => own.length > 0));
}

/** The clock of a source may be ahead: then older checks count. */
function stateUntil(store: StatusStore, latest: LatestState, until: Instant): LatestState {
  const { serviceKey, sources } = latest;
  if (sources.every(({ newest }) => newest.checkedAt <= until)) return latest;
  const counted = sources.flatMap((own) => {
    const { source } = own.newest.provenance;
    const newest = own.newest.checkedAt <= until ? own.newest : store.newestOf(serviceKey, source, until, false);
    const known = own.known === null || own.known.checkedAt <= until ? own.known : store.newestOf(serviceKey, source, until, true);
    return newest === null ? [] : [{ newest, known }];
  });
  return { ...latest, sources: counted };
}

const PART_SIZE = 500;
const STORED_DAYS_SQL = `select ${DAY_COLUMNS}, service, hex(service) from status_day
  where first_checked_at is not null and (frozen = 1 or day < ?) and (service, day) > (cast(unhex(?) as text), ?) order by service, day limit ?`;
const STORED_CHECKS_SQL = `select ${CHECK_COLUMNS}, hex(source), service from status_check
  where service = cast(unhex(?) as text) and time <= ? and (time < ? or source > cast(unhex(?) as text)) order by time desc, source limit ?`;
/** A name is hexadecimal digits, because one that is not UTF-8 has no other name. */
const NEXT_SERVICE_SQL = 'select hex(min(service)) from status_check where service > cast(unhex(?) as text)';

/** All stored daily counts and then raw checks, in parts, for an export. Of days older than `keptFrom` it may have both: an import takes the one or the other. */
export function* checkRecords(database: SqliteDatabase, store: StatusStore, keptFrom: Instant): Generator<readonly StoredRecord[]> {
  const days = rowParts(PART_SIZE, (last) =>
    database.rows(STORED_DAYS_SQL, keptFrom, textAt(last, -1), Number(last?.at(-5) ?? EARLIEST_INSTANT), PART_SIZE),
  );
  for (const rows of days) yield rows.flatMap((row) => store.dayOf(String(row.at(-2)), row) ?? []);
  for (let service = nextService(database, ''); service !== ''; service = nextService(database, service)) {
    const own = service;
    const checks = rowParts(PART_SIZE, (last) => {
      const time = Number(last?.[0] ?? LATEST_INSTANT);
      return database.rows(STORED_CHECKS_SQL, own, time, time, textAt(last, 4), PART_SIZE);
    });
    for (const rows of checks) yield store.rows.checks(String(rows[0]?.[5]), rows);
  }
}

function nextService(database: SqliteDatabase, service: string): string {
  const next = database.row(NEXT_SERVICE_SQL, service)?.[0];
  return typeof next === 'string' ? next : '';
}
