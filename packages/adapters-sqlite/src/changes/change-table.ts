import { DAY, type Instant, type StoreChange } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/**
 * What was written, in the order of the transactions. Every row is written in the transaction that it tells of. `at` is the time of the writer in milliseconds: beside the
 * number, it shows whether a position belongs to this file or to a later state of it that was lost.
 */
export const CHANGE_TABLES = `
create table incarnation (id text not null) strict;
insert into incarnation values (lower(hex(randomblob(16))));
create table change (
  number integer primary key autoincrement,
  at integer not null,
  operation text not null,
  kind text not null,
  key text,
  ref text,
  service text,
  day integer,
  sync text
) strict;
drop table last_batch;
`;

/** A copy of the store is another store: what is written to it does not continue what was written to the original. */
export const NEW_INCARNATION_SQL = 'update incarnation set id = lower(hex(randomblob(16)))';

/** A reader that is further behind reads everything. */
const KEPT_CHANGES = 100_000;
const KEPT_MS = 7 * DAY;

const INSERT_SQL = 'insert into change (at, operation, kind, key, ref, service, day, sync) values (?, ?, ?, ?, ?, ?, ?, ?)';
const NEWEST_SQL = 'select number from change order by number desc limit 1';
const OLDEST_SQL = 'select number from change where at >= ? order by number limit 1';

/** Writes the changes of a transaction, inside the transaction, and deletes old ones. */
export function writeChanges(database: SqliteDatabase, changes: readonly StoreChange[], at: Instant): void {
  if (changes.length === 0) return;
  const time = Math.floor(at);
  const newest = database.number(NEWEST_SQL);
  for (const { operation, kind, key, repositoryRef, serviceKey, day, sync } of changes)
    database.run(INSERT_SQL, time, operation, kind, key, repositoryRef, serviceKey, day, sync === null ? null : JSON.stringify(sync));
  // The newest one of before stays: readers that know everything are at its position.
  const kept = Math.min(newest, Math.max(newest + changes.length - KEPT_CHANGES + 1, database.number(OLDEST_SQL, time - KEPT_MS)));
  database.run('delete from change where number < ?', kept);
}
