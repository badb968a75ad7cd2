import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ACTIVITY_TABLE } from '../activity/sqlite-activity-reader.js';
import { CHANGE_TABLES } from '../changes/sqlite-change-feed.js';
import { folderError, newer, type StoreFolderError } from '../folder/store-folder-error.js';
import { SEARCH_TABLES } from '../search/entry-table.js';
import { updateEntries } from '../search/search-writer.js';
import { plainCounts } from '../status/plain-counts.js';
import { STATUS_TABLES } from '../status/status-tables.js';
import { SqliteDatabase } from './sqlite-database.js';

/** How long a write waits for another process, in milliseconds. */
export const BUSY_MS = 5_000;
/** Pages of 4 KiB in the write-ahead log before they are moved into the file. An import changes the same pages again and again, so it is faster if they are moved rarely. */
const CHECKPOINT_PAGES = 16_000;
/** The size to which the log is cut after it was moved, for example after a long backup. */
const LOG_BYTES = 64 * 1_024 * 1_024;

/** @param isTemporary whether nothing must be durable */
export function openDatabase(file: string, isTemporary: boolean, cacheKiB: number): SqliteDatabase {
  const database = new SqliteDatabase(file);
  database.rows(`pragma busy_timeout = ${BUSY_MS}`);
  database.exec(`
    pragma synchronous = ${isTemporary ? 'off' : 'full'};
    pragma foreign_keys = on;
    pragma cache_size = -${cacheKiB};
    pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
    pragma journal_size_limit = ${LOG_BYTES};
  `);
  return database;
}

/** Creates the tables of a new file, and brings an older one to the present format. Throws a `StoreFolderError` if the file cannot be used. */
export function prepareDatabase(database: SqliteDatabase): void {
  const folder = dirname(database.file);
  const format = database.number('pragma user_version');
  const isPresent = format === FORMAT && isOwn(database);
  if (isPresent && isCut(database)) throw folderError('damaged', folder, 'the end of its file is missing');
  if (format > FORMAT) throw isOwn(database) ? newer(folder, format, FORMAT) : foreign(folder);
  // Also for a copy that was made by `vacuum into`, which has no log.
  database.row('pragma journal_mode = wal');
  if (!isPresent) database.transaction(() => migrate(database, folder));
}

/** Another process may have migrated the file before this one got the write lock. */
function migrate(database: SqliteDatabase, folder: string): void {
  const format = database.number('pragma user_version');
  const isEmpty = database.row('select 1 from sqlite_master') === null;
  if (!isEmpty && !isOwn(database)) throw foreign(folder);
  if (format === 0) database.exec(TABLES);
  else for (const migration of MIGRATIONS.slice(format - 1)) migration(database);
  database.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${FORMAT}`);
}

function foreign(folder: string): StoreFolderError {
  return folderError('not-a-store', folder, 'its file belongs to another program');
}

function isOwn(database: SqliteDatabase): boolean {
  return database.number('pragma application_id') === APPLICATION_ID;
}

/** Whether the end of the file is missing. While its log has entries, a file may be shorter than the store. The order matters: other processes may write. */
function isCut(database: SqliteDatabase): boolean {
  const bytes = database.number('pragma page_count') * database.number('pragma page_size');
  return sizeOf(`${database.file}-wal`) === 0 && sizeOf(database.file) < bytes;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Marks a SQLite file as a store of Vitrine: `Vtrn` in ASCII. */
const APPLICATION_ID = 0x5674726e;

/** Keys and refs are compared byte by byte, which is the order of `compareText`. */
const RECORD_TABLES = `
create table scope (id integer primary key, ref text not null unique) strict;
create table list (id integer primary key, name text not null unique) strict;
create table record (
  id integer primary key,
  kind text not null,
  key text not null,
  scope integer not null references scope (id),
  time integer,
  sha text,
  json text not null,
  source integer
) strict;
create unique index record_key on record (kind, key);
create index record_sha on record (sha, scope) where sha is not null;
create table listing (
  list integer not null,
  scope integer not null,
  time integer not null,
  key text not null,
  record integer not null,
  primary key (list, scope, time desc, key)
) strict, without rowid;
create table lease (name text primary key, holder text not null, term integer not null, expires_at integer not null, process text) strict;
`;

/** Which sources vouch for a record; `null`: nobody. Of most records it is one, whose number is in the row. Of several, the row holds 0, and `statement` the fields in which each contradicts it. */
const VOUCHER_TABLES = `
create table source (id integer primary key, name text not null unique) strict;
create index record_source on record (source) where source > 0;
create table statement (
  record integer not null references record (id),
  source integer not null references source (id),
  says text not null,
  primary key (record, source)
) strict, without rowid;
create index statement_source on statement (source);
`;

/** The tables of a new file. Older files get a change of them by an entry in {@link MIGRATIONS}. */
const TABLES = [RECORD_TABLES, VOUCHER_TABLES, SEARCH_TABLES, STATUS_TABLES, CHANGE_TABLES, ACTIVITY_TABLE].join('\n');

const BUILD_LISTS = ['branch', 'state']
  .map((field) => {
    const value = `case when json_valid(r.json) then r.json ->> '${field}' end`;
    return `insert or ignore into list (name) select distinct 'build ${field}=' || (${value}) from record r where r.kind = 'build' and (${value}) is not null;
insert or ignore into listing (list, scope, time, key, record) select l.id, r.scope, r.time, r.key, r.id
  from record r join list l on l.name = 'build ${field}=' || (${value}) where r.kind = 'build' and r.time is not null;`;
  })
  .join('\n');

type Migration = (database: SqliteDatabase) => void;

function tables(sql: string): Migration {
  return (database) => database.exec(sql);
}

/** Each entry brings an older file to the next format: the first one makes format 2. All run in one transaction. Never change an entry that was released. */
const MIGRATIONS: readonly Migration[] = [
  // The hours of a day, packed.
  tables('alter table status_day_counts add column hours blob'),
  // Packed numbers of activity, which a later entry replaces.
  tables(''),
  tables(`alter table record add column source integer; ${VOUCHER_TABLES}`),
  plainCounts,
  tables(`${CHANGE_TABLES}; drop table last_batch`),
  // Which process holds a lease, as JSON.
  tables('alter table lease add column process text'),
  // Some kinds were not searched.
  (database) => updateEntries(database, 'missing', 'add'),
  tables(BUILD_LISTS),
  tables(ACTIVITY_TABLE),
  // A list of the incidents that are not over. The lists of their states say the same.
  tables(`delete from listing where list = (select id from list where name = 'incident unresolved=true');
    delete from list where name = 'incident unresolved=true'`),
  // The lists of many repositories were read along the time.
  tables('drop index record_time'),
  // `v1.2.0` was not found by `1.2.0`.
  (database) => updateEntries(database, 'versions', 'rewrite'),
];

export const FORMAT = MIGRATIONS.length + 1;
