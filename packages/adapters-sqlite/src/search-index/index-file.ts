import { closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteCodeOf, SqliteDatabase } from '../database/sqlite-database.js';
import { makeFolder } from '../folder/make-folder.js';
import { ENTRY_TABLES } from '../search/entry-table.js';

/** Raise this with every change of the tables. Then files of earlier formats are removed, and those of later ones are left alone. */
const FORMAT = 4;
/** Marks a file as a search index of Vitrine: `Vtrs` in ASCII. */
const APPLICATION_ID = 0x56747273;
/** So many processes on one host can have a file each. */
const MAX_FILES = 64;
const CACHE_KIB = 16_384;
/** Pages that the log holds until they are copied into the file. Everything else waits meanwhile. */
const LOG_PAGES = 1_000;
const LOG_BYTES = 4 * 1_048_576;

/**
 * `record.hash` is one of its kind and key, which an index of both would store a second time. `scope.name` is the name of the repository whose words its entries have. `record.words` is a hash of the words of an entry, so that a record whose words stay the same
 * is not written again. `fill` is how far the scan of records has come. `indexed.position` is the position in the feed up to which the index is complete.
 */
const TABLES = `
create table scope (id integer primary key, ref text not null unique, name text) strict;
create table record (
  id integer primary key, hash integer not null, kind text not null, key text not null, scope integer not null, time integer, words blob not null
) strict;
create index record_hash on record (hash);
create index record_scope on record (scope);
${ENTRY_TABLES}
update search_state set is_limited = 1;
create table fill (kind text primary key, time integer not null, id text not null, is_done integer not null) strict, without rowid;
create table indexed (position text) strict;
insert into indexed values (null);
pragma application_id = ${APPLICATION_ID};
pragma user_version = ${FORMAT};
`;

/**
 * Opens the first file of a folder that no other process uses. A lock of the operating system says that, so it ends with its process. A file that cannot be used is made
 * again: everything in it comes from the store.
 *
 * @param name of the database, in the form of a file name
 * @param folder `null` for an index in memory
 * @param onProblem called if the folder cannot be used. Then the index is kept in memory, too
 */
export function openIndexFile(folder: string | null, name: string, onProblem: (error: unknown) => void): SqliteDatabase {
  if (folder === null) return inMemory();
  try {
    makeFolder(folder);
    for (let number = 1; number <= MAX_FILES; number++) {
      const file = join(folder, `search-${name}-f${FORMAT}-${number}.db`);
      if (!existsSync(file)) removeOlder(folder, name);
      const database = openUnused(file);
      if (database !== null) return database;
    }
    throw new Error(`${MAX_FILES} other processes use the folder`);
  } catch (error) {
    onProblem(error);
    return inMemory();
  }
}

/** Closes the index, and releases its file at once: the driver closes the connection itself only when all its statements are collected. */
export function closeIndexFile(database: SqliteDatabase): void {
  try {
    // Exclusive locking cannot end while there is a log.
    database.row('pragma journal_mode = delete');
    database.row('pragma locking_mode = normal');
    database.row('select 1 from sqlite_master');
  } catch (error) {
    // A damaged file keeps its lock a little longer.
    if (sqliteCodeOf(error) === null) throw error;
  } finally {
    database.close();
  }
}

export function discardIndexFile(database: SqliteDatabase): void {
  closeIndexFile(database);
  removeFiles(database.file);
}

function removeFiles(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
}

/** A process of an earlier version that still uses such a file keeps it until it ends. */
function removeOlder(folder: string, name: string): void {
  const own = `search-${name}-f`;
  for (const file of readdirSync(folder)) {
    const format = file.startsWith(own) ? /^(\d+)-\d+\.db/.exec(file.slice(own.length))?.[1] : undefined;
    try {
      if (Number(format) < FORMAT) rmSync(join(folder, file), { force: true });
    } catch {
      // A file of another user in a shared folder, or a folder: the index does not need its place.
    }
  }
}

function inMemory(): SqliteDatabase {
  const database = new SqliteDatabase(':memory:');
  database.exec(TABLES);
  return database;
}

function openUnused(file: string): SqliteDatabase | null {
  try {
    return opened(file);
  } catch (error) {
    const code = sqliteCodeOf(error);
    if (code !== null && /^SQLITE_(?:BUSY|LOCKED)/.test(code)) return null;
    if (!isDamage(error) && !(error instanceof ForeignFileError)) throw error;
    removeFiles(file);
    return opened(file);
  }
}

export function isDamage(error: unknown): boolean {
  return /^SQLITE_(?:NOTADB|CORRUPT)/.test(sqliteCodeOf(error) ?? '');
}

class ForeignFileError extends Error {}

function opened(file: string): SqliteDatabase {
  closeSync(openSync(file, 'a', 0o600));
  const database = new SqliteDatabase(file);
  try {
    database.rows('pragma busy_timeout = 0');
    database.row('pragma locking_mode = exclusive');
    database.row('pragma journal_mode = wal');
    database.exec(
      `pragma synchronous = normal; pragma cache_size = -${CACHE_KIB}; pragma wal_autocheckpoint = ${LOG_PAGES}; pragma journal_size_limit = ${LOG_BYTES};`,
    );
    // The first write takes the lock, which this connection then keeps.
    database.transaction(() => {
      if (database.row('select 1 from sqlite_master') === null) database.exec(TABLES);
      const [application, format] = [database.number('pragma application_id'), database.number('pragma user_version')];
      if (application !== APPLICATION_ID || format !== FORMAT) throw new ForeignFileError();
      database.run('update indexed set position = position');
    });
    return database;
  } catch (error) {
    closeIndexFile(database);
    throw error;
  }
}
