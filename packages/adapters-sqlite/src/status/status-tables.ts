/**
 * The tables of checks and daily counts. Checks share most of their values, so these are stored once, as a profile. What sums need of a day is apart from
 * the rest, so that a year of days is few pages.
 */
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
