import {
  checkedDayOf,
  checkedDayOfPacked,
  DAY,
  packDay,
  startOfDay,
  type Check,
  type CheckedDay,
  type CheckIdentity,
  type CountedDay,
  type Instant,
  type LatestState,
  type ServiceDay,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { QuarantineMonitor } from '../records/record-row.js';
import { storedJson } from '../records/shape.js';
import { CHECK_COLUMNS, CheckRows } from './check-rows.js';
import { dayColumns, dayOfColumns } from './day-columns.js';
import { areLatest, isCountedDay, isLatest, type StoredLatest } from './status-shapes.js';

const PUT_CHECK_SQL = `insert into status_check (service, time, source, profile, response, observed) values (?, ?, ?, ?, ?, ?)
  on conflict do update set profile = excluded.profile, response = excluded.response, observed = excluded.observed`;
const PUT_DAY_SQL = `insert into status_day (service, day, frozen, covered_until, packed) values (?, ?, ?, ?, ?)
  on conflict do update set frozen = excluded.frozen, covered_until = excluded.covered_until, packed = excluded.packed`;
const PUT_COUNTS_SQL = `insert into status_day_counts (service, day, json, hours) values (?, ?, ?, ?)
  on conflict do update set json = excluded.json, hours = excluded.hours`;
const PUT_LATEST_SQL = `insert into status_latest (service, json) values (?, ?) on conflict do update set json = excluded.json`;

const OPEN_DAYS_SQL = 'select service, day, packed from status_day where frozen = 0 order by service, day';

/** One text for all services is read several times as fast as their rows. */
const ALL_LATEST_SQL = `select '[' || ifnull(group_concat(json), '') || ']' from (select json from status_latest order by service)`;

/** The tables of checks and daily counts. */
export class StatusStore {
  readonly rows: CheckRows;
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase, monitor: QuarantineMonitor | null) {
    this.#database = database;
    this.rows = new CheckRows(database, monitor);
  }

  check({ serviceKey, checkedAt, source }: CheckIdentity): Check | null {
    const row = this.#database.row(
      `select ${CHECK_COLUMNS} from status_check where service = ? and time = ? and source = ?`,
      serviceKey,
      checkedAt,
      source,
    );
    return row === null ? null : this.rows.check(serviceKey, row);
  }

  /** The checks of a time range, both ends included, oldest first. */
  checksBetween(serviceKey: string, from: Instant, to: Instant): readonly Check[] {
    const sql = `select ${CHECK_COLUMNS} from status_check where service = ? and time between ? and ? order by time, source desc`;
    return this.rows.checks(serviceKey, this.#database.rows(sql, serviceKey, from, to));
  }

  putCheck(check: Check): void {
    this.#database.run(PUT_CHECK_SQL, check.serviceKey, check.checkedAt, check.provenance.source, ...this.rows.rowOf(check).slice(1));
  }

  /** Returns whether it was stored. */
  removeCheck({ serviceKey, checkedAt, source }: CheckIdentity): boolean {
    return this.#database.run('delete from status_check where service = ? and time = ? and source = ?', serviceKey, checkedAt, source).changes > 0;
  }

  /** Returns whether there were any. */
  removeChecksOf({ serviceKey, day }: ServiceDay): boolean {
    return this.#database.run('delete from status_check where service = ? and time between ? and ?', serviceKey, day, day + DAY - 1).changes > 0;
  }

  hasChecks({ serviceKey, day }: ServiceDay): boolean {
    return this.#database.row('select 1 from status_check where service = ? and time between ? and ?', serviceKey, day, day + DAY - 1) !== null;
  }

  day({ serviceKey, day }: ServiceDay): CountedDay | null {
    const row = this.#database.row('select json, hours from status_day_counts where service = ? and day = ?', serviceKey, day);
    return row === null ? null : dayOfColumns(row[0], row[1]);
  }

  /** Whether a day is stored: `frozen` if its raw checks are gone. */
  stateOf({ serviceKey, day }: ServiceDay): 'open' | 'frozen' | null {
    const row = this.#database.row('select frozen from status_day where service = ? and day = ?', serviceKey, day);
    return row === null ? null : row[0] === 1 ? 'frozen' : 'open';
  }

  /** The end of the coverage of a day and all days before; `null` if the day is not stored. */
  coveredUntil({ serviceKey, day }: ServiceDay): Instant | null {
    const until = this.#database.row('select covered_until from status_day where service = ? and day = ?', serviceKey, day)?.[0];
    return typeof until === 'number' ? until : null;
  }

  /** The end of the coverage of all days before a day; `null` if none is stored. */
  coveredBefore({ serviceKey, day }: ServiceDay): Instant | null {
    const sql = 'select covered_until from status_day where service = ? and day < ? order by day desc limit 1';
    const until = this.#database.row(sql, serviceKey, day)?.[0];
    return typeof until === 'number' ? until : null;
  }

  /** The stored days from one to another, both included. */
  daysBetween(serviceKey: string, from: Instant, to: Instant): readonly Pick<CountedDay, 'serviceKey' | 'day' | 'coveredUntil'>[] {
    const rows = this.#database.rows('select day, covered_until from status_day where service = ? and day between ? and ?', serviceKey, from, to);
    return rows.map(([day, coveredUntil]) => ({ serviceKey, day: Number(day), coveredUntil: Number(coveredUntil) }));
  }

  putDay(day: CountedDay, isFrozen: boolean): void {
    this.#database.run(PUT_DAY_SQL, day.serviceKey, day.day, Number(isFrozen), day.coveredUntil, packDay(day));
    this.#database.run(PUT_COUNTS_SQL, day.serviceKey, day.day, ...dayColumns(day));
  }

  removeDay({ serviceKey, day }: ServiceDay): void {
    this.#database.run('delete from status_day where service = ? and day = ?', serviceKey, day);
    this.#database.run('delete from status_day_counts where service = ? and day = ?', serviceKey, day);
  }

  freezeDay({ serviceKey, day }: ServiceDay): void {
    this.#database.run('update status_day set frozen = 1 where service = ? and day = ?', serviceKey, day);
  }

  /** The days before a time whose raw checks are still stored. */
  openDaysBefore(instant: Instant): readonly ServiceDay[] {
    const rows = this.#database.rows('select service, day from status_day where frozen = 0 and day < ? order by day, service', instant);
    return rows.map(([serviceKey, day]) => ({ serviceKey: String(serviceKey), day: Number(day) }));
  }

  /** The days whose raw checks are stored, by service, oldest first. */
  checkedDays(): ReadonlyMap<string, readonly CheckedDay[]> {
    const days = new Map<string, CheckedDay[]>();
    for (const [service, start, packed] of this.#database.rows(OPEN_DAYS_SQL)) {
      const serviceKey = String(service);
      const day = packed instanceof Uint8Array ? checkedDayOfPacked(packed) : this.#unpackedDay({ serviceKey, day: Number(start) });
      if (day === null) continue;
      const own = days.get(serviceKey);
      if (own === undefined) days.set(serviceKey, [day]);
      else own.push(day);
    }
    return days;
  }

  /** Every day of a service without its hours, oldest first. */
  daysOf(serviceKey: string): readonly CountedDay[] {
    const rows = this.#database.rows('select json from status_day_counts where service = ? order by day', serviceKey);
    return rows.flatMap(([json]) => storedJson(json, isCountedDay) ?? []);
  }

  latest(serviceKey: string): LatestState | null {
    const row = this.#database.row('select json from status_latest where service = ?', serviceKey);
    const latest = storedJson(row?.[0], isLatest);
    return latest === null ? null : this.rows.latest(latest);
  }

  allLatest(): readonly LatestState[] {
    const all = storedJson(this.#database.row(ALL_LATEST_SQL)?.[0], areLatest) ?? this.#intactLatest();
    return all.map((latest) => this.rows.latest(latest));
  }

  putLatest(serviceKey: string, latest: LatestState | null): void {
    if (latest === null) this.#database.run('delete from status_latest where service = ?', serviceKey);
    else this.#database.run(PUT_LATEST_SQL, serviceKey, this.rows.latestJson(latest));
  }

  /** The time of the newest check of all services up to a given time, even if only its day is stored; `null` if there is none. */
  newestUntil(instant: Instant): Instant | null {
    const times = this.#database.rows('select service from status_latest').flatMap(([service]) => this.#newestOf(String(service), instant) ?? []);
    return times.length === 0 ? null : Math.max(...times);
  }

  /** Readers drop what they remember of days that have ended when this number changes. */
  get pastChanges(): number {
    return this.#database.number('select changes from status_past');
  }

  pastChanged(): void {
    this.#database.run('update status_past set changes = changes + 1');
  }

  #intactLatest(): readonly StoredLatest[] {
    const rows = this.#database.rows('select json from status_latest order by service');
    return rows.flatMap(([json]) => storedJson(json, isLatest) ?? []);
  }

  /** A number of the day is too large to be packed. */
  #unpackedDay(day: ServiceDay): CheckedDay | null {
    const counted = this.day(day);
    return counted === null ? null : checkedDayOf(counted);
  }

  #newestOf(serviceKey: string, instant: Instant): Instant | null {
    const check = this.#database.row('select max(time) from status_check where service = ? and time <= ?', serviceKey, instant);
    if (typeof check?.[0] === 'number') return check[0];
    return this.#newestFrozen(serviceKey, instant);
  }

  /** Of a frozen day, only the time of its last check is known. */
  #newestFrozen(serviceKey: string, instant: Instant): Instant | null {
    const sql = `select case when json_valid(json) then json ->> '$.lastCheckedAt' end from status_day_counts where service = ? and day <= ? order by day desc limit 1`;
    const last = this.#database.row(sql, serviceKey, startOfDay(instant))?.[0];
    return typeof last === 'number' && last <= instant ? last : null;
  }
}
