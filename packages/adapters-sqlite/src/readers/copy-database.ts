import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Copies the store into an empty file, as it is at the start. Other connections can write meanwhile. */
export function copyDatabase(database: SqliteDatabase, file: string): null {
  database.run('vacuum into ?', file);
  return null;
}
