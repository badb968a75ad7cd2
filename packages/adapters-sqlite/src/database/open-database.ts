import { statSync } from 'node:fs';
import { APPLICATION_ID, MIGRATIONS } from './schema.js';
import { SqliteDatabase } from './sqlite-database.js';

/** Why a file cannot be used as a store. */
export interface FileProblem {
  readonly problem: 'newer' | 'not-a-store' | 'cut';
  /** The format of the file. */
  readonly format: number;
}

export interface OpenDatabaseOptions {
  /** Whether the file is removed when the store is closed. Nothing must be durable then. */
  readonly isTemporary: boolean;
  /** How much memory the connection may use for pages of the file, in KiB. */
  readonly cacheKiB: number;
}

/** How long a write waits for another process, in milliseconds. */
const BUSY_MS = 5_000;
/** Pages of 4 KiB in the write-ahead log before they are moved into the file. An import changes the same pages again and again, so it is faster if they are moved rarely. */
const CHECKPOINT_PAGES = 16_000;
/** The size to which the log is cut after it was moved, for example after a long backup. */
const LOG_BYTES = 64 * 1_024 * 1_024;

/** Opens a connection to a file that {@link prepareDatabase} has prepared. */
export function openDatabase(file: string, { isTemporary, cacheKiB }: OpenDatabaseOptions): SqliteDatabase {
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

/** Creates the tables of a new file, and brings an older one to the present format. Returns why the file cannot be used; `null` if it can. */
export function prepareDatabase(database: SqliteDatabase): FileProblem | null {
  const format = database.number('pragma user_version');
  const isOld = format !== MIGRATIONS.length || !isOwn(database);
  if (!isOld && isCut(database)) return { problem: 'cut', format };
  if (format > MIGRATIONS.length) return { problem: isOwn(database) ? 'newer' : 'not-a-store', format };
  // Also for a copy that was made by `vacuum into`, which has no log.
  database.row('pragma journal_mode = wal');
  return isOld ? database.transaction(() => migrated(database)) : null;
}

/** Another process may have migrated the file before this one got the write lock. */
function migrated(database: SqliteDatabase): FileProblem | null {
  const format = database.number('pragma user_version');
  const isEmpty = database.row('select 1 from sqlite_master') === null;
  if (!isEmpty && !isOwn(database)) return { problem: 'not-a-store', format };
  for (const migrate of MIGRATIONS.slice(format)) migrate(database);
  database.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${MIGRATIONS.length}`);
  return null;
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
