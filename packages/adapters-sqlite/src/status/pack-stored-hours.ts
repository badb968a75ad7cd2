import type { SqliteDatabase } from '../database/sqlite-database.js';
import { storedJson } from '../records/shape.js';
import { dayColumns } from './day-columns.js';
import { isCountedDay } from './status-shapes.js';

/** Rows of this size fit into a page of a table with row ids. In a table without, they would need a page of their own. */
const NEW_TABLE = `
alter table status_day_counts rename to status_day_counts_1;
create table status_day_counts (service text not null, day integer not null, json text not null, hours blob, primary key (service, day)) strict;
`;
const NEXT_SQL =
  'select hex(service), day, json, service from status_day_counts_1 where (service, day) > (cast(unhex(?) as text), ?) order by service, day limit 500';
const INSERT_SQL = 'insert into status_day_counts (service, day, json, hours) values (?, ?, ?, ?)';

/** Brings the daily counts of format 1, which are text, to format 2: their hours are packed. Damaged ones are dropped. */
export function packStoredHours(database: SqliteDatabase): void {
  database.exec(NEW_TABLE);
  let [service, day] = ['', 0];
  for (;;) {
    const rows = database.rows(NEXT_SQL, service, day);
    for (const [key, start, json, name] of rows) {
      [service, day] = [String(key), Number(start)];
      const counted = storedJson(json, isCountedDay);
      if (counted !== null) database.run(INSERT_SQL, String(name), day, ...dayColumns(counted));
    }
    if (rows.length === 0) break;
  }
  database.exec('drop table status_day_counts_1');
}
