/** The tables of checks and daily counts of format 1. Checks share most of their values, so these are stored once, as a profile. */
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
create table status_day (
  service text not null,
  day integer not null,
  frozen integer not null,
  covered_until integer not null,
  packed blob,
  primary key (service, day)
) strict, without rowid;
create index status_day_open on status_day (day, service) where frozen = 0;
create table status_day_counts (service text not null, day integer not null, json text not null, primary key (service, day)) strict, without rowid;
create table status_latest (service text primary key, json text not null) strict, without rowid;
create table status_past (changes integer not null) strict;
insert into status_past values (0);
`;

/** Rows of this size fit into a page of a table with row ids. The hours of format 2 are packed in a column; or they are in the text, as those of format 1. */
export const HOURS_COLUMN = `
alter table status_day_counts rename to status_day_counts_1;
create table status_day_counts (service text not null, day integer not null, json text not null, hours blob, primary key (service, day)) strict;
insert into status_day_counts select service, day, json, null from status_day_counts_1;
drop table status_day_counts_1;
`;

/**
 * The counts of a day or an hour. `latency` is JSON, pairs of a bucket of response times and a count; `claims` is JSON, the states that are still valid at the end; both are
 * `null` for none. `outage_ms` and `degraded_ms` are `null` if they are not known.
 */
const COUNTS = `
  operational integer not null,
  degraded integer not null,
  outage integer not null,
  maintenance integer not null,
  unknown integer not null,
  covered_ms integer not null,
  outage_ms integer,
  degraded_ms integer,
  changed_at integer,
  covered_until integer not null,
  latency_max integer not null,
  latency text,
  claims text`;

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
