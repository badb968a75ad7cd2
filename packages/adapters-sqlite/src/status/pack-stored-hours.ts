import type { CountedDay } from '@vitrine/core';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { dayColumns } from './day-columns.js';

/** Rows of this size fit into a page of a table with row ids. In a table without, they would need a page of their own. */
const NEW_TABLE = `
alter table status_day_counts rename to status_day_counts_1;
create table status_day_counts (service text not null, day integer not null, json text not null, hours blob, primary key (service, day)) strict;
`;
const NEXT_SQL = 'select service, day, json from status_day_counts_1 where (service, day) > (?, ?) order by service, day limit 500';
const INSERT_SQL = 'insert into status_day_counts (service, day, json, hours) values (?, ?, ?, ?)';

/** Brings the daily counts of format 1, which are text, to format 2: their hours are packed. */
export function packStoredHours(database: SqliteDatabase): void {
  database.exec(NEW_TABLE);
  let [service, day] = ['', 0];
  for (;;) {
    const rows = database.rows(NEXT_SQL, service, day);
    for (const [key, start, json] of rows) {
      [service, day] = [String(key), Number(start)];
      database.run(INSERT_SQL, service, day, ...dayColumns(JSON.parse(String(json)) as CountedDay));
    }
    if (rows.length === 0) break;
  }
  database.exec('drop table status_day_counts_1');
}
