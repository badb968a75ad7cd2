import {
  DAY,
  DaySums,
  PACKED_BYTES_WITHOUT_LATENCY,
  PackedHours,
  quotable,
  type DayHours,
  type Instant,
  type RawCheck,
  type ServiceFacts,
  type ServiceNeeds,
} from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { QuarantineMonitor } from '../records/record-row.js';
import type { StatusStore } from './status-store.js';

/**
 * The packed days of a service in one value, because reading many small ones takes several times as long. Most windows need no response times. The first day is
 * the last one before the range, whose checks may still be valid in it.
 */
const PACKED_SQL = `select cast(group_concat(totals, '') as blob), group_concat(length(cast(totals as blob))), group_concat(iif(totals is null, day, null))
  from (select day, iif(day < ?, substr(packed, 1, ${PACKED_BYTES_WITHOUT_LATENCY}), packed) totals from status_day
    where service = ? and day >= ifnull((select max(day) from status_day where service = ? and day < ?), ?) and day < ?)`;
/** The hours of all services in one value, and their lengths: `null` for a day whose hours could not be packed. Damage can put text into any column, so types are asked. */
const HOURS_SQL = `select cast(group_concat(c.hours, '') as blob),
    json_group_array(json_array(n.key, d.covered_until, length(cast(c.hours as blob))))
  from json_each(?) n cross join status_day d on d.service = n.value ->> 0 and d.day = n.value ->> 1
  join status_day_counts c on c.service = d.service and c.day = d.day
  where typeof(d.covered_until) = 'integer'`;
/** The last stored day before each of some days, and the end of its coverage. One text is read several times as fast as its rows. */
const BEFORE_SQL = `select json_group_array(json((select json_array(n.key, day, covered_until)
    from status_day where service = n.value ->> 0 and day < n.value ->> 1 and typeof(covered_until) = 'integer' order by day desc limit 1)))
  from json_each(?) n`;
/** The checks of all ranges of all services, as a text for each range. */
const CHECKS_SQL = `select (select json_group_array(json_array(time, profile, response) order by time)
    from status_check where service = n.value ->> 0 and time between n.value ->> 1 and n.value ->> 2
      and typeof(profile) = 'integer' and typeof(response) in ('integer', 'null'))
  from json_each(?) n order by n.key`;
const NEWEST_SQL = `select time, c.profile, response, observed from status_check c join check_profile p on p.id = c.profile
  where service = ? and time <= ? and source = ? and (? or (json_valid(p.json) and p.json ->> '$.state' <> 'unknown')) order by time desc limit 1`;

/** An entry of {@link HOURS_SQL}'s list: the place in the list of days, the end of the coverage, and the length of the packed hours. */
type StoredHours = readonly [key: number, coveredUntil: Instant, length: number | null];
/** A row of {@link CHECKS_SQL}'s lists. */
type PackedCheck = readonly [time: Instant, profile: number, response: number | null];
/** An entry of the list of {@link BEFORE_SQL}. */
type DayBefore = readonly [key: number, day: Instant, coveredUntil: Instant];
/** A day that is needed, and the place of its service in the list of needs. */
interface NeededDay {
  readonly service: string;
  readonly day: Instant;
  readonly index: number;
}

/** Reads what the core needs to know about services. */
export class ServiceFactReader {
  readonly #database: SqliteDatabase;
  readonly #store: StatusStore;
  readonly #monitor: QuarantineMonitor | null;

  constructor(database: SqliteDatabase, store: StatusStore, monitor: QuarantineMonitor | null) {
    this.#database = database;
    this.#store = store;
    this.#monitor = monitor;
  }

  /** The facts of each service, in the order of the needs. */
  facts(needs: readonly ServiceNeeds[]): readonly ServiceFacts[] {
    const days = this.#hours(needs);
    const checks = this.#checks(needs);
    return needs.map((need, index) => ({
      sums: this.#sums(need),
      days: days[index] ?? new Map<Instant, DayHours>(),
      checks: checks[index] ?? [],
      newest: need.newest.flatMap(({ source, isKnown }) =>
        this.#store.rows.checks(need.serviceKey, this.#database.rows(NEWEST_SQL, need.serviceKey, need.latest, source, Number(!isKnown))),
      ),
    }));
  }

  #sums({ serviceKey, sums: ranges }: ServiceNeeds): DaySums {
    const sums = new DaySums(ranges);
    if (ranges.length === 0) return sums;
    const [from, to] = [Math.min(...ranges.map((range) => range.from)), Math.max(...ranges.map((range) => range.to))];
    const latencyFrom = Math.min(to, ...ranges.flatMap((range) => (range.withoutLatency === true ? [] : range.from)));
    const [bytes, lengths, unpacked] = this.#database.row(PACKED_SQL, latencyFrom, serviceKey, serviceKey, from, from, to) ?? [];
    if (bytes instanceof Uint8Array) sums.addAllPacked(bytes, numbersIn(lengths));
    for (const day of numbersIn(unpacked)) {
      const counted = this.#store.day({ serviceKey, day });
      if (counted !== null) sums.add(counted);
    }
    return sums;
  }

  #hours(needs: readonly ServiceNeeds[]): readonly Map<Instant, DayHours>[] {
    const days = needs.map(() => new Map<Instant, DayHours>());
    this.#addDaysBefore(days, needs);
    const withHours = neededDays(needs, ({ hourDays }) => hourDays);
    const [bytes, list] = (withHours.length === 0 ? null : this.#database.row(HOURS_SQL, keysOf(withHours))) ?? [null, '[]'];
    const packed = bytes instanceof Uint8Array ? bytes : new Uint8Array();
    let from = 0;
    for (const [key, until, length] of JSON.parse(String(list)) as readonly StoredHours[]) {
      const needed = withHours[key];
      const hours = length === null ? null : packed.subarray(from, (from += length));
      if (needed !== undefined) days[needed.index]?.set(needed.day, this.#dayHours(needed, until, hours));
    }
    return days;
  }

  /** Of the last stored day before each needed one, only the end of the coverage is needed. */
  #addDaysBefore(days: readonly Map<Instant, DayHours>[], needs: readonly ServiceNeeds[]): void {
    const needed = neededDays(needs, ({ hourDays }) => hourDays.filter((day) => !hourDays.includes(day - DAY)));
    if (needed.length === 0) return;
    const found = JSON.parse(String(this.#database.row(BEFORE_SQL, keysOf(needed))?.[0])) as readonly (DayBefore | null)[];
    for (const [key, day, coveredUntil] of found.filter((one) => one !== null)) days[needed[key]?.index ?? -1]?.set(day, { hours: [], coveredUntil });
  }

  #dayHours({ service, day }: NeededDay, coveredUntil: Instant, hours: Uint8Array | null): DayHours {
    if (hours === null) return this.#store.day({ serviceKey: service, day }) ?? { hours: [], coveredUntil };
    const packed = PackedHours.of(day, coveredUntil, hours);
    if (packed === null) this.#monitor?.quarantined('status-day', quotable(service), 'hours: wrong');
    return packed ?? { hours: [], coveredUntil };
  }

  #checks(needs: readonly ServiceNeeds[]): readonly RawCheck[][] {
    const checks = needs.map((): RawCheck[] => []);
    const ranges = needs.flatMap(({ serviceKey, checks: list }, index) => list.map(({ from, to }) => ({ index, range: [serviceKey, from, to] })));
    if (ranges.length === 0) return checks;
    const rows = this.#database.rows(CHECKS_SQL, JSON.stringify(ranges.map(({ range }) => range)));
    for (const [at, { index }] of ranges.entries()) checks[index]?.push(...this.#rawChecks(rows[at]?.[0]));
    return checks;
  }

  #rawChecks(list: unknown): readonly RawCheck[] {
    return (JSON.parse(String(list)) as readonly PackedCheck[]).flatMap((row) => this.#rawCheck(row) ?? []);
  }

  #rawCheck([checkedAt, id, responseTimeMs]: PackedCheck): RawCheck | null {
    const profile = this.#store.rows.profile(id);
    return profile === null ? null : { checkedAt, state: profile.state, validForMs: profile.validForMs, responseTimeMs };
  }
}

function neededDays(needs: readonly ServiceNeeds[], daysOf: (need: ServiceNeeds) => readonly Instant[]): readonly NeededDay[] {
  return needs.flatMap((need, index) => [...new Set(daysOf(need))].map((day) => ({ service: need.serviceKey, day, index })));
}

function keysOf(days: readonly NeededDay[]): string {
  return JSON.stringify(days.map(({ service, day }) => [service, day]));
}

function numbersIn(list: unknown): readonly number[] {
  return typeof list === 'string' ? list.split(',').map(Number) : [];
}
