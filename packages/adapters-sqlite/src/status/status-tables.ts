import { formatInstant, isInstant, mergeHistograms, NO_LATENCY, quotable } from '@vitrine/core';
import type { Carry, Claim, LatencyHistogram, ServiceState, StatusDay, StatusHour, Tally } from '@vitrine/core';
import type { SqlRow, SqlValue } from '../database/sqlite-database.js';
import { isNumber, isText, listOf, maybe, objectOf, storedJson } from '../records/reading.js';
import { isState } from './check-rows.js';

/** The columns of a day or an hour, as {@link tallyValues} fills them. `latency` (pairs of bucket and count) and `claims` (states valid at the end) are JSON. Durations are `null` if not known. */
const COLUMNS = {
  operational: 'integer not null',
  degraded: 'integer not null',
  outage: 'integer not null',
  maintenance: 'integer not null',
  unknown: 'integer not null',
  covered_ms: 'integer not null',
  outage_ms: 'integer',
  degraded_ms: 'integer',
  changed_at: 'integer',
  covered_until: 'integer not null',
  latency_max: 'integer not null',
  latency: 'text',
  claims: 'text',
} as const;
const NAMES = Object.keys(COLUMNS);
const COUNTS = Object.entries(COLUMNS)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/** The counts of days and hours in plain columns, which the database adds up. */
export const COUNT_TABLES = `
create table status_day (
  service text not null,
  day integer not null,
  frozen integer not null,
  first_checked_at integer,
  last_checked_at integer,
  ${COUNTS},
  primary key (service, day)
) strict, without rowid;
create index status_day_open on status_day (day, service) where frozen = 0;
create table status_hour (
  service text not null,
  hour integer not null,
  ${COUNTS},
  primary key (service, hour)
) strict, without rowid;
`;

/** The tables of a status. Checks share most of their values, so these are stored once, as a profile. */
export const STATUS_TABLES = `
create table check_profile (id integer primary key, json text not null unique) strict;
create table status_check (
  service text not null,
  time integer not null,
  source text not null,
  profile integer not null references check_profile (id),
  response integer,
  observed integer not null,
  primary key (service, time desc, source)
) strict, without rowid;
create table status_latest (service text primary key, json text not null) strict, without rowid;
${COUNT_TABLES}`;

type Counted = Tally & Carry;

export const TALLY_COLUMNS = NAMES.join(', ');
const TALLY_LENGTH = NAMES.length;
/** The columns of a {@link tallyOfSum} of one row. */
export const PLAIN_COLUMNS = NAMES.slice(0, 9).join(', ');
export const TALLY_MARKS = NAMES.map(() => '?').join(', ');

/** The columns of a {@link tallyOfSum}. A sum is not known if a part of it is not. */
export const SUM_COLUMNS = `sum(operational), sum(degraded), sum(outage), sum(maintenance), sum(unknown), sum(covered_ms),
  iif(count(*) = count(outage_ms), sum(outage_ms), null), iif(count(*) = count(degraded_ms), sum(degraded_ms), null), max(changed_at)`;
export const LATENCY_COLUMNS = `max(latency_max), '[' || group_concat(iif(json_valid(latency), latency, null)) || ']'`;

type Buckets = LatencyHistogram['buckets'];

/** A claim as JSON. The names of service and source are foreign text, so a stored claim may be damaged. */
interface StoredClaim extends Pick<Claim, 'source' | 'state' | 'until'> {
  readonly ratedState?: ServiceState | undefined;
  readonly ratedUntil?: number | undefined;
}

const areBuckets = listOf<Buckets[number]>(listOf(isNumber));
const areClaims = listOf<StoredClaim>(
  objectOf<StoredClaim>({
    source: isText,
    state: isState,
    until: isNumber,
    ratedState: (value) => value === undefined || isState(value),
    ratedUntil: maybe(isNumber),
  }),
);

export function tallyValues({ counts, coveredMs, outageMs, degradedMs, changedAt, coveredUntil, latency, claims }: Counted): readonly SqlValue[] {
  const { operational, degraded, outage, maintenance, unknown } = counts;
  const sums = [operational, degraded, outage, maintenance, unknown, coveredMs, outageMs, degradedMs, changedAt];
  return [...sums, coveredUntil, latency.max, jsonOf(latency.buckets), jsonOf(claims.map(storedClaim))];
}

function tallyOfRow(row: SqlRow): Counted | null {
  const [coveredUntil, max, latency, stored] = row.slice(9);
  const [sums, buckets, claims] = [sumsOf(row), latency === null ? [] : storedJson(latency, areBuckets), claimsOf(stored)];
  if (sums === null || buckets === null || claims === null || typeof coveredUntil !== 'number' || typeof max !== 'number') return null;
  return { ...sums, latency: histogram(buckets, max), coveredUntil, claims };
}

function histogram(buckets: Buckets, max: number): LatencyHistogram {
  return buckets.length === 0 && max === 0 ? NO_LATENCY : { buckets, max };
}

/** The tally of a row that begins with {@link SUM_COLUMNS} or {@link PLAIN_COLUMNS} and may go on with {@link LATENCY_COLUMNS}; `null` if nothing was added up. */
export function tallyOfSum(row: SqlRow): Tally | null {
  const [max, latency] = row.slice(9);
  const sums = sumsOf(row);
  if (sums === null) return null;
  return { ...sums, latency: typeof max === 'number' ? mergeHistograms([...histogramsOf(latency), { buckets: [], max }]) : NO_LATENCY };
}

/** A status has a hundred thousand buckets, so only their shape is looked at. */
function histogramsOf(json: unknown): readonly LatencyHistogram[] {
  const lists = storedJson(json, (value): value is readonly Buckets[] => Array.isArray(value) && value.every((list) => Array.isArray(list)));
  const isPair = (pair: unknown): boolean => Array.isArray(pair) && pair[0] >= 0 && pair[1] >= 0;
  return (lists ?? []).filter((list) => list.every(isPair)).map((buckets) => ({ buckets, max: 0 }));
}

function sumsOf(row: SqlRow): Omit<Tally, 'latency'> | null {
  if (!row.slice(0, 6).every((value) => typeof value === 'number')) return null;
  type Numbers = readonly [number, number, number, number, number, number, number | null, number | null, number | null];
  const [operational, degraded, outage, maintenance, unknown, coveredMs, outageMs, degradedMs, changedAt] = row as unknown as Numbers;
  return { counts: { operational, degraded, outage, maintenance, unknown }, coveredMs, outageMs, degradedMs, changedAt };
}

function jsonOf(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

function storedClaim({ source, state, until, rated }: Claim): StoredClaim {
  return rated === null ? { source, state, until } : { source, state, until, ratedState: rated.state, ratedUntil: rated.until };
}

function claimsOf(json: unknown): readonly Claim[] | null {
  return json === null ? [] : (storedJson(json, areClaims)?.map(claimOf) ?? null);
}

function claimOf({ source, state, until, ratedState, ratedUntil }: StoredClaim): Claim {
  return { source, state, until, rated: ratedState === undefined || ratedUntil === undefined ? null : { state: ratedState, until: ratedUntil } };
}

export const DAY_COLUMNS = `${TALLY_COLUMNS}, day, first_checked_at, last_checked_at`;
export const HOUR_COLUMNS = `${TALLY_COLUMNS}, hour`;

/** The service and the start of a day or an hour, in a form that may be logged. */
export function placeOf(serviceKey: string, row: SqlRow): string {
  const start = row[TALLY_LENGTH];
  return `${quotable(serviceKey)} ${isInstant(start) ? formatInstant(start) : quotable(String(start))}`;
}

/** The day of a row that begins with {@link DAY_COLUMNS}, without its hours; `null` if it is damaged. */
export function dayOfRow(serviceKey: string, row: SqlRow): StatusDay | null {
  const tally = tallyOfRow(row);
  const [day, first, last] = row.slice(TALLY_LENGTH);
  if (tally === null || typeof day !== 'number') return null;
  const [firstCheckedAt, lastCheckedAt] = [first, last].map((time) => (typeof time === 'number' ? time : null));
  return { kind: 'status-day', serviceKey, day, ...tally, firstCheckedAt: firstCheckedAt ?? null, lastCheckedAt: lastCheckedAt ?? null, hours: [] };
}

export function hourOfRow(row: SqlRow): StatusHour | null {
  const [tally, hour] = [tallyOfRow(row), row[TALLY_LENGTH]];
  return tally === null || typeof hour !== 'number' ? null : { hour, ...tally };
}
