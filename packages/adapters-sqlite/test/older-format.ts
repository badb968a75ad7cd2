import type { SqliteDatabase } from '../src/database/sqlite-database.js';
import { dayOfColumns } from '../src/status/day-columns.js';

/** What brings a file from each format to the one before: the first entry undoes the second migration. */
const UNDO: readonly ((database: SqliteDatabase) => void)[] = [
  // Daily counts as one text for each day.
  (database) => {
    const days = database.rows('select json, hours from status_day_counts').flatMap(([json, hours]) => dayOfColumns(json, hours) ?? []);
    database.exec(`drop table status_day_counts;
      create table status_day_counts (service text not null, day integer not null, json text not null, primary key (service, day)) strict, without rowid`);
    for (const day of days) database.run('insert into status_day_counts values (?, ?, ?)', day.serviceKey, day.day, JSON.stringify(day));
  },
  (database) => {
    database.exec('drop table activity');
  },
  (database) => {
    database.exec('drop index record_source; alter table record drop column source; drop table statement; drop table source');
  },
];

/** Brings a file of the present format back to an older one. Its records stay. */
export function bringBack(database: SqliteDatabase, format: number): void {
  for (const undo of UNDO.slice(format - 1).reverse()) undo(database);
  database.exec(`pragma user_version = ${String(format)}`);
}
