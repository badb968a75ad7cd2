import { checkedDays, DAY, dayKeyOf, quotable, withNewest } from '@vitrine/core';
import type {
  Check,
  CheckedDay,
  CheckIdentity,
  Instant,
  LatestState,
  QuarantineMonitor,
  Recount,
  ServiceDay,
  StatusDay,
  StatusHour,
  StoredDays,
  Window,
} from '@vitrine/core';
import type { SqliteDatabase, SqlRow } from '../database/sqlite-database.js';
import { storedJson } from '../records/reading.js';
import { CHECK_COLUMNS, CheckRows, isLatest } from './check-rows.js';
import {
  DAY_COLUMNS,
  dayOfRow,
  HOUR_COLUMNS,
  hourOfRow,
  placeOf,
  PLAIN_COLUMNS,
  TALLY_COLUMNS,
  TALLY_MARKS,
  tallyOfSum,
  tallyValues,
} from './status-tables.js';

const PUT_CHECK_SQL = 'insert or replace into status_check (service, time, source, profile, response, observed) values (?, ?, ?, ?, ?, ?)';
const PUT_DAY_SQL = `insert or replace into status_day (${TALLY_COLUMNS}, service, day, frozen, first_checked_at, last_checked_at)
  values (${TALLY_MARKS}, ?, ?, ?, ?, ?)`;
const PUT_HOUR_SQL = `insert into status_hour (${TALLY_COLUMNS}, service, hour) values (${TALLY_MARKS}, ?, ?)`;
const REMOVE_HOURS_SQL = 'delete from status_hour where service = ? and hour >= ? and hour < ?';
const PUT_LATEST_SQL = 'insert or replace into status_latest (service, json) values (?, ?)';

const OPEN_DAYS_SQL = `select ${PLAIN_COLUMNS}, service, day from status_day where frozen = 0 order by service, day`;
/** One step in the index for each service. Of a frozen day, only the time of its last check is known. */
const NEWEST_TIME_SQL = `select max(time) from (
  select (select max(time) from status_check where service = l.service and time <= ?1) as time from status_latest l
  union all select max(last_checked_at) from status_day where last_checked_at <= ?1)`;
const TIMES_SQL = 'select min(first_checked_at), max(last_checked_at) from status_day where service = ?';
/** The newest check with each profile of each source, because only the profile says whether the state is known. */
const NEWEST_SQL = `select ${CHECK_COLUMNS} from status_check join
  (select source s, profile p, max(time) t from status_check where service = ? group by source, profile)
  on source = s and profile = p and time = t where service = ?`;

export class StatusStore {
  readonly rows: CheckRows;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly monitor: QuarantineMonitor | null,
  ) {
    this.rows = new CheckRows(database, monitor);
  }

  /** The checks of a time range, both ends included, oldest first. */
  checksBetween(serviceKey: string, from: Instant, to: Instant): readonly Check[] {
    const sql = `select ${CHECK_COLUMNS} from status_check where service = ? and time between ? and ? order by time, source desc`;
    return this.rows.checks(serviceKey, this.database.rows(sql, serviceKey, from, to));
  }

  putCheck(check: Check): void {
    this.database.run(PUT_CHECK_SQL, check.serviceKey, check.checkedAt, check.provenance.source, ...this.rows.rowOf(check).slice(1));
  }

  removeCheck({ serviceKey, checkedAt, source }: CheckIdentity): void {
    this.database.run('delete from status_check where service = ? and time = ? and source = ?', serviceKey, checkedAt, source);
  }

  removeChecksOf({ serviceKey, day }: ServiceDay): boolean {
    return this.database.run('delete from status_check where service = ? and time between ? and ?', serviceKey, day, day + DAY - 1).changes > 0;
  }

  hasChecks({ serviceKey, day }: ServiceDay): boolean {
    return this.database.row('select 1 from status_check where service = ? and time between ? and ?', serviceKey, day, day + DAY - 1) !== null;
  }

  /** The stored hours of a window, oldest first. A damaged one is left out. */
  hours(serviceKey: string, { from, to }: Window): readonly StatusHour[] {
    const sql = `select ${HOUR_COLUMNS} from status_hour where service = ? and hour >= ? and hour < ? order by hour`;
    return this.database.rows(sql, serviceKey, from, to).flatMap((row) => this.hourOf(serviceKey, row) ?? []);
  }

  dayOf(serviceKey: string, row: SqlRow): StatusDay | null {
    return dayOfRow(serviceKey, row) ?? this.#damaged('status-day', placeOf(serviceKey, row));
  }

  hourOf(serviceKey: string, row: SqlRow): StatusHour | null {
    return hourOfRow(row) ?? this.#damaged('status-hour', placeOf(serviceKey, row));
  }

  storedDays(recounts: readonly Recount[]): StoredDays {
    const own = new Set(recounts.map(dayKeyOf));
    const before = recounts.map(({ serviceKey, day }) => ({ serviceKey, day: day - DAY })).filter((day) => !own.has(dayKeyOf(day)));
    const counted = recounts.flatMap((day) => this.#countsOf(day) ?? []);
    return {
      days: [
        ...counted.map((day) => ({ ...day, hours: this.hours(day.serviceKey, { from: day.day, to: day.day + DAY }) })),
        ...before.flatMap((day) => this.#countsOf(day) ?? []),
      ],
      checks: recounts.flatMap(({ serviceKey, day, from }) => this.checksBetween(serviceKey, from, day + DAY - 1)),
    };
  }

  /** Whether a day is stored: `frozen` if its raw checks are gone. A day that has none can always be counted. */
  stateOf({ serviceKey, day }: ServiceDay): 'open' | 'frozen' | null {
    const row = this.database.row('select frozen, first_checked_at from status_day where service = ? and day = ?', serviceKey, day);
    return row === null ? null : row[0] === 1 && row[1] !== null ? 'frozen' : 'open';
  }

  /** @param from the hours from this one on have changed */
  putDay(day: StatusDay, isFrozen: boolean, from: Instant = day.day): void {
    const { serviceKey, firstCheckedAt, lastCheckedAt } = day;
    this.database.run(PUT_DAY_SQL, ...tallyValues(day), serviceKey, day.day, Number(isFrozen), firstCheckedAt, lastCheckedAt);
    this.database.run(REMOVE_HOURS_SQL, serviceKey, from, day.day + DAY);
    for (const hour of day.hours) if (hour.hour >= from) this.database.run(PUT_HOUR_SQL, ...tallyValues(hour), serviceKey, hour.hour);
  }

  removeDay({ serviceKey, day }: ServiceDay): void {
    this.database.run('delete from status_day where service = ? and day = ?', serviceKey, day);
    this.database.run(REMOVE_HOURS_SQL, serviceKey, day, day + DAY);
  }

  freezeDay({ serviceKey, day }: ServiceDay): void {
    this.database.run('update status_day set frozen = 1 where service = ? and day = ?', serviceKey, day);
  }

  openDaysBefore(instant: Instant): readonly ServiceDay[] {
    const rows = this.database.rows('select service, day from status_day where frozen = 0 and day < ? order by day, service', instant);
    return rows.map(([serviceKey, day]) => ({ serviceKey: String(serviceKey), day: Number(day) }));
  }

  /** The days whose raw checks are stored, by service, oldest first. */
  checkedDays(): ReadonlyMap<string, readonly CheckedDay[]> {
    const days = this.database.rows(OPEN_DAYS_SQL).flatMap((row) => {
      const tally = tallyOfSum(row.slice(0, -2));
      return tally === null ? [] : [{ ...tally, serviceKey: String(row.at(-2)), day: Number(row.at(-1)) }];
    });
    return checkedDays(days);
  }

  latest(serviceKey: string): LatestState | null {
    const row = this.database.row('select json from status_latest where service = ?', serviceKey);
    return row === null ? null : this.latestOf(serviceKey, row[0]);
  }

  latestOf(serviceKey: string, json: unknown): LatestState | null {
    const latest = storedJson(json, isLatest);
    return latest === null ? this.#damaged('status-latest', quotable(serviceKey)) : this.rows.latest(latest);
  }

  allLatest(): readonly LatestState[] {
    const rows = this.database.rows('select service, json from status_latest order by service');
    return rows.flatMap(([service, json]) => this.latestOf(String(service), json) ?? []);
  }

  putLatest(serviceKey: string, latest: LatestState | null): void {
    if (latest === null) this.database.run('delete from status_latest where service = ?', serviceKey);
    else this.database.run(PUT_LATEST_SQL, serviceKey, this.rows.latestJson(latest));
  }

  /** The time of the newest check of all services up to a given time, even if only its day is stored; `null` if there is none. */
  newestUntil(instant: Instant): Instant | null {
    const time = this.database.row(NEWEST_TIME_SQL, instant)?.[0];
    return typeof time === 'number' ? time : null;
  }

  foundLatest(serviceKey: string): LatestState | null {
    const [firstCheckedAt, lastCheckedAt] = this.database.row(TIMES_SQL, serviceKey) ?? [];
    if (typeof firstCheckedAt !== 'number' || typeof lastCheckedAt !== 'number') return null;
    const checks = this.database.rows(NEWEST_SQL, serviceKey, serviceKey);
    return { serviceKey, firstCheckedAt, lastCheckedAt, sources: withNewest([], this.rows.checks(serviceKey, checks)) };
  }

  /** The newest check of a source up to a time; of those that are not `unknown` if only these are asked for. */
  newestOf(serviceKey: string, source: string, latest: Instant, isKnown: boolean): Check | null {
    const sql = `select ${CHECK_COLUMNS} from status_check where service = ? and source = ? and time <= ? order by time desc limit ? offset ?`;
    for (let [offset, size] = [0, 1]; ; offset += size, size = 100) {
      const rows = this.database.rows(sql, serviceKey, source, latest, size, offset);
      const found = this.rows.checks(serviceKey, rows).find(({ state }) => !isKnown || state !== 'unknown');
      if (found !== undefined || rows.length < size) return found ?? null;
    }
  }

  #countsOf({ serviceKey, day }: ServiceDay): StatusDay | null {
    const row = this.database.row(`select ${DAY_COLUMNS} from status_day where service = ? and day = ?`, serviceKey, day);
    return row === null ? null : this.dayOf(serviceKey, row);
  }

  #damaged(kind: string, id: string): null {
    this.monitor?.quarantined(kind, id, 'unreadable');
    return null;
  }
}
