import { accessSync, closeSync, constants, openSync } from 'node:fs';
import { SqliteDatabase, sqliteCodeOf } from '../database/sqlite-database.js';

/**
 * Locks an empty file that nothing else uses, and creates it if it is missing. The lock ends with its process. Returns a function that releases it; `null` if somebody
 * else has it. Throws the error of the operating system if the file cannot be created or written.
 */
export function lockFile(file: string): (() => void) | null {
  create(file);
  const database = new SqliteDatabase(file);
  try {
    database.exec('pragma busy_timeout = 0; begin exclusive');
  } catch (error) {
    database.close();
    if (sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') === true) return null;
    throw error;
  }
  return () => {
    // The driver closes a connection late.
    database.exec('rollback');
    database.close();
  };
}

/** A file that exists is not opened here: if this process has locked it, to close it would release the lock. */
function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    accessSync(file, constants.R_OK | constants.W_OK);
  }
}
