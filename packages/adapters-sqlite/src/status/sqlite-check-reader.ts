import {
  type Check,
  CHECK_CLOCK_TOLERANCE_MS,
  type CheckReader,
  type DaysQuery,
  EARLIEST_INSTANT,
  type Instant,
  LATEST_INSTANT,
  type LatestState,
  pageOf,
  type PresentChecks,
  type PresentQuery,
  presentRange,
  type RangePart,
  rangeParts,
  type ReadContext,
  recentHours,
  type StatusDay,
  type StatusHour,
  type StoredRecord,
  sumsOfParts,
  type SumsQuery,
  type Tally,
  type TimeListQuery,
  type TimePage,
  type Window,
} from '@vitrine/core';
import type { SqliteDatabase, SqlRow } from '../database/sqlite-database.js';
import { rowParts, type SqliteReading, textAt } from '../readers/sqlite-reading.js';
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

export class SqliteCheckReader implements CheckReader {
  readonly #store: StatusStore;

  constructor(private readonly reading: SqliteReading) {
    this.#store = new StatusStore(reading.database, reading.monitor);
  }

  sums({ serviceKeys, ranges }: SumsQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly Tally[]>> {
    return this.reading.snapshot(context, () => {
      const keys = this.#latest(serviceKeys).map(({ serviceKey }) => serviceKey);
      const parts = rangeParts(ranges);
      const columns = parts.map((part) => this.#added(keys, part));
      const sumsOf = (index: number): readonly Tally[] =>
        sumsOfParts(
          ranges,
          parts,
          columns.map((column) => column[index]),
        );
      return new Map(keys.map((key, index) => [key, sumsOf(index)]));
    });
  }

  present({ serviceKeys, now }: PresentQuery, context: ReadContext): Promise<ReadonlyMap<string, PresentChecks>> {
    return this.reading.snapshot(context, () => {
      const latest = this.#latest(serviceKeys);
      const keys = latest.map(({ serviceKey }) => serviceKey);
      const { from, to } = presentRange(now);
      const hours = this.#found(HOURS_SQL, keys, recentHours(now), (key, row) => this.#store.hourOf(key, row));
      const checks = this.#found(CHECKS_SQL, keys, { from, to }, (key, row) => this.#store.rows.check(key, row));
      return new Map(
        latest.map((state): [string, PresentChecks] => {
          const { serviceKey } = state;
          return [
            serviceKey,
            {
              latest: this.#until(state, now + CHECK_CLOCK_TOLERANCE_MS),
              hours: hours.get(serviceKey) ?? [],
              checks: checks.get(serviceKey) ?? [],
            },
          ];
        }),
      );
    });
  }

  days({ serviceKeys, window }: DaysQuery, context: ReadContext): Promise<ReadonlyMap<string, readonly StatusDay[]>> {
    return this.reading.snapshot(context, () => {
      const keys = this.#latest(serviceKeys).map(({ serviceKey }) => serviceKey);
      const sql = window.withoutLatency === true ? DAYS_SQL.replace(WITHOUT_LATENCY, '0, null,') : DAYS_SQL;
      return this.#found(sql, keys, window, (key, row) => this.#store.dayOf(key, row));
    });
  }

  hours(serviceKey: string, window: Window, context: ReadContext): Promise<readonly StatusHour[]> {
    return this.reading.answer(context, () => this.#store.hours(serviceKey, window));
  }

  /** Checks that cannot be decoded are skipped. Only the last page may be shorter. */
  list(serviceKey: string, { after, from, to, limit }: TimeListQuery, context: ReadContext): Promise<TimePage<Check>> {
    return this.reading.snapshot(context, () => {
      const { time, id } = after !== null && after.time <= to ? after : { time: to + 1, id: '' };
      const checks: Check[] = [];
      let read = 0;
      // Not from the last row on: its source may be damaged, and then it is no position.
      for (let size = limit + 1; ; size *= 2) {
        const rows = this.reading.database.rows(PAGE_SQL, serviceKey, from ?? EARLIEST_INSTANT, Math.min(time, to), time, id, size);
        checks.push(...this.#store.rows.checks(serviceKey, rows.slice(read)));
        read = rows.length;
        if (checks.length > limit || read < size) break;
      }
      return pageOf(checks.slice(0, limit + 1), limit, ({ checkedAt, provenance }) => ({ time: checkedAt, id: provenance.source }));
    });
  }

  #latest(serviceKeys: readonly string[] | null): readonly LatestState[] {
    return serviceKeys === null ? this.#store.allLatest() : [...new Set(serviceKeys)].flatMap((key) => this.#store.latest(key) ?? []);
  }

  /** The database adds up the stored days or hours of each service. */
  #added(keys: readonly string[], { kind, from, to, withoutLatency = false }: RangePart): readonly (Tally | undefined)[] {
    const sums: Tally[] = [];
    const columns = withoutLatency ? SUM_COLUMNS : `${SUM_COLUMNS}, ${LATENCY_COLUMNS}`;
    const [table, start] = kind === 'days' ? ['status_day', 'day'] : ['status_hour', 'hour'];
    const sql = `select ${columns}, s.key from json_each(?) s cross join ${table} on service = s.value and ${start} >= ? and ${start} < ? group by s.key`;
    for (const row of this.reading.database.rows(sql, JSON.stringify(keys), from, to)) {
      const sum = tallyOfSum(row.slice(0, -1));
      if (sum !== null) sums[Number(row.at(-1))] = sum;
    }
    return sums;
  }

  /** One query for all services: each row ends with the place of its service in the list. What cannot be decoded is skipped. */
  #found<Value>(
    sql: string,
    keys: readonly string[],
    { from, to }: Window,
    valueOf: (key: string, row: SqlRow) => Value | null,
  ): Map<string, Value[]> {
    const found = new Map<string, Value[]>();
    for (const row of this.reading.database.rows(sql, JSON.stringify(keys), from, to)) {
      const key = keys[Number(row.at(-1))] ?? '';
      const value = valueOf(key, row);
      const own = found.get(key);
      if (value === null) continue;
      if (own === undefined) found.set(key, [value]);
      else own.push(value);
    }
    return found;
  }

  /** The clock of a source may be ahead: then older checks count. */
  #until(latest: LatestState, until: Instant): LatestState {
    const { serviceKey, sources } = latest;
    if (sources.every(({ newest }) => newest.checkedAt <= until)) return latest;
    const counted = sources.flatMap((own) => {
      const { source } = own.newest.provenance;
      const newest = own.newest.checkedAt <= until ? own.newest : this.#store.newestOf(serviceKey, source, until, false);
      const known = own.known === null || own.known.checkedAt <= until ? own.known : this.#store.newestOf(serviceKey, source, until, true);
      return newest === null ? [] : [{ newest, known }];
    });
    return { ...latest, sources: counted };
  }
}

const PART_SIZE = 500;
const STORED_DAYS_SQL = `select ${DAY_COLUMNS}, service, hex(service) from status_day
  where first_checked_at is not null and (frozen = 1 or day < ?) and (service, day) > (cast(unhex(?) as text), ?) order by service, day limit ?`;
const STORED_CHECKS_SQL = `select ${CHECK_COLUMNS}, hex(source), service from status_check
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

/** Empty after the last one. */
function nextService(database: SqliteDatabase, service: string): string {
  const next = database.row(NEXT_SERVICE_SQL, service)?.[0];
  return typeof next === 'string' ? next : '';
}
