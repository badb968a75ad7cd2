import { HOUR, type StatusDay, type StatusHour } from '@vitrine/core';
import type { SqliteDatabase } from '../src/database/sqlite-database.js';
import { StatusStore } from '../src/status/status-store.js';

/** What brings a file from each format to the one before: the first entry undoes the second migration. */
const UNDO: readonly ((database: SqliteDatabase) => void)[] = [
  // Daily counts as one text for each day.
  (database) => {
    database.exec(`drop table status_day_counts;
      create table status_day_counts (service text not null, day integer not null, json text not null, primary key (service, day)) strict, without rowid;
      insert into status_day_counts select service, day, json from status_day_texts`);
  },
  (database) => {
    database.exec('drop table activity');
  },
  (database) => {
    database.exec('drop index record_source; alter table record drop column source; drop table statement; drop table source');
  },
  packCounts,
  (database) => {
    database.exec(`drop table incarnation; drop table change;
      create table last_batch (number integer not null, process text not null, since integer not null) strict; insert into last_batch values (0, '', 0)`);
  },
  (database) => {
    database.exec('alter table lease drop column process');
  },
  // Search did not find incidents and videos.
  (database) => {
    database.exec(`create temp table new_entry as select e.place from search_entry e join record r on r.id = e.record where r.kind in ('incident', 'video');
      delete from search_words where rowid in (select place from new_entry);
      delete from search_entry where place in (select place from new_entry);
      drop table new_entry`);
  },
  (database) => {
    database.exec("delete from listing where list in (select id from list where name like 'build %=%')");
  },
  // Several days of activity in one value, which was not read any more.
  (database) => {
    database.exec(`drop table activity;
      create table activity (kind text not null, scope integer not null, part integer not null, counts blob not null, primary key (kind, scope, part)) strict, without rowid`);
  },
  (database) => {
    database.exec(`insert into list (name) values ('incident unresolved=true');
      insert into listing select (select id from list where name = 'incident unresolved=true'), scope, time, key, id from record
        where kind = 'incident' and json ->> 'state' <> 'resolved'`);
  },
  (database) => {
    database.exec('create index record_time on record (kind, time desc, key, scope) where time is not null');
  },
  // Versions were found by their first part with its v only; here they are not found at all.
  (database) => {
    database.exec(`create temp table version as
        select e.place, r.kind from search_entry e join record r on r.id = e.record where r.kind = 'release' and r.json glob '*[vV][0-9]*';
      delete from search_words where rowid in (select place from version);
      insert into search_words (rowid, words) select place, 'k5' from version order by place;
      drop table version`);
  },
];

/** Brings a file of the present format back to an older one. Its records stay. */
export function bringBack(database: SqliteDatabase, format: number): void {
  for (const undo of UNDO.slice(format - 1).reverse()) undo(database);
  database.exec(`drop table if exists status_day_texts; pragma user_version = ${String(format)}`);
}

/** Daily counts as a text, and their hours packed. Days without checks were not stored. */
function packCounts(database: SqliteDatabase): void {
  const store = new StatusStore(database, null);
  const stored = database.rows('select service, day, frozen from status_day where first_checked_at is not null order by service, day');
  const days = stored.flatMap(([service, day, frozen]) => {
    const [counted] = store.storedDays([{ serviceKey: String(service), day: Number(day), from: Number(day) }]).days;
    return counted === undefined ? [] : [{ counted, frozen: Number(frozen) }];
  });
  database.exec(`drop table status_hour; drop index status_day_open; drop table status_day;
    create table status_day (service text not null, day integer not null, frozen integer not null, covered_until integer not null, packed blob,
      primary key (service, day)) strict, without rowid;
    create index status_day_open on status_day (day, service) where frozen = 0;
    create table status_day_counts (service text not null, day integer not null, json text not null, hours blob, primary key (service, day)) strict;
    create table status_day_texts (service text not null, day integer not null, json text not null) strict;
    create table status_past (changes integer not null) strict;
    insert into status_past values (0)`);
  for (const { counted, frozen } of days) {
    const { serviceKey, day, coveredUntil } = counted;
    const text = oldDay(counted);
    database.run('insert into status_day values (?, ?, ?, ?, null)', serviceKey, day, frozen, coveredUntil);
    database.run('insert into status_day_counts values (?, ?, ?, ?)', serviceKey, day, JSON.stringify({ ...text, hours: [] }), packed(counted));
    database.run('insert into status_day_texts values (?, ?, ?)', serviceKey, day, JSON.stringify(text));
  }
}

function oldDay({ kind, serviceKey, day, counts, coveredMs, latency, firstCheckedAt, lastCheckedAt, coveredUntil, hours }: StatusDay) {
  const old = hours.map((hour) => ({
    hour: (hour.hour - day) / HOUR,
    counts: hour.counts,
    coveredMs: hour.coveredMs,
    latency: hour.latency,
    coveredUntil: hour.coveredUntil,
  }));
  return { kind, serviceKey, day, counts, coveredMs, latency, firstCheckedAt, lastCheckedAt, coveredUntil, sources: [], hours: old };
}

function packed({ day, hours }: StatusDay): Uint8Array {
  return Buffer.concat([Buffer.of(1), ...hours.map((hour) => packedHour(day, hour))]);
}

function packedHour(day: number, { hour, counts, coveredMs, coveredUntil, latency: { buckets, max } }: StatusHour): Buffer {
  const { operational, degraded, outage, maintenance, unknown } = counts;
  const bytes = Buffer.alloc(35 + buckets.length * 6);
  bytes.writeUInt8((hour - day) / HOUR, 0);
  bytes.writeUInt16LE(buckets.length, 1);
  const numbers = [operational, degraded, outage, maintenance, unknown, coveredMs, coveredUntil - hour, max];
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 3 + index * 4);
  for (const [index, [bucket, count]] of buckets.entries()) {
    bytes.writeUInt16LE(bucket, 35 + index * 6);
    bytes.writeUInt32LE(count, 35 + index * 6 + 2);
  }
  return bytes;
}
