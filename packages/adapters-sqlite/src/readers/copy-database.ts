import { NEW_INCARNATION_SQL } from '../changes/change-tables.js';
import { SqliteDatabase } from '../database/sqlite-database.js';

/** Copies the store into an empty file, as it is at the start. Other connections can write meanwhile. */
export function copyDatabase(database: SqliteDatabase, file: string): null {
  database.run('vacuum into ?', file);
  const copy = new SqliteDatabase(file);
  try {
    copy.run(NEW_INCARNATION_SQL);
  } finally {
    copy.close();
  }
  return null;
}
