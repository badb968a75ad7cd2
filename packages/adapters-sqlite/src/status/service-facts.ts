import { DAY, DaySums, type DayHours, type Instant, type RawCheck, type ServiceFacts, type ServiceNeeds } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import type { StatusStore } from './status-store.js';

/** The packed days of a service in one value, because reading many small ones takes several times as long. */
const PACKED_SQL = `select cast(group_concat(packed, '') as blob), group_concat(length(packed)), group_concat(iif(packed is null, day, null))
  from status_day where service = ? and day >= ? and day < ?`;
const CHECKS_SQL = 'select time, profile, response from status_check where service = ? and time between ? and ? order by time';
const NEWEST_SQL = `select time, c.profile, response, observed from status_check c join check_profile p on p.id = c.profile
  where service = ? and time <= ? and source = ? and (? or p.json ->> '$.state' <> 'unknown') order by time desc limit 1`;

/** Reads what the core needs to know about one service. */
export function factsOf(database: SqliteDatabase, store: StatusStore, needs: ServiceNeeds): ServiceFacts {
  const { serviceKey } = needs;
  return {
    sums: sumsOf(database, store, needs),
    days: daysOf(store, needs),
    checks: needs.checks.flatMap(({ from, to }) =>
      database.rows(CHECKS_SQL, serviceKey, from, to).flatMap(([time, profile, response]) => rawCheck(store, [time, profile, response]) ?? []),
    ),
    newest: needs.newest.flatMap(({ source, isKnown }) =>
      store.rows.checks(serviceKey, database.rows(NEWEST_SQL, serviceKey, needs.latest, source, Number(!isKnown))),
    ),
  };
}

function sumsOf(database: SqliteDatabase, store: StatusStore, { serviceKey, sums: ranges }: ServiceNeeds): DaySums {
  const sums = new DaySums(ranges);
  if (ranges.length === 0) return sums;
  const [from, to] = [Math.min(...ranges.map((range) => range.from)), Math.max(...ranges.map((range) => range.to))];
  const [bytes, lengths, unpacked] = database.row(PACKED_SQL, serviceKey, from - DAY, to) ?? [];
  let at = 0;
  for (const length of numbersIn(lengths)) sums.addPacked((bytes as Uint8Array).subarray(at, (at += length)));
  for (const day of numbersIn(unpacked)) {
    const counted = store.day({ serviceKey, day });
    if (counted !== null) sums.add(counted);
  }
  return sums;
}

function numbersIn(list: unknown): readonly number[] {
  return typeof list === 'string' ? list.split(',').map(Number) : [];
}

function daysOf(store: StatusStore, { serviceKey, hourDays }: ServiceNeeds): ReadonlyMap<Instant, DayHours> {
  const days = new Map<Instant, DayHours>();
  for (const day of hourDays) {
    const before = store.coveredUntil({ serviceKey, day: day - DAY });
    if (before !== null && !days.has(day - DAY)) days.set(day - DAY, { hours: [], coveredUntil: before });
    const counted = store.day({ serviceKey, day });
    if (counted !== null) days.set(day, counted);
  }
  return days;
}

function rawCheck(store: StatusStore, [time, id, response]: readonly unknown[]): RawCheck | null {
  const profile = store.rows.profile(Number(id));
  if (profile === null) return null;
  return {
    checkedAt: Number(time),
    state: profile.state,
    validForMs: profile.validForMs,
    responseTimeMs: typeof response === 'number' ? response : null,
  };
}
